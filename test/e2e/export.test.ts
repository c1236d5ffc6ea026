import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { postgresDsn } from "../support/postgres.ts";
import { type Box, box, ended } from "./box.ts";

/** Makes a few issues with everything that an issue can have, and stops the daemon. */
async function filled(): Promise<Box> {
  const b = box();
  await b.svc("init", "--project", "p");
  const first = (
    await b.svc("create", "Zuerst 😀", "--label", "bug", "--meta", "n=1", "-q")
  ).stdout.trim();
  const second = (await b.svc("create", "Then", "--blocked-by", first, "-q")).stdout.trim();
  await b.svc("create", "Keyed", "--idempotency-key", "k");
  await b.svc("comment", second, "--body", "\u2028 odd");
  await b.svc(
    "close",
    first,
    "--wontfix",
    "-m",
    "Nobody needs it any more, and nobody ever did, and nobody is going to say otherwise.",
  );
  await b.svc("daemon", "stop");
  return b;
}

describe("svc export", () => {
  test("needs no daemon, starts none, and names the file after the time", async () => {
    const b = await filled();
    const { code, stdout, stderr } = await b.svc("export");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^exported .*svc-export-\d{8}T\d{6}Z\.jsonl\n$/);
    const path = stdout.trim().slice("exported ".length);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await b.svc("health")).code).toBe(7);
    const quiet = await b.svc("export", "--output", "q.jsonl", "--quiet");
    expect(quiet.stdout).toBe("");
    expect(readFileSync(join(b.work, "q.jsonl"), "utf8")).toBe(readFileSync(path, "utf8"));
  });

  test("is refused while a daemon runs, unless --allow-running-daemon is given", async () => {
    const b = await filled();
    await b.svc("list");
    const refused = await b.svc("export", "--output", "x.jsonl");
    expect(refused).toMatchObject({ code: 5, stdout: "" });
    expect(refused.stderr).toContain("--allow-running-daemon");
    expect(readdirSync(b.work)).not.toContain("x.jsonl");
    const allowed = await b.json<{ path: string; records: number; bytes: number }>(
      "export",
      "--output",
      "x.jsonl",
      "--allow-running-daemon",
    );
    const text = readFileSync(allowed.path, "utf8");
    expect(allowed).toMatchObject({
      records: text.split("\n").length - 1,
      bytes: Buffer.byteLength(text),
    });
    expect((await b.svc("health")).code).toBe(0);
  });

  test.each([
    ["a remote daemon", { SVC_SERVER: "http://127.0.0.1:1" }, [], 3],
    ["two ways to name the project", {}, ["--project", "p", "--project-id", "1"], 3],
    ["a project that is not there", {}, ["--project", "nobody"], 4],
    ["a database that is not there", { SVC_DB: "/nowhere/svc.db" }, [], 1],
  ])("refuses %s", async (_, env, words, code) => {
    const b = await filled();
    const elsewhere = box({ SVC_HOME: b.home, ...env });
    const run = await elsewhere.svc("export", "--output", "x.jsonl", ...words);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code, stdout: "" });
    expect(readdirSync(elsewhere.work)).toEqual([]);
  });
});

describe("restoring an export", () => {
  test("a restore into PostgreSQL and back gives the same lists and the same bytes of export", async () => {
    const b = await filled();
    const list = await b.svc("list", "--status", "all", "--json");
    await b.svc("daemon", "stop");
    await b.svc("export", "--output", "one.jsonl");

    const dsn = await postgresDsn();
    const pg = box({ SVC_DSN: dsn });
    const imported = await pg.svc("import", "--input", join(b.work, "one.jsonl"));
    expect(imported).toMatchObject({ code: 0, stderr: "" });
    expect(imported.stdout).toContain("1 project, 3 issues,");
    expect(imported.stdout).not.toContain("@");
    expect((await pg.svc("doctor")).code).toBe(0);
    const there = await pg.svc("list", "--project", "p", "--status", "all", "--json");
    expect(there.stdout).toBe(list.stdout);
    await pg.svc("daemon", "stop");
    await pg.svc("export", "--output", "two.jsonl");
    expect(readFileSync(join(pg.work, "two.jsonl"), "utf8")).toBe(
      readFileSync(join(b.work, "one.jsonl"), "utf8"),
    );

    const back = box();
    await back.svc("import", "--input", join(pg.work, "two.jsonl"));
    await back.svc("export", "--output", "three.jsonl");
    expect(readFileSync(join(back.work, "three.jsonl"), "utf8")).toBe(
      readFileSync(join(b.work, "one.jsonl"), "utf8"),
    );
    const again = await back.json("create", "Keyed", "--project", "p", "--idempotency-key", "k");
    expect(again).toMatchObject({ reused: true, changed: false, issue: { title: "Keyed" } });
  }, 60_000);

  test("is refused while a daemon runs, over existing data without --force, and for a file of a newer version", async () => {
    const b = await filled();
    await b.svc("export", "--output", "one.jsonl");
    await b.svc("list");
    const running = await b.svc("import", "--input", "one.jsonl", "--force");
    expect(running).toMatchObject({ code: 5, stdout: "" });
    expect(running.stderr).toContain("daemon");
    await b.svc("daemon", "stop");

    const full = await b.svc("import", "--input", "one.jsonl");
    expect(full).toMatchObject({ code: 5, stdout: "" });
    expect(full.stderr).toContain("--force");

    const text = readFileSync(join(b.work, "one.jsonl"), "utf8");
    writeFileSync(
      join(b.work, "newer.jsonl"),
      text.replace(/"export_version","value":"\d+"/, '"export_version","value":"99999"'),
    );
    const newer = await b.svc("import", "--input", "newer.jsonl", "--target", "other.db");
    expect(newer).toMatchObject({ code: 3, stdout: "" });
    expect(newer.stderr).toContain("99999");
    expect(readdirSync(b.work).filter((name) => name.startsWith("other.db"))).toEqual([]);
  });

  test("a restore by force replaces existing data, and the next daemon serves it", async () => {
    const b = await filled();
    await b.svc("export", "--output", "one.jsonl");
    await b.svc("create", "Too much");
    await b.svc("daemon", "stop");
    expect((await b.svc("import", "--input", "one.jsonl", "--force")).code).toBe(0);
    const { issues } = await b.json<{ issues: readonly { title: string }[] }>(
      "list",
      "--status",
      "all",
    );
    expect(issues.map(({ title }) => title).toSorted()).toEqual(["Keyed", "Then", "Zuerst 😀"]);
    expect((await b.svc("doctor")).code).toBe(0);
  });

  test("works from standard input, and reports where the replaced data is kept and what the file lacks", async () => {
    const b = await filled();
    await b.svc("export", "--output", "one.jsonl");
    const text = readFileSync(join(b.work, "one.jsonl"), "utf8");
    const older = text.replace(',"ends_with":"digest"', "").replace(/\{"kind":"digest".*\n/, "");
    const child = spawn(process.execPath, [b.launcher, "import", "--input", "-", "--force"], {
      cwd: b.work,
      env: b.env,
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdin.end(older);
    const { code, stderr } = await ended(child);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: the file has no digest/);
    expect(stderr).toMatch(/what was there before is kept as \S+svc\.db\.before-import-\S+\n$/);
    const again = await b.svc("import", "--input", "one.jsonl", "--force", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({
      issues: 3,
      kept_old: expect.stringContaining(".before-import-"),
    });
    expect(readdirSync(b.home).filter((name) => name.includes(".before-import-"))).toHaveLength(2);
    writeFileSync(join(b.work, "cut.jsonl"), text.slice(0, text.lastIndexOf('{"kind":"digest"')));
    const cut = await b.svc("import", "--input", "cut.jsonl", "--force");
    expect(cut).toMatchObject({ code: 3, stdout: "" });
    expect(cut.stderr).toMatch(
      /cut\.jsonl is damaged: its end is missing: line 1 announces a digest as the last line; nothing was written/,
    );
  });

  test("a restore of one project adds the data to another database", async () => {
    const b = await filled();
    await b.svc("export", "--output", "one.jsonl", "--project", "p");
    const other = box();
    await other.svc("init", "--project", "p");
    await other.svc("daemon", "stop");
    const merged = await other.svc("import", "--merge", "--input", join(b.work, "one.jsonl"));
    expect(merged).toMatchObject({ code: 0, stderr: "" });
    const { issues } = await other.json<{ issues: readonly { title: string }[] }>(
      "list",
      "--project",
      "p-2",
      "--status",
      "all",
    );
    expect(issues).toHaveLength(3);
    expect((await other.svc("doctor")).code).toBe(0);
  });
});
