import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { backupDatabase, backupInto, listBackups } from "../../src/archive/backup.ts";
import { restoreFile } from "../../src/archive/restore.ts";
import type { Target } from "../../src/archive/target.ts";
import { TICKS, verifyFile } from "../../src/archive/verify.ts";
import { sha256Hex } from "../../src/base/hash.ts";
import { FakeClock } from "../support/clock.ts";
import { type Content, content, fill } from "./content.ts";
import {
  type Dialect,
  deps,
  digestAnew,
  examine,
  exportTo,
  freshTarget,
  ids,
  plain,
  scratch,
  withStore,
} from "./targets.ts";

const CONTENT: Content = {
  projects: [{ name: "p", metadata: "{}", archived: false }],
  issues: [0, 1, 2].map((n) => ({
    project: 0,
    title: `issue ${n}`,
    body: "",
    author: "a",
    owner: "o",
    priority: n,
    labels: ["bug"],
    metadata: '{"n":1.50}',
    comments: [{ author: "b", body: "hm", key: "k" }],
    end: "open",
    createdAt: 1_700_000_000_000 + n,
    externalId: `x${n}`,
  })),
  links: [{ from: 0, to: 1, type: "blocks" }],
};

async function filled(folder: string, dialect: Dialect = "sqlite"): Promise<Target> {
  const target = await freshTarget(dialect, folder);
  await withStore(target, async (store) => await fill(store, CONTENT, () => ids.ulid()));
  return target;
}

const silent = (): void => undefined;

test("the progress of a backup and of a check reaches the total, step by step", async () => {
  const folder = await scratch();
  const source = await freshTarget("sqlite", folder);
  const [issue] = CONTENT.issues;
  const issues = Array.from({ length: 400 }, (_, n) => ({
    ...(issue as Content["issues"][number]),
    title: `issue ${n}`,
    externalId: `y${n}`,
  }));
  await withStore(source, async (store) => {
    await fill(store, { ...CONTENT, issues, links: [] }, () => ids.ulid());
  });
  const path = join(folder, "many.jsonl");
  const told: Record<"backup" | "check", (readonly [done: number, all: number])[]> = {
    backup: [],
    check: [],
  };
  await backupInto(source, path, (...at) => told.backup.push(at));
  await verifyFile(path, (...at) => told.check.push(at));
  for (const steps of [told.backup, told.check]) {
    const all = steps.at(-1)?.[1] ?? 0;
    expect(all).toBeGreaterThan(2000);
    const done = [0, ...steps.map(([so]) => so)];
    expect(done.at(-1)).toBe(all);
    const far = done.slice(1).map((so, at) => so - (done[at] ?? 0));
    expect(Math.max(...far)).toBeLessThanOrEqual(TICKS + 10);
  }
});

describe.each<Dialect>(["sqlite", "postgres"])("a backup of %s", (dialect) => {
  const other = dialect === "sqlite" ? "postgres" : "sqlite";

  test("restores into the other kind of database, whatever its content", async () => {
    const folder = await scratch();
    await fc.assert(
      fc.asyncProperty(content, async (given) => {
        const source = await freshTarget(dialect, folder);
        await withStore(source, async (store) => await fill(store, given, () => ids.ulid()));
        const { path, records } = await backupDatabase(source, { ...deps, folder });
        const text = readFileSync(path, "utf8");
        expect(text.split("\n")).toHaveLength(records + 1);
        const target = await freshTarget(other, folder);
        await restoreFile(deps, { ...plain, file: path, target });
        expect(await exportTo(target, join(folder, "again.jsonl"))).toBe(text);
      }),
      { numRuns: 10 },
    );
  }, 120_000);

  test("is one coherent state while others write", async () => {
    const folder = await scratch();
    const source = await filled(folder, dialect);
    await withStore(source, async (store) => {
      let made = 0;
      let done = false;
      const [project] = await store.read(async ({ projects }) => await projects.list(false));
      const write = async (): Promise<void> => {
        while (!done) {
          const content = {
            ...CONTENT,
            projects: [{ name: `q${made}-`, metadata: "{}", archived: false }],
          };
          await fill(store, content, () => ids.ulid());
          made += 1;
          await new Promise(setImmediate);
        }
      };
      const writing = write();
      const backup = await backupDatabase(source, { ...deps, folder });
      done = true;
      await writing;
      expect(project).toBeDefined();
      expect(made).toBeGreaterThan(0);
      const target = await freshTarget("sqlite", folder);
      await restoreFile(deps, { ...plain, file: backup.path, target });
      const report = await examine(target);
      expect(report).toEqual({
        events: backup.events,
        rows: report.rows,
        integrity: [],
        changedEvents: [],
        brokenChain: [],
      });
    });
  });
});

test("a backup is stored under its name with its checksum, for its owner only", async () => {
  const folder = await scratch();
  const source = await filled(folder);
  const into = join(folder, "new", "backups");
  const clock = new FakeClock();
  const made = await backupDatabase(source, { clock, folder: into });
  const name = basename(made.path);
  expect(name).toBe(`svc-backup-${clock.now().replaceAll(/[-:]/g, "")}.jsonl`);
  expect(readdirSync(into)).toEqual([name, `${name}.sha256`]);
  const text = readFileSync(made.path, "utf8");
  expect(made).toMatchObject({
    bytes: Buffer.byteLength(text),
    sha256: sha256Hex(text),
    events: 10 - 1,
    removed: [],
  });
  expect(readFileSync(`${made.path}.sha256`, "utf8")).toBe(`${made.sha256}  ${name}\n`);
  for (const path of [made.path, `${made.path}.sha256`])
    expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(into).mode & 0o777).toBe(0o700);
});

test("a backup of a database whose tables contradict its log never gets its final name", async () => {
  const folder = await scratch();
  const source = await filled(folder);
  const db = new Database(source.dsn);
  db.prepare("update issue set title = 'forged' where title = 'issue 1'").run();
  db.close();
  const into = join(folder, "backups");
  await expect(backupDatabase(source, { ...deps, folder: into })).rejects.toMatchObject({
    code: "validation",
    message: expect.stringMatching(
      /is damaged: issue \w+, title: should be "issue 1", is "forged"$/,
    ),
  });
  expect(readdirSync(into)).toEqual([]);
});

describe("the backups in a folder", () => {
  test.each([
    [1, ["3"]],
    [2, ["3", "2"]],
    [3, ["3", "2", "1"]],
    [4, ["3", "2", "1", "0"]],
    [5, ["3", "2", "1", "0"]],
  ])("are limited to the newest %i, and other files are left alone", async (keep, left) => {
    const folder = await scratch();
    const [source, foreign] = [await filled(folder), await filled(folder)];
    const into = join(folder, "backups");
    const clock = new FakeClock();
    const theirs = await backupDatabase(foreign, { clock, folder: into });
    const notes = "svc-backup-20200101T000000.000Z.jsonl";
    writeFileSync(join(into, notes), "my notes\n");
    const names: string[] = [];
    let removed: readonly string[] = [];
    for (const round of [0, 1, 2, 3]) {
      clock.advance(1);
      const made = await backupDatabase(source, {
        clock,
        folder: into,
        ...(round === 3 ? { keep } : {}),
      });
      names.push(basename(made.path));
      removed = made.removed;
    }
    const kept = left.map((round) => names[Number(round)] ?? "");
    expect(removed).toEqual([...names].reverse().slice(kept.length));
    const own = [...kept, basename(theirs.path)].flatMap((name) => [name, `${name}.sha256`]);
    expect(readdirSync(into).sort()).toEqual([notes, ...own].sort());
    const instance = await withStore(source, async ({ instanceUid }) => instanceUid);
    expect((await listBackups(into, instance)).map(({ name }) => name)).toEqual(kept);
  });

  test("are cleared of the remains of a killed backup, but not of a file that is still being written", async () => {
    const folder = await scratch();
    const source = await filled(folder);
    const [dead, living] = [2 ** 22 + 1, process.pid].map(
      (pid) => `.svc-backup-20260504T091500.000Z.jsonl.${pid}.tmp`,
    ) as [string, string];
    const others = [".notes.jsonl.99.tmp", ".svc-backup-x.jsonl.99.tmp"];
    for (const name of [dead, living, ...others]) writeFileSync(join(folder, name), "");
    await backupDatabase(source, { ...deps, folder });
    const left = readdirSync(folder).filter((name) => name.startsWith("."));
    expect(left.sort()).toEqual([living, ...others].sort());
  });
});

test("a backup under another name overwrites nothing, and reports its progress", async () => {
  const folder = await scratch();
  const source = await filled(folder);
  const path = join(folder, "mine.jsonl");
  writeFileSync(path, "old");
  await expect(backupInto(source, path)).rejects.toMatchObject({
    code: "conflict",
    message: `${path} is there already; nothing was written`,
  });
  expect(readFileSync(path, "utf8")).toBe("old");
  rmSync(path);
  writeFileSync(`${path}.sha256`, "mine");
  await expect(backupInto(source, path)).rejects.toMatchObject({
    data: { path: `${path}.sha256` },
  });
  expect(readFileSync(`${path}.sha256`, "utf8")).toBe("mine");
  // Left by a backup that was killed: a checksum without its backup.
  writeFileSync(`${path}.sha256`, `${"0".repeat(64)}  mine.jsonl\n`);
  const seen: (readonly [done: number, all: number])[] = [];
  const made = await backupInto(source, path, (done, all) => void seen.push([done, all]));
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(made.records + 1);
  await withStore(source, async (store) => {
    for (const round of Array.from({ length: 60 }, (_, index) => index)) {
      const projects = [{ name: `more${round}-`, metadata: "{}", archived: false }];
      await fill(store, { ...CONTENT, projects }, () => ids.ulid());
    }
  });
  const second = join(folder, "second.jsonl");
  await backupInto(source, second, (done, all) => void seen.push([done, all]));
  expect(seen.length).toBeGreaterThan(3);
  expect(
    seen.every(([done, all], place) => done <= all && done >= (seen[place - 1]?.[0] ?? 0)),
  ).toBe(true);
  await expect(backupInto(source, join(folder, "nowhere", "x.jsonl"))).rejects.toMatchObject({
    code: "validation",
    message: expect.stringMatching(/^cannot write .*x\.jsonl: its folder is not there$/),
    hint: "make the folder first",
  });
});

describe("verifying a changed backup", () => {
  const drop = (pattern: RegExp) => (text: string) => text.replace(pattern, "");
  test.each<[string, (text: string) => string, boolean, RegExp]>([
    ["one letter", (text) => text.replace("issue 1", "issue 7"), true, /bytes are not those/],
    ["its end", (text) => text.slice(0, -1), true, /bytes are not those/],
    [
      "a title in a row",
      (text) => text.replace("issue 1", "issue 7"),
      false,
      /issue \w+, title: should be "issue 1", is "issue 7"$/,
    ],
    [
      "its last event",
      (text) => text.trimEnd().replace(/\n[^\n]*\n[^\n]*$/, "\n"),
      false,
      /should be/,
    ],
    [
      "a missing comment",
      drop(/\{"kind":"comment".*\n/),
      false,
      /comment .*: should be "a row", is null$/,
    ],
    [
      "a row too many",
      (text) =>
        text.replace(
          /(\{"kind":"comment","data":\{"id":)\d+(,"uid":")[^"]*(.*\n)/,
          `$&$1999$2${ids.ulid()}$3`,
        ),
      false,
      /comment .*: should be null, is "a row"$/,
    ],
    [
      "a row that stands twice",
      (text) => text.replace(/\{"kind":"comment".*\n/, "$&$&"),
      false,
      /line \d+: the id 1 stands twice$/,
    ],
    [
      "two events in another order",
      (text) => text.replace(/(\{"kind":"event".*\n)(.*\n)/, "$2$1"),
      false,
      /line \d+: event 2 \(\w+\) is not the first event: .*$/,
    ],
    ["its digest", (text) => text.trimEnd().replace(/\n[^\n]*$/, "\n"), true, /its end is missing/],
    [
      "a payload",
      (text) => text.replace(/("type":"issue.commented".*"body":")hm/, "$1ho"),
      false,
      /line \d+: event \w+ does not match its content hash$/,
    ],
    [
      "half a line",
      (text) => text.replace(/\n.{20}(?=[^\n]*\n$)/, "\n"),
      true,
      /its end is missing: .*; line \d+: not JSON$/,
    ],
    ["its checksum", (text) => text, true, /holds no checksum$/],
  ])("the file is rejected after this change: %s", async (what, change, checked, message) => {
    const folder = await scratch();
    const path = join(folder, "b.jsonl");
    await backupInto(await filled(folder), path);
    const text = readFileSync(path, "utf8");
    await expect(verifyFile(path, silent)).resolves.toMatchObject({ sha256: sha256Hex(text) });
    const changed = checked ? change(text) : await digestAnew(change(text));
    writeFileSync(path, changed);
    if (what === "its checksum") writeFileSync(`${path}.sha256`, "none");
    else if (!checked) writeFileSync(`${path}.sha256`, `${sha256Hex(changed)}  b.jsonl\n`);
    await expect(verifyFile(path, silent)).rejects.toMatchObject({
      code: "validation",
      message: expect.stringMatching(message),
      data: { path: checked && what === "its checksum" ? `${path}.sha256` : path },
    });
  });

  test("a folder, a missing file and a file that is no backup of svc are rejected too", async () => {
    const folder = await scratch();
    writeFileSync(join(folder, "x"), "hello\n");
    for (const [name, message] of [
      [".", /^cannot read /],
      ["nobody", /^cannot read /],
      ["x", /is damaged: line 1: not JSON$/],
    ] as const) {
      await expect(verifyFile(join(folder, name), silent)).rejects.toMatchObject({
        code: "validation",
        message: expect.stringMatching(message),
      });
    }
  });
});
