import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { examineDatabase } from "../../../src/archive/doctor.ts";
import { restoreFile } from "../../../src/archive/restore.ts";
import type { Target } from "../../../src/archive/target.ts";
import { openBackend, openSnapshot } from "../../../src/store/open.ts";
import type { LogHead } from "../../../src/store/types/events.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { deps, digestAnew, exportTo, plain } from "../../archive/targets.ts";
import { describeStore, type OpenTestStore, type TestDatabase } from "../../support/store.ts";
import { created, labeled, log, projectCreated, uid } from "../drafts.ts";

const [WEB, SHOP] = [uid(1), uid(2)];
const ISSUES = [101, 102, 103, 104].map(uid);
const BY = { actor: "ann", reason: "held a secret" };

/** Writes ten events: 1 and 2 create projects; 3 to 6 create issues; 7 to 10 label the same issues. */
async function story(store: Store): Promise<void> {
  await log(store, projectCreated(WEB, "web"), projectCreated(SHOP, "shop"));
  await log(store, ...ISSUES.map((issue) => created(WEB, issue)));
  await log(store, ...ISSUES.map((issue) => labeled(WEB, issue, "bug")));
}

async function purge(store: Store, issue: string | undefined): Promise<void> {
  await store.write(async (tx) => {
    const found = await tx.issues.find(issue ?? "");
    if (found !== undefined) await tx.purgeIssue(found, BY);
  });
}

async function filled(open: OpenTestStore): Promise<TestDatabase> {
  const database = await open.database();
  const store = await database.open();
  await story(store);
  await store.close();
  return database;
}

async function empty(open: OpenTestStore): Promise<TestDatabase> {
  const database = await open.database();
  await (await database.open()).close();
  return database;
}

function targetOf({ dialect, target }: TestDatabase): Target {
  return { dialect, ...target };
}

async function tamper({ target }: TestDatabase, ...statements: readonly string[]): Promise<void> {
  const backend = await openBackend({ ...deps, ...target });
  const connection = await backend.writer();
  for (const statement of statements) await connection.execute(statement, []);
  await backend.close();
}

async function brokenChain(database: TestDatabase): Promise<readonly string[]> {
  return (await examineDatabase(targetOf(database))).brokenChain;
}

async function headOf(database: TestDatabase): Promise<LogHead> {
  const snapshot = await openSnapshot(database.target);
  await snapshot.close();
  return snapshot.head;
}

async function gapsOf({ target }: TestDatabase) {
  const snapshot = await openSnapshot(target);
  const gaps: (readonly [number, number])[] = [];
  for await (const { before_id, last_id } of snapshot.rows("log_gap"))
    gaps.push([before_id, last_id]);
  await snapshot.close();
  return gaps;
}

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-chain-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describeStore("the chain of a log", (open) => {
  test("the chain hashes the previous chain value and the content hash, starting with zeros", async () => {
    const store = await open();
    await story(store);
    const events = await store.read(async (reader) => await reader.events.after(0, 100));
    let chain = Buffer.alloc(16);
    for (const event of events) {
      const hash = createHash("sha256").update(chain).update(event.content_hash, "hex");
      chain = hash.digest().subarray(0, 16);
      expect(event.chain).toBe(chain.toString("hex"));
    }
    const head = await store.read(async (reader) => await reader.events.head());
    expect(head).toMatchObject({ last_event_id: 10, chain: chain.toString("hex") });
  });

  test("the chain contains no trace of a write that is refused in the middle of a batch", async () => {
    const database = await open.database();
    const store = await database.open();
    await story(store);
    const writes = [201, 202, 203].map(
      async (number) =>
        await store.write(async (tx) => {
          await tx.append(created(WEB, uid(number)));
          if (number === 202) throw new Error("refused");
        }),
    );
    expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    await store.close();
    expect(await brokenChain(database)).toEqual([]);
  });

  test.each([
    ["an event in the middle is removed", ["delete from event where id = 8"], "event 9 "],
    [
      "the content of an event is changed together with its hash",
      [`update event set content_hash = '${"ab".repeat(32)}' where id = 8`],
      "event 8 ",
    ],
    ["the first event is removed", ["delete from event where id = 1"], "event 2 "],
    ["the end is removed", ["delete from event where id > 8"], "event 8"],
    [
      "the end is removed and its id set back",
      ["delete from event where id > 8", "update log_head set last_event_id = 8"],
      "event 8",
    ],
    [
      "the last event is replaced by another",
      [`update event set chain = '${"ab".repeat(16)}' where id = 10`],
      "event 10 ",
    ],
  ])("the chain is found broken when %s", async (_what, statements, named) => {
    const database = await filled(open);
    expect(await brokenChain(database)).toEqual([]);
    const mentions = "delete from event_mention";
    await tamper(database, mentions, ...statements);
    const [first] = await brokenChain(database);
    expect(first).toContain(named);
  });

  test("the chain is intact after purges of the first, the last, adjacent and single events", async () => {
    const database = await open.database();
    const store = await database.open();
    await story(store);
    await purge(store, ISSUES[1]);
    await purge(store, ISSUES[3]);
    await log(store, created(SHOP, uid(301)));
    await purge(store, ISSUES[2]);
    await log(store, created(SHOP, uid(302)));
    await store.close();
    expect(await gapsOf(database)).toEqual([
      [3, 6],
      [7, 10],
    ]);
    expect(await brokenChain(database)).toEqual([]);
  });

  test("the chain is intact after everything was purged, and continues", async () => {
    const database = await open.database();
    const store = await database.open();
    await story(store);
    for (const issue of ISSUES) await purge(store, issue);
    await log(store, created(SHOP, uid(301)));
    await store.close();
    expect(await brokenChain(database)).toEqual([]);
    await tamper(database, "delete from event where id = 2");
    expect(await brokenChain(database)).toEqual([
      expect.stringMatching(/^event 15 /),
      "event 2, after which events were purged, is missing",
    ]);
  });

  test("the chain gets no new epoch from a purge, not even of a whole project", async () => {
    const database = await open.database();
    const store = await database.open();
    await story(store);
    const { epoch } = await store.read(async (reader) => await reader.events.head());
    await store.write(async (tx) => {
      await tx.append({
        ...{ type: "project.removed", actor: "ann", project_uid: WEB },
        payload: { alias_count: 0, open_issues: 4, force: true },
      });
      const project = await tx.projects.find(WEB);
      if (project !== undefined) await tx.purgeProject(project, BY);
    });
    await log(store, created(SHOP, uid(301)));
    await store.close();
    expect(await gapsOf(database)).toEqual([
      [0, 1],
      [2, 11],
    ]);
    expect(await brokenChain(database)).toEqual([]);
    expect(await headOf(database)).toMatchObject({ epoch });
  });

  test("the chain is part of a whole export, and a restore continues it under another epoch", async () => {
    const database = await open.database();
    const store = await database.open();
    await story(store);
    await purge(store, ISSUES[1]);
    await purge(store, ISSUES[3]);
    await store.close();
    const folder = scratch();
    const file = join(folder, "one.jsonl");
    const text = await exportTo(targetOf(database), file);
    const { epoch, chain } = await headOf(database);
    expect(text).not.toContain(epoch);
    const other = await empty(open);
    await restoreFile(deps, { ...plain, file, target: targetOf(other) });
    const head = await headOf(other);
    expect(head).toMatchObject({ chain });
    expect(head.epoch).not.toBe(epoch);
    expect(await brokenChain(other)).toEqual([]);
    expect(await exportTo(targetOf(other), join(folder, "two.jsonl"))).toBe(text);
    const again = await other.open();
    await log(again, created(SHOP, uid(301)));
    await again.close();
    expect(await brokenChain(other)).toEqual([]);
  });

  test("the chain is not in the export of one project; a merge gives its events new chain values and keeps the epoch", async () => {
    const database = await filled(open);
    const file = join(scratch(), "web.jsonl");
    const text = await exportTo(targetOf(database), file, { project: { name: "web" } });
    expect(text).not.toContain('"chain"');
    const other = await open.database();
    const store = await other.open();
    await log(store, projectCreated(uid(9), "web"), created(uid(9), uid(901)));
    await purge(store, uid(901));
    await store.close();
    const { epoch } = await headOf(other);
    await restoreFile(deps, { ...plain, merge: true, file, target: targetOf(other) });
    expect(await headOf(other)).toMatchObject({ epoch });
    expect(await brokenChain(other)).toEqual([]);
  });

  test("the chain of a file is checked: a removed event is named although all counts and digests fit", async () => {
    const database = await filled(open);
    const file = join(scratch(), "one.jsonl");
    const text = await exportTo(targetOf(database), file);
    const without = text.split("\n").filter((line) => !line.includes('"data":{"id":7,"uid"'));
    await writeFile(file, await digestAnew(without.join("\n")));
    expect(await readFile(file, "utf8")).not.toBe(text);
    const other = await empty(open);
    const refused = restoreFile(deps, { ...plain, file, target: targetOf(other) });
    await expect(refused).rejects.toThrow(/event 8 \(\w+\) does not follow event 6/);
  });
});
