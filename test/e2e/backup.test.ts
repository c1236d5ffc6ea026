import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { postgresDsn } from "../support/postgres.ts";
import { type Box, box } from "./box.ts";

interface Made {
  readonly path: string;
  readonly records: number;
  readonly removed: readonly string[];
}

interface Health {
  readonly backup?: { readonly last_at?: string; readonly failure?: { readonly message: string } };
}

async function filled(more: Readonly<Record<string, string>> = {}): Promise<Box> {
  const b = box(more);
  await b.svc("init", "--project", "p");
  await b.svc("create", "Keep me", "--label", "dear");
  return b;
}

test.each([
  ["SQLite", async () => ({})],
  ["PostgreSQL", async () => ({ SVC_DSN: await postgresDsn() })],
])(
  "a backup of %s while its daemon runs is proven, counted and restores",
  async (_, env) => {
    const b = await filled(await env());
    const first = await b.json<Made>("backup");
    expect(first.path.startsWith(join(b.home, "backups", "svc-backup-"))).toBe(true);
    expect(statSync(first.path).mode & 0o777).toBe(0o600);
    expect((await b.svc("health")).code).toBe(0);
    await b.svc("create", "Forget me");
    const said = await b.svc("backup", "--keep", "1");
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).toMatch(
      /^backed up to .*: \d+ records, [\d,]+ bytes, read back and sound\nremoved 1 older backup\n$/,
    );
    expect(readdirSync(join(b.home, "backups"))).toHaveLength(2);

    const path = join(b.work, "mine.jsonl");
    const agent = await b.svc("backup", "--output", "mine.jsonl", "--agent");
    expect(agent.stdout).toMatch(
      /^OK backup path=\S+mine\.jsonl records=\d+ bytes=\d+ sha256=[0-9a-f]{64}|events=/,
    );
    expect(await b.svc("backup", "verify", "mine.jsonl", "-q")).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    const list = await b.svc("list", "--json");
    const back = box();
    expect((await back.svc("import", "--input", path)).code).toBe(0);
    expect((await back.svc("list", "--project", "p", "--json")).stdout).toBe(list.stdout);
    expect((await back.svc("doctor")).code).toBe(0);

    writeFileSync(path, readFileSync(path, "utf8").replace("Keep", "Sell"));
    const bad = await b.svc("backup", "verify", "mine.jsonl", "--json");
    expect(bad).toMatchObject({ code: 3, stdout: "" });
    expect(JSON.parse(bad.stderr)).toMatchObject({ error: { code: "validation", data: { path } } });
  },
  60_000,
);

test("a backup starts no daemon and takes the words that go together", async () => {
  const b = await filled();
  await b.svc("daemon", "stop");
  expect((await b.svc("backup", "-q")).stdout).toBe("");
  expect((await b.svc("health")).code).toBe(7);
  const there = await b.json<Made>("backup", "--directory", "there");
  expect(there.path.startsWith(join(b.work, "there"))).toBe(true);
  for (const [words, code] of [
    [["--keep", "2", "--output", "x"], 2],
    [["--directory", "x", "--output", "x"], 2],
    [["--keep", "0"], 2],
    [["--output", "nowhere/x"], 3],
  ] as const) {
    const run = await b.svc("backup", ...words);
    expect([words, run.code, run.stdout]).toEqual([words, code, ""]);
  }
  const remote = box({ SVC_HOME: b.home, SVC_SERVER: "http://127.0.0.1:1" });
  expect((await remote.svc("backup")).code).toBe(3);
  expect((await remote.svc("backup", "--local")).code).toBe(0);
}, 60_000);

/** Asks the daemon for its health until `holds` is true. */
async function health(b: Box, holds: (backup: NonNullable<Health["backup"]>) => boolean) {
  for (;;) {
    const { backup } = await b.json<Health>("health");
    if (backup === undefined) throw new Error("the daemon tells nothing of backups");
    if (holds(backup)) return backup;
  }
}

test("a daemon makes the backups that are configured, and tells of a failure", async () => {
  const b = box();
  mkdirSync(b.home, { recursive: true });
  const config = (directory: string): void =>
    writeFileSync(
      join(b.home, "config.toml"),
      `[backup]\ninterval = "1h"\ndirectory = "${directory}"\n`,
    );
  config("kept");
  await b.svc("init", "--project", "p");
  await b.svc("create", "Keep me");
  await health(b, ({ last_at }) => last_at !== undefined);
  expect((await b.svc("health")).stdout).toMatch(/ backup=\d{4}-\S+Z\n$/);
  const names = readdirSync(join(b.home, "kept"));
  expect(names).toHaveLength(2);
  const [path = ""] = names;
  expect((await b.svc("backup", "verify", join(b.home, "kept", path))).code).toBe(0);

  await b.svc("daemon", "stop");
  await b.svc("list");
  await health(b, ({ last_at }) => last_at !== undefined);
  expect(readdirSync(join(b.home, "kept"))).toEqual(names);

  await b.svc("daemon", "stop");
  writeFileSync(join(b.home, "file"), "in the way");
  config("file");
  await b.svc("list");
  const { failure } = await health(b, (backup) => backup.failure !== undefined);
  expect(failure?.message).toContain("file");
  expect((await b.svc("health")).stdout).toMatch(/ backup=failed\n$/);
  expect((await b.svc("doctor")).stdout).toMatch(/the backup of \S+ failed: .*file/);
  expect((await b.svc("daemon", "logs")).stdout).toContain("backup.failed");

  await b.svc("daemon", "stop");
  rmSync(join(b.home, "config.toml"));
  await b.svc("list");
  expect(await b.json<Health>("health")).not.toHaveProperty("backup");
}, 60_000);
