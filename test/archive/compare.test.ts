import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareFile } from "../../src/archive/compare.ts";
import { restoreFile } from "../../src/archive/restore.ts";
import { openBackend } from "../../src/store/open.ts";
import type { Store } from "../../src/store/types/store.ts";
import { created, labeled, log, projectCreated, uid } from "../store/drafts.ts";
import { describeStore, type OpenTestStore, type TestDatabase } from "../support/store.ts";
import { deps, digestAnew, exportTo, plain, scratch } from "./targets.ts";

const WEB = uid(1);
const ISSUES = [101, 102, 103, 104].map(uid);
const BY = { actor: "ann", reason: "held a secret" };

type Work = (store: Store) => Promise<void>;

/** Writes nine events: 1 creates a project; 2 to 5 create issues; 6 to 9 label the same issues. */
async function story(store: Store): Promise<void> {
  await log(store, projectCreated(WEB, "web"));
  await log(store, ...ISSUES.map((issue) => created(WEB, issue)));
  await log(store, ...ISSUES.map((issue) => labeled(WEB, issue, "bug")));
}

function labels(...names: readonly string[]): Work {
  return async (store) =>
    await log(store, ...names.map((name) => labeled(WEB, ISSUES[1] ?? "", name)));
}

function purges(...indexes: readonly number[]): Work {
  return async (store) => {
    for (const index of indexes)
      await store.write(async (tx) => {
        const found = await tx.issues.find(ISSUES[index] ?? "");
        if (found !== undefined) await tx.purgeIssue(found, BY);
      });
  };
}

async function run(database: TestDatabase, ...works: readonly Work[]): Promise<TestDatabase> {
  const store = await database.open();
  for (const work of works) await work(store);
  await store.close();
  return database;
}

const targetOf = ({ dialect, target }: TestDatabase) => ({ dialect, ...target });

async function fileOf(database: TestDatabase): Promise<string> {
  const file = join(await scratch(), "log.jsonl");
  await exportTo(targetOf(database), file);
  return file;
}

/** Two databases with the story in them; the second was restored from an export of the first. */
async function twoCopies(open: OpenTestStore): Promise<readonly [TestDatabase, TestDatabase]> {
  const one = await run(await open.database(), story);
  const two = await run(await open.database());
  await restoreFile(deps, { ...plain, file: await fileOf(one), target: targetOf(two) });
  return [one, two];
}

async function compare(here: TestDatabase, file: string) {
  return await compareFile(targetOf(here), file);
}

async function tamper({ target }: TestDatabase, ...statements: readonly string[]): Promise<void> {
  const backend = await openBackend({ ...deps, ...target });
  const connection = await backend.writer();
  await connection.execute("delete from event_mention", []);
  for (const statement of statements) await connection.execute(statement, []);
  await backend.close();
}

describeStore("two copies of a log", (open) => {
  test("are equal, even while a store has the database open", async () => {
    const [one, two] = await twoCopies(open);
    const store = await one.open();
    expect(await compare(one, await fileOf(two))).toEqual({
      ...{ path: expect.any(String), result: "same", same_to: 9 },
      here: { events: 9, last_id: 9, purged: 0 },
      file: { events: 9, last_id: 9, purged: 0 },
    });
    await store.close();
  });

  test("are reported as a beginning and its continuation if only one of them has later events", async () => {
    const [one, two] = await twoCopies(open);
    const before = await fileOf(one);
    await run(one, labels("late"));
    const goesOn = { id: 10, uid: expect.any(String), type: "issue.labeled" };
    const known = { same_to: 9, from: 10, is_exact: true };
    const ahead = await compare(one, before);
    expect(ahead).toMatchObject({ ...known, result: "file_is_beginning", here: { at: goesOn } });
    expect(ahead.file).not.toHaveProperty("at");
    const behind = await compare(two, await fileOf(one));
    expect(behind).toMatchObject({ ...known, result: "here_is_beginning", file: { at: goesOn } });
    expect(behind.here).not.toHaveProperty("at");
  });

  test("differ from the first replaced event on, even if the replaced end has a valid chain of its own", async () => {
    const [one, two] = await twoCopies(open);
    await run(one, labels("a", "b", "c"));
    await run(two, labels("a2", "b2"));
    const found = await compare(two, await fileOf(one));
    expect(found).toMatchObject({ result: "different", same_to: 9, from: 10, is_exact: true });
    expect(found.here).toMatchObject({ last_id: 11, at: { id: 10, type: "issue.labeled" } });
    expect(found.file).toMatchObject({ last_id: 12, at: { id: 10, type: "issue.labeled" } });
    expect(found.here.at).not.toEqual(found.file.at);
    expect(found).not.toHaveProperty("broken");
  });

  test.each([
    [
      "an event in the middle is removed",
      ["delete from event where id = 7"],
      { result: "different", same_to: 6, from: 7, is_exact: true },
      { here: { at: { id: 8 } }, file: { at: { id: 7 } }, broken: /^event 8 / },
    ],
    [
      "the first event is removed",
      ["delete from event where id = 1"],
      { result: "different", same_to: 0, from: 1, is_exact: true },
      { here: { at: { id: 2 } }, file: { at: { id: 1 } }, broken: /^event 2 / },
    ],
    [
      "the actor of an event is another, and its hash and chain are kept",
      ["update event set actor = 'eve' where id = 7"],
      { result: "different", same_to: 6, from: 7, is_exact: true },
      { here: { at: { id: 7 } }, file: { at: { id: 7 } }, broken: /^event 7 .*content hash/ },
    ],
    [
      "the end is removed",
      ["delete from event where id > 7"],
      { result: "here_is_beginning", same_to: 7, from: 8, is_exact: true },
      { here: {}, file: { at: { id: 8 } }, broken: /does not end with event 7/ },
    ],
  ] as const)(
    "differ where %s in the database, whose log is reported as broken",
    async (_what, done, known, sides) => {
      const [one, two] = await twoCopies(open);
      await tamper(one, ...done);
      const { broken, ...places } = sides;
      const found = await compare(one, await fileOf(two));
      expect(found).toMatchObject({ ...known, ...places, broken: expect.stringMatching(broken) });
    },
  );

  test("are reported as broken if both lack the last events that the database has recorded", async () => {
    const [one] = await twoCopies(open);
    await tamper(one, "delete from event where id > 7");
    expect(await compare(one, await fileOf(one))).toMatchObject({
      ...{ result: "same", same_to: 7, broken: expect.stringMatching(/does not end with event 7/) },
    });
  });

  test("are equal if one still has events that are purged in the other, in the middle or at the end", async () => {
    const [one, two] = await twoCopies(open);
    const whole = await fileOf(one);
    await run(one, purges(0));
    const once = await fileOf(one);
    const purged = (count: number) => ({ purged: count });
    expect(await compare(one, whole)).toMatchObject({
      ...{ result: "same", same_to: 9, here: purged(2), file: purged(0) },
    });
    expect(await compare(two, once)).toMatchObject({
      ...{ result: "same", same_to: 9, here: purged(0), file: purged(2) },
    });
    await run(one, purges(1, 2, 3));
    for (const file of [whole, once])
      expect(await compare(one, file)).toMatchObject({ result: "same", same_to: 9 });
    expect(await compare(two, await fileOf(one))).toMatchObject({ result: "same", same_to: 9 });
  });

  test("are equal if different events are purged in each, even adjacent ones", async () => {
    const [one, two] = await twoCopies(open);
    await run(one, purges(0, 1));
    await run(two, purges(1, 2));
    expect(await compare(one, await fileOf(two))).toMatchObject({ result: "same", same_to: 9 });
    expect(await compare(two, await fileOf(one))).toMatchObject({ result: "same", same_to: 9 });
  });

  test("are the same up to a purge, and differ by the later events that only one of them has", async () => {
    const [one] = await twoCopies(open);
    const whole = await fileOf(one);
    await run(one, purges(3), labels("late"));
    expect(await compare(one, whole)).toMatchObject({
      ...{ result: "file_is_beginning", same_to: 9, from: 11, is_exact: true },
    });
  });

  test("report from where they cannot be compared if purged events reach beyond the end of the other log", async () => {
    const [one] = await twoCopies(open);
    await run(one, purges(0, 1, 2));
    const before = await fileOf(one);
    await run(one, async (store) => await log(store, labeled(WEB, ISSUES[3] ?? "", "late")));
    await run(one, purges(3));
    expect(await compare(one, before)).toMatchObject({
      ...{ result: "file_is_beginning", same_to: 1, from: 13, is_exact: false },
      ...{ here: { at: { id: 13, purged: true } }, file: { last_id: 9 } },
    });
  });

  test("report between which events they differ if purged events hide the exact place", async () => {
    const [one, two] = await twoCopies(open);
    const others = [created(WEB, uid(105)), labeled(WEB, uid(105), "x")];
    await run(one, async (store) => await log(store, ...others));
    await run(one, async (store) => {
      await store.write(async (tx) => {
        const found = await tx.issues.find(uid(105));
        if (found !== undefined) await tx.purgeIssue(found, BY);
      });
    });
    await run(two, labels("a", "b", "c"));
    expect(await compare(one, await fileOf(two))).toMatchObject({
      ...{ result: "different", same_to: 9, from: 11, is_exact: false },
      ...{ here: { at: { id: 11, purged: true } }, file: { at: { id: 11 } } },
    });
  });

  test("are not compared if the file has no chains, is cut off, or is inconsistent in itself", async () => {
    const [one] = await twoCopies(open);
    const part = join(await scratch(), "web.jsonl");
    await exportTo(targetOf(one), part, { project: { name: "web" } });
    await expect(compare(one, part)).rejects.toThrow(/its events have no chain/);
    const file = await fileOf(one);
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    await writeFile(file, lines.slice(0, -2).join("\n"));
    await expect(compare(one, file)).rejects.toThrow(/the end is missing/);
    const without = lines.filter((line) => !line.includes('"data":{"id":7,"uid"'));
    await writeFile(file, await digestAnew(without.join("\n")));
    await expect(compare(one, file)).rejects.toThrow(/event 8 \(\w+\) does not follow event 6/);
    await expect(compare(one, join(await scratch(), "none"))).rejects.toThrow(/no such file/);
  });

  test("differ from the first event on if they come from two different databases", async () => {
    const one = await run(await open.database(), story);
    const two = await run(await open.database(), story);
    expect(await compare(one, await fileOf(two))).toMatchObject({
      ...{ result: "different", same_to: 0, from: 1, is_exact: true },
    });
  });
});
