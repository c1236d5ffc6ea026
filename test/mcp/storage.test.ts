import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStorage as open } from "../../src/mcp/index.ts";
import { ToolWorld } from "./tools.ts";

/** Opens the storage, and closes its root with the test. */
const openStorage: typeof open = async (...given) => {
  const storage = await open(...given);
  onTestFinished(async () => await storage.root.close());
  return storage;
};

/** A world with a storage root, and one database to restore into. */
async function world(targets: readonly string[] = []) {
  const made = await ToolWorld.open();
  const web = await made.project("web");
  await made.issue(web.id, "kept");
  const folder = made.local.home;
  const root = mkdtempSync(join(folder, "root-"));
  const copy = join(folder, "copy.db");
  const { config } = made.client;
  const storage = await openStorage(config, folder, {
    root,
    targets: [`copy=${copy}`, ...targets],
  });
  const client = await made.serve("all", { storage });
  return { made, root, copy, storage, client, database: join(made.local.home, "svc.db") };
}

const overwrite = (artifact: string) => ({
  artifact,
  force: true,
  confirm: `OVERWRITE ARTIFACT ${artifact}`,
});

describe("svc.storage_export", () => {
  test("writes a complete file that only its owner can read, and replaces one only with the exact words", async () => {
    const { root, client } = await world();
    mkdirSync(join(root, "day"));
    const artifact = "day/one.jsonl";
    const { answer } = await client.call("svc.storage_export", { artifact });
    const text = readFileSync(join(root, artifact), "utf8");
    expect(answer).toEqual({ artifact, bytes: Buffer.byteLength(text) });
    expect(text).toContain('"kept"');
    expect(statSync(join(root, artifact)).mode & 0o777).toBe(0o600);
    const again = await client.call("svc.storage_export", { artifact });
    expect(again.failure).toContain("replace it with force");
    const unconfirmed = await client.call("svc.storage_export", {
      artifact,
      force: true,
      confirm: "yes",
    });
    expect(unconfirmed.failure).toBe(
      `confirmation must be exactly "OVERWRITE ARTIFACT ${artifact}"`,
    );
    expect((await client.call("svc.storage_export", overwrite(artifact))).failure).toBeUndefined();
  });

  test("requires a server of all projects, and may export a single project", async () => {
    const { made, storage, client } = await world();
    await made.project("other");
    const bound = await made.serve("web", { storage });
    expect((await bound.call("svc.storage_export", { artifact: "x" })).failure).toBe(
      "svc.storage_export requires --all-projects",
    );
    const { answer } = await client.call("svc.storage_export", { artifact: "x", project: "web" });
    expect(answer).toMatchObject({ project: { name: "web" } });
  });

  test.each([
    ["a path that leads up", "../x"],
    ["a path that leads up from below", "day/../../x"],
    ["an absolute path", "/tmp/x"],
    ["an empty name", "day//x"],
    ["a dot", "./x"],
    ["a backslash", "day\\x"],
    ["a drive", "c:x"],
    ["a NUL", "x\0y"],
    ["a folder that is a link", "link/x"],
    ["a folder that is a file", "file/x"],
    ["a folder that is missing", "nowhere/x"],
    ["a folder as the artifact", "day"],
    ["a link as the artifact", "alias"],
    ["1,025 bytes", "x".repeat(1025)],
  ])("refuses %s, and writes nothing", async (_what, artifact) => {
    const { root, client, database } = await world();
    mkdirSync(join(root, "day"));
    symlinkSync("/tmp", join(root, "link"));
    symlinkSync(database, join(root, "alias"));
    writeFileSync(join(root, "file"), "text");
    const before = readFileSync(database);
    const { failure } = await client.call("svc.storage_export", { ...overwrite(artifact) });
    expect(failure).toMatch(/is refused: |^invalid arguments: artifact/);
    expect(readFileSync(join(root, "file"), "utf8")).toBe("text");
    expect(readFileSync(database).equals(before)).toBe(true);
  });

  test("refuses the files of databases, even under another name", async () => {
    const { made, client, copy, root, database } = await world();
    linkSync(database, join(root, "same-file"));
    const hidden = await client.call("svc.storage_export", overwrite("same-file"));
    expect(hidden.failure).toContain("it is a file of a database");
    writeFileSync(copy, "");
    const { config } = made.client;
    const storage = await openStorage(config, root, {
      root: made.local.home,
      targets: [`copy=${copy}`],
    });
    const inside = await made.serve("all", { storage });
    for (const artifact of [
      "svc.db",
      "svc.db-wal",
      "svc.db-journal",
      "svc.db.daemon.lock",
      "copy.db",
      "copy.db-shm",
      "copy.db.import-1",
      "copy.db.new-1-wal",
      "copy.db.before-import-20260101T000000.000Z",
    ])
      expect(
        (await inside.call("svc.storage_export", overwrite(artifact))).failure,
        artifact,
      ).toContain("it is a file of a database");
  });

  test("writes into the folder that it opened, even if another folder takes its place", async () => {
    const { made, root, client } = await world();
    const moved = join(made.local.home, "moved");
    renameSync(root, moved);
    mkdirSync(root);
    const { failure } = await client.call("svc.storage_export", { artifact: "x" });
    expect(existsSync(join(root, "x"))).toBe(false);
    expect(existsSync(join(moved, "x"))).toBe(failure === undefined);
  });
});

describe("svc.storage_import", () => {
  test("restores into a target that only its owner can read", async () => {
    const { client, copy } = await world();
    await client.call("svc.storage_export", { artifact: "x" });
    const first = await client.call("svc.storage_import", { artifact: "x", target: "copy" });
    expect(first.answer).toEqual({ artifact: "x", target: "copy", backend: "sqlite" });
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const again = { artifact: "x", target: "copy" };
    expect((await client.call("svc.storage_import", again)).failure).toContain(
      "replace it with force",
    );
    const wrong = { ...again, force: true, confirm: "REPLACE STORAGE other" };
    expect((await client.call("svc.storage_import", wrong)).failure).toBe(
      'confirmation must be exactly "REPLACE STORAGE copy"',
    );
    const forced = { ...again, force: true, confirm: "REPLACE STORAGE copy", new_instance: true };
    expect((await client.call("svc.storage_import", forced)).failure).toBeUndefined();
  });

  test("refuses the database that the daemon serves, however its path is spelled", async () => {
    const made = await ToolWorld.open();
    const home = made.local.home;
    await made.project("web");
    const database = join(home, "svc.db");
    symlinkSync(database, join(home, "link.db"));
    const targets = [`same=${database}`, "wal=./svc.db-wal", "link=link.db"];
    const root = mkdtempSync(join(home, "root-"));
    const storage = await openStorage(made.client.config, home, { root, targets });
    const client = await made.serve("all", { storage });
    await client.call("svc.storage_export", { artifact: "x" });
    for (const target of ["same", "wal", "link"]) {
      const args = { artifact: "x", target, force: true, confirm: `REPLACE STORAGE ${target}` };
      expect((await client.call("svc.storage_import", args)).failure, target).toMatch(
        /^target \w+ is (a file of )?the database that the daemon serves$/,
      );
    }
  });

  test("refuses the temporary and kept copies of the database that the daemon serves", async () => {
    const made = await ToolWorld.open();
    const home = made.local.home;
    await made.project("web");
    const kept = "svc.db.before-import-20260101T000000.000Z";
    writeFileSync(join(home, kept), "kept");
    symlinkSync(join(home, kept), join(home, "link.db"));
    const targets = [`kept=${kept}`, "link=link.db", "import=svc.db.import-1", "new=svc.db.new-1"];
    const root = mkdtempSync(join(home, "root-"));
    const storage = await openStorage(made.client.config, home, { root, targets });
    const client = await made.serve("all", { storage });
    await client.call("svc.storage_export", { artifact: "x" });
    for (const target of ["kept", "link", "import", "new"]) {
      const args = { artifact: "x", target, force: true, confirm: `REPLACE STORAGE ${target}` };
      expect((await client.call("svc.storage_import", args)).failure, target).toBe(
        `target ${target} is a file of the database that the daemon serves`,
      );
    }
    expect(readFileSync(join(home, kept), "utf8")).toBe("kept");
    expect(existsSync(join(home, "svc.db.import-1"))).toBe(false);
  });

  test("refuses unknown targets, missing files, and files that are no export", async () => {
    const { client, root, copy } = await world();
    writeFileSync(join(root, "text"), "no export\n");
    const refusedFor = async (args: object) =>
      (await client.call("svc.storage_import", { artifact: "text", target: "copy", ...args }))
        .failure;
    expect(await refusedFor({ target: "other" })).toContain('there is no target "other"');
    expect(await refusedFor({ target: "/etc/passwd" })).toContain("there is no target");
    expect(await refusedFor({ artifact: "nothing" })).toContain("there is no such file");
    expect(await refusedFor({})).toContain("nothing was written");
    expect(readdirSync(dirname(copy)).filter((name) => name.startsWith("copy.db"))).toEqual([]);
  });
});

describe("a file system error on the server's machine", () => {
  test("names neither the root nor an open file when the root is removed", async () => {
    const { root, client } = await world();
    rmSync(root, { recursive: true });
    const { failure } = await client.call("svc.storage_export", { artifact: "x" });
    expect(failure).toBe('artifact "x" cannot be used (ENOENT)');
  });

  test("names the alias of a target, and not its path", async () => {
    const { client } = await world(["gone=/proc/nope/copy.db"]);
    await client.call("svc.storage_export", { artifact: "x" });
    const args = { artifact: "x", target: "gone" };
    const { failure } = await client.call("svc.storage_import", args);
    expect(failure).toMatch(/^target gone cannot be used \(E\w+\)$/);
  });

  test("names the alias of an unreachable server, and not its address", async () => {
    const { client } = await world(["far=postgres://svc:geheim@127.0.0.1:1/tracker"]);
    await client.call("svc.storage_export", { artifact: "x" });
    const { failure } = await client.call("svc.storage_import", { artifact: "x", target: "far" });
    expect(failure).toBe(
      "503 unavailable: far cannot be reached (ECONNREFUSED) — check the server and [storage] dsn",
    );
  });

  test("names the damaged file", async () => {
    const { client, root } = await world();
    writeFileSync(join(root, "text"), "no export\n");
    const args = { artifact: "text", target: "copy" };
    const { failure } = await client.call("svc.storage_import", args);
    expect(failure).toContain("text");
    expect(failure).not.toContain("/proc");
  });
});

describe("the storage options", () => {
  test.each([
    ["no alias", "copy.db"],
    ["an empty alias", "=copy.db"],
    ["an alias with a blank", "a b=copy.db"],
    ["an alias of 65 characters", `${"a".repeat(65)}=copy.db`],
  ])("refuse %s", async (_what, target) => {
    const made = await ToolWorld.open();
    const opened = openStorage(made.client.config, made.local.home, {
      root: ".",
      targets: [target],
    });
    await expect(opened).rejects.toThrow("--storage-target needs alias=path");
  });

  test("refuse a duplicate alias, and a root that is no folder", async () => {
    const made = await ToolWorld.open();
    const { config } = made.client;
    const { home } = made.local;
    const twice = openStorage(config, home, { root: ".", targets: ["a=x.db", "a=y.db"] });
    await expect(twice).rejects.toThrow("twice");
    await expect(openStorage(config, home, { root: "nowhere", targets: [] })).rejects.toThrow(
      "--storage-root is no folder",
    );
  });

  test("leave the section out if there is no root", async () => {
    const made = await ToolWorld.open();
    await made.project("web");
    const client = await made.serve("web", { load: [], available: ["system"] });
    expect((await client.call("svc.load_storage")).answer).toMatchObject({ available: false });
  });
});
