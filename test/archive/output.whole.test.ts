import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { backupInto } from "../../src/archive/backup.ts";
import { exportDatabase } from "../../src/archive/export.ts";
import { writeToStream } from "../../src/archive/output.ts";
import { restoreFile } from "../../src/archive/restore.ts";
import type { Target } from "../../src/archive/target.ts";
import { fill } from "./content.ts";
import { deps, exportTo, ids, plain, scratch, withStore } from "./targets.ts";

async function filled() {
  const folder = await scratch();
  const source: Target = { dialect: "sqlite", dsn: join(folder, "svc.db") };
  const projects = [{ name: "p", metadata: "{}", archived: false }];
  await withStore(source, async (store) => {
    await fill(store, { projects, issues: [], links: [] }, () => ids.ulid());
  });
  const expected = await exportTo(source, join(folder, "expected.jsonl"));
  const stdout = new PassThrough();
  const options = { includeDeleted: true, allowDaemon: true, stdout };
  const write = async (path: string) => await exportDatabase(source, path, options);
  return { folder, source, expected, stdout, write };
}

test("an export to a pipe writes into it and leaves it a pipe", async () => {
  const { folder, expected, write } = await filled();
  const fifo = join(folder, "fifo");
  execFileSync("sh", ["-c", 'mkfifo "$0"', fifo]);
  const [written, read] = await Promise.all([write(fifo), readFile(fifo, "utf8")]);
  expect(read).toBe(expected);
  expect(written).toMatchObject({ path: fifo, bytes: Buffer.byteLength(expected) });
  expect(lstatSync(fifo).isFIFO()).toBe(true);
});

test("an export to a device writes into it and leaves it a device", async () => {
  const { folder, write } = await filled();
  const link = join(folder, "nothing");
  symlinkSync("/dev/null", link);
  await write(link);
  expect(readlinkSync(link)).toBe("/dev/null");
  expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  await expect(write("/dev/full")).rejects.toMatchObject({
    message: "cannot write /dev/full: it answers ENOSPC",
  });
  expect(lstatSync("/dev/full").isCharacterDevice()).toBe(true);
});

test.each(["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])(
  "%s is standard output",
  async (path) => {
    const { expected, stdout, write } = await filled();
    const [written, read] = await Promise.all([
      write(path).finally(() => stdout.end()),
      text(stdout),
    ]);
    expect(read).toBe(expected);
    expect(written.path).toBe("-");
  },
);

test("an export to a symbolic link replaces the file behind it and keeps the link", async () => {
  const { folder, expected, write } = await filled();
  mkdirSync(join(folder, "deep"));
  writeFileSync(join(folder, "deep/real.jsonl"), "old");
  symlinkSync("deep/real.jsonl", join(folder, "one"));
  symlinkSync(join(folder, "one"), join(folder, "two"));
  await write(join(folder, "two"));
  expect(readFileSync(join(folder, "deep/real.jsonl"), "utf8")).toBe(expected);
  expect(readlinkSync(join(folder, "one"))).toBe("deep/real.jsonl");
});

test("a target that cannot be written is refused and left unchanged", async () => {
  const { folder, source, write } = await filled();
  symlinkSync("nowhere", join(folder, "dangling"));
  symlinkSync("b", join(folder, "a"));
  symlinkSync("a", join(folder, "b"));
  const server = createServer().listen(join(folder, "socket"));
  onTestFinished(() => void server.close());
  for (const [name, message] of [
    [".", /it is a folder$/],
    ["socket", /it is a socket$/],
    ["dangling", /it is a link that leads nowhere$/],
    ["a", /(leads nowhere|lead in a circle)$/],
    ["none/x", /its folder is not there$/],
  ] as const) {
    await expect(write(join(folder, name))).rejects.toMatchObject({
      code: "validation",
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
  }
  execFileSync("sh", ["-c", 'mkfifo "$0"', join(folder, "fifo")]);
  for (const path of ["-", "/dev/null", join(folder, "fifo")])
    await expect(backupInto(source, path)).rejects.toMatchObject({
      message: expect.stringContaining("cannot be read back"),
    });
});

test("a database that fails in the middle is reported as such, not as a reader that left", async () => {
  async function* lines(code: string): AsyncGenerator<string> {
    yield await Promise.resolve("one");
    throw Object.assign(new Error("the database failed"), { code });
  }
  for (const code of ["EPIPE", "57P01"])
    await expect(writeToStream("-", lines(code), new PassThrough())).rejects.toMatchObject({
      message: "the database failed",
    });
});

test("the remains of a killed export are removed by the next, unless it is still being written", async () => {
  const { folder, write } = await filled();
  const ended = spawnSync(process.execPath, ["--version"]).pid;
  const draft = (name: string, pid: number) => join(folder, `.${name}.${pid}.tmp`);
  const own = "svc-export-20260504T091500Z.jsonl";
  const left = [draft("out.jsonl", ended), draft(own, ended), draft("out.jsonl", process.pid)];
  // The last one is older than the process that has its pid now.
  const kept = [draft("notes.txt", ended), draft(own, process.pid)];
  for (const path of [...left, ...kept]) writeFileSync(path, "half");
  utimesSync(left[2] ?? "", 1, 1);
  await write(join(folder, "out.jsonl"));
  expect(left.filter((path) => existsSync(path))).toEqual([]);
  expect(kept.filter((path) => existsSync(path))).toEqual(kept);
});

test("the remains of a killed import are removed by the next", async () => {
  const { folder, expected } = await filled();
  const file = join(folder, "expected.jsonl");
  const dsn = join(folder, "target.db");
  const left = ["7", "7-wal", "7.new-7", "7.new-7-journal"].map((end) => `${dsn}.import-${end}`);
  for (const path of left) writeFileSync(path, "half");
  const target: Target = { dialect: "sqlite", dsn };
  await restoreFile(deps, { ...plain, file, target });
  expect(left.filter((path) => existsSync(path))).toEqual([]);
  expect(await exportTo(target, join(folder, "again.jsonl"))).toBe(expected);
});
