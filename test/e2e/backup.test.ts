import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { postgresDsn } from "../support/postgres.ts";
import { type Box, box } from "./box.ts";

interface BackupAnswer {
  readonly path: string;
  readonly records: number;
  readonly removed: readonly string[];
}

interface Health {
  readonly backup?: { readonly last_at?: string; readonly failure?: { readonly message: string } };
  readonly backup_verification?: {
    readonly state: string;
    readonly file?: string;
    readonly message?: string;
  };
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
  "a backup of %s while its daemon runs is verified, counted and restorable",
  async (_, env) => {
    const b = await filled(await env());
    const first = await b.json<BackupAnswer>("backup");
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

test("a backup starts no daemon and accepts only flags that fit together", async () => {
  const b = await filled();
  await b.svc("daemon", "stop");
  expect((await b.svc("backup", "-q")).stdout).toBe("");
  expect((await b.svc("health")).code).toBe(7);
  const there = await b.json<BackupAnswer>("backup", "--directory", "there");
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

test("a daemon makes the configured backups, and reports a failure", async () => {
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

test.each([
  ["SQLite", async () => ({})],
  ["PostgreSQL", async () => ({ SVC_DSN: await postgresDsn() })],
])(
  "a daemon on %s restores its newest backup as a trial, and reports the result after a restart",
  async (_, env) => {
    const b = box(await env());
    mkdirSync(b.home, { recursive: true });
    writeFileSync(join(b.home, "config.toml"), '[backup]\nverify_interval = "24h"\n');
    await b.svc("init", "--project", "p");
    await b.svc("create", "Keep me");
    const unknown = await b.svc("backup", "verify");
    expect([unknown.code, unknown.stdout]).toEqual([
      0,
      "no backup was restored for a try yet: svc backup verify --schedule\n",
    ]);
    const { path } = await b.json<BackupAnswer>("backup");
    await b.svc("daemon", "stop");
    await b.svc("list");
    const tried = await verification(b, ({ state }) => state !== "unknown");
    expect(tried).toMatchObject({ state: "ok", file: path, interval: "24h0m0s" });
    expect((await b.svc("health")).stdout).toMatch(/ backup_verified=\d{4}-\S+Z\n$/);
    expect((await b.svc("doctor")).stdout).toContain(`${path} was restored at `);
    expect((await b.svc("backup", "verify")).stdout).toMatch(
      / was restored for a try at \S+Z and is sound\n$/,
    );
    expect(
      readdirSync(join(b.home, "backup-trials")).filter((name) => name.startsWith("scratch")),
    ).toEqual([]);

    writeFileSync(path, readFileSync(path, "utf8").replace("Keep", "Sell"));
    expect((await b.svc("backup", "verify", "--schedule")).code).toBe(3);
    const last = await b.svc("backup", "verify");
    expect([last.code, last.stdout]).toEqual([
      1,
      expect.stringMatching(/^the try of \S+Z failed: .* is damaged: /),
    ]);
    await b.svc("daemon", "stop");
    await b.svc("list");
    const failed = await verification(b, ({ state }) => state === "failed");
    expect(failed).toMatchObject({ file: path, message: expect.stringContaining("is damaged") });
    expect((await b.svc("health")).stdout).toMatch(/ backup_verified=failed\n$/);
    expect((await b.svc("doctor")).stdout).toMatch(
      /the verification of \S+Z failed: .* is damaged/,
    );
  },
  60_000,
);

async function verification(
  b: Box,
  holds: (found: NonNullable<Health["backup_verification"]>) => boolean,
) {
  for (;;) {
    const { backup_verification: found } = await b.json<Health>("health");
    if (found !== undefined && holds(found)) return found;
  }
}

test("the file that a killed trial restore leaves is removed by the next trial", async () => {
  const b = await filled();
  await b.svc("backup");
  const folder = join(b.home, "backup-trials");
  mkdirSync(folder);
  const file = join(folder, "scratch.db");
  const trial = b.start("backup", "verify", "--schedule");
  const watcher = watch(folder, () => {
    if (existsSync(file)) trial.kill("SIGKILL");
  });
  await once(trial, "close");
  watcher.close();
  expect(trial.signalCode).toBe("SIGKILL");
  expect(existsSync(file)).toBe(true);
  const again = await b.svc("backup", "verify", "--schedule");
  expect(again).toMatchObject({ code: 0, stderr: "" });
  expect(again.stdout).toMatch(/ is sound: \d+ records, \d+ events; it was restored for a try\n$/);
  expect(readdirSync(folder).filter((name) => name.startsWith("scratch"))).toEqual([]);
  for (const words of [
    ["--directory", "x"],
    ["x", "--schedule"],
  ])
    expect((await b.svc("backup", "verify", ...words)).code).toBe(2);
}, 60_000);
