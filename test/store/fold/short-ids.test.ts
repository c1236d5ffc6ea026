import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { examineDatabase } from "../../../src/archive/doctor.ts";
import { restoreFile } from "../../../src/archive/restore.ts";
import type { EventDraft } from "../../../src/contract/events.ts";
import type { AdminStore } from "../../../src/store/admin-store.ts";
import { openBackend, openStore } from "../../../src/store/open.ts";
import { PostgresConnection } from "../../../src/store/postgres/connection.ts";
import { SqliteConnection } from "../../../src/store/sqlite/connection.ts";
import type { Tx } from "../../../src/store/types/store.ts";
import { deps, exportTo, plain, scratch } from "../../archive/targets.ts";
import { describeStore, type OpenTestStore, type TestDatabase } from "../../support/store.ts";
import { world } from "../../support/world.ts";
import { created, log, projectCreated, uid } from "../drafts.ts";

/** Events from elsewhere may call an issue by a short id that another issue of the project has here. */

const [P, Q] = [uid(1), uid(2)];
const issueUid = (end: string): string => `01J0000000000${end}`;
/** Three uids that end in the same four characters. The first and the second end in the same twelve. */
const A = issueUid("00000000ABCDE");
const B = issueUid("10000000ABCDE");
const C = issueUid("00000000ZBCDE");
const SHORT = "bcde";

function fromElsewhere(
  project: string,
  issue: string,
  short_id: string = SHORT,
): EventDraft<"issue.created"> {
  return created(project, issue, { short_id });
}

type Place = readonly [project: string, shortId: string];

function moved(issue: string, from: Place, to: Place): EventDraft<"issue.moved"> {
  return {
    type: "issue.moved",
    actor: "ann",
    project_uid: to[0],
    issue_uid: issue,
    payload: {
      from_project_uid: from[0],
      from_short_id: from[1],
      to_project_uid: to[0],
      to_short_id: to[1],
      updated_at: "2026-01-01T00:00:00.000Z",
    },
  };
}

function merged(source: string, target: string): EventDraft<"project.merged"> {
  const payload = { source_uid: source, source_name: "api", short_id_extensions: [] };
  return { type: "project.merged", actor: "ann", project_uid: target, payload };
}

describeStore("an event that names a short id of another issue", (open) => {
  const WAYS: readonly (readonly [string, (tx: Tx, drafts: Created) => Promise<unknown>])[] = [
    ["one by one", async (tx, drafts) => await oneByOne(tx, drafts)],
    ["together", async (tx, drafts) => await tx.appendAll(drafts)],
    ["together as new issues", async (tx, drafts) => await tx.appendNewIssues(drafts)],
  ];

  test.each(WAYS)(
    "gives its issue the next longer short id, if events are appended %s",
    async (_, append) => {
      const { store, database } = await twoProjects(open);
      const drafts = [A, B, C].map((issue) => fromElsewhere(P, issue));
      await store.write(async (tx) => await append(tx, drafts));
      expect(await shortIds(store)).toEqual({ [A]: SHORT, [B]: "abcde", [C]: "zbcde" });
      await expectSettled(store, database);
    },
  );

  test("does not take a longer short id that another issue already has", async () => {
    const { store, database } = await twoProjects(open);
    await log(store, fromElsewhere(P, A, "abcde"), fromElsewhere(P, C), fromElsewhere(P, B));
    expect(await shortIds(store)).toEqual({ [A]: "abcde", [C]: SHORT, [B]: "0abcde" });
    await expectSettled(store, database);
  });

  test("never gives its issue the whole uid of another issue as short id", async () => {
    const { store, database } = await twoProjects(open);
    const whole = B.toLowerCase();
    await log(store, fromElsewhere(P, A, whole), fromElsewhere(P, B, whole));
    expect(await shortIds(store)).toEqual({ [A]: A.toLowerCase(), [B]: whole });
    await expectSettled(store, database);
  });

  test("gives its issue no short id that a moved or purged issue has had", async () => {
    const { store, database } = await twoProjects(open);
    await log(store, fromElsewhere(P, A), fromElsewhere(P, B));
    await log(store, moved(A, [P, SHORT], [Q, SHORT]));
    await purge(store, B);
    const D = issueUid("20000000ABCDE");
    await log(store, fromElsewhere(P, D), fromElsewhere(P, C));
    expect(await shortIds(store)).toEqual({ [A]: SHORT, [D]: "0abcde", [C]: "zbcde" });
    await expectSettled(store, database);
  });

  test("changes no short id of the other issue, and a purge of the other issue changes no short id either", async () => {
    const { store, database } = await twoProjects(open);
    await log(store, fromElsewhere(P, A));
    await log(store, fromElsewhere(P, B));
    await purge(store, A);
    expect(await shortIds(store)).toEqual({ [B]: "abcde" });
    await log(store, fromElsewhere(P, C));
    expect(await shortIds(store)).toEqual({ [B]: "abcde", [C]: "zbcde" });
    await expectSettled(store, database);
  });

  test("does not change the short id of an issue that is created again with another short id", async () => {
    const { store, database } = await twoProjects(open);
    await log(store, fromElsewhere(P, A), fromElsewhere(P, B));
    await store.write(
      async (tx) => await tx.appendAll([fromElsewhere(P, B), fromElsewhere(P, A, "abcde")]),
    );
    expect(await shortIds(store)).toEqual({ [A]: SHORT, [B]: "abcde" });
    await expectSettled(store, database);
  });

  test("gives an issue that moves to the project the next longer short id, and reserves its former one", async () => {
    const { store, database } = await twoProjects(open);
    await log(store, fromElsewhere(P, A), fromElsewhere(P, B), fromElsewhere(Q, C));
    await log(store, moved(B, [P, SHORT], [Q, SHORT]));
    expect(await shortIds(store)).toEqual({ [A]: SHORT, [B]: "abcde", [C]: SHORT });
    expect(await formers(store, P)).toEqual({ [SHORT]: undefined, abcde: B });
    await log(store, moved(B, [Q, SHORT], [P, SHORT]));
    expect(await shortIds(store)).toEqual({ [A]: SHORT, [B]: "abcde", [C]: SHORT });
    expect(await formers(store, P)).toEqual({ [SHORT]: undefined, abcde: undefined });
    expect(await formers(store, Q)).toEqual({ [SHORT]: undefined, abcde: B });
    await expectSettled(store, database);
  });

  test("gives the issues of a merged project the next longer short ids", async () => {
    const { store, database } = await twoProjects(open);
    await log(store, fromElsewhere(P, A), fromElsewhere(Q, C), fromElsewhere(Q, B));
    expect(await shortIds(store)).toEqual({ [A]: SHORT, [C]: SHORT, [B]: "abcde" });
    await log(store, merged(Q, P));
    expect(await shortIds(store)).toEqual({ [A]: SHORT, [C]: "zbcde", [B]: "abcde" });
    await expectSettled(store, database);
  });
});

describeStore("a short id that a write has found to be free", (open) => {
  test("is not looked up again when an issue gets this short id", async () => {
    const w = await world({ store: open });
    await w.given.issue({ title: "first" });
    const looks = lookUps();
    await w.given.issue({ title: "second" });
    expect(looks()).toBe(1);
  });

  test("is looked up again once another issue has got it", async () => {
    const { store, database } = await twoProjects(open);
    await store.write(async (tx) => {
      expect(await tx.issues.shortIdTaken(P, SHORT)).toBe(false);
      await tx.append(fromElsewhere(P, A));
      await tx.append(fromElsewhere(P, B));
    });
    expect(await shortIds(store)).toEqual({ [A]: SHORT, [B]: "abcde" });
    await expectSettled(store, database);
  });

  test("is looked up again for an issue other than the one that may have this short id", async () => {
    const { store } = await twoProjects(open);
    await log(store, fromElsewhere(P, A), moved(A, [P, SHORT], [Q, SHORT]));
    await store.write(async (tx) => {
      expect(await tx.issues.shortIdTaken(P, SHORT, A)).toBe(false);
      await tx.append(fromElsewhere(P, B));
    });
    expect(await shortIds(store)).toEqual({ [A]: SHORT, [B]: "abcde" });
  });

  test("is looked up again after a merge of projects, which may bring used short ids along", async () => {
    const { store } = await twoProjects(open);
    await log(store, fromElsewhere(Q, A));
    await purge(store, A);
    await store.write(async (tx) => {
      expect(await tx.issues.takenShortIds([P], [SHORT])).toEqual(new Set());
      await tx.append(merged(Q, P));
      await tx.append(fromElsewhere(P, B));
    });
    expect(await shortIds(store)).toEqual({ [B]: "abcde" });
  });
});

describeStore("two issues that were created with one short id", (open) => {
  test.each([A, B])(
    "get their own short ids back if their rows were exchanged and %s is folded again",
    async (one) => {
      const { store, database } = await twoProjects(open);
      await log(store, fromElsewhere(P, A), fromElsewhere(P, B));
      const before = await shortIds(store);
      await tamper(database, [
        "update issue set short_id = lower(uid)",
        `update issue set short_id = '${SHORT}' where uid = '${B}'`,
        `update issue set short_id = 'abcde' where uid = '${A}'`,
      ]);
      expect((await examined(database)).fold).toMatchObject({ column: "short_id" });
      await store.write(async (tx) => await tx.refold([one]));
      expect(await shortIds(store)).toEqual(before);
      await expectSettled(store, database);
    },
  );

  test("have the same short ids after an export and a restore, also if the first issue was purged", async () => {
    const { store, database } = await twoProjects(open);
    await log(store, fromElsewhere(P, A), fromElsewhere(P, B), fromElsewhere(P, C));
    await log(store, moved(B, [P, SHORT], [Q, SHORT]));
    await purge(store, A);
    const folder = await scratch();
    const file = join(folder, "one.jsonl");
    const first = await exportTo({ dialect: open.dialect, ...database.target }, file);
    expect(first).toContain(`"assigned_ids":{"${B}":{"${P}":"abcde"}}`);
    const target = { dialect: open.dialect, ...database.empty };
    await restoreFile(deps, { ...plain, file, target });
    expect(await exportTo(target, join(folder, "two.jsonl"))).toBe(first);
    const again = await openedAt(target);
    expect(await shortIds(again)).toEqual({ [B]: SHORT, [C]: "zbcde" });
    expect(await formers(again, P)).toMatchObject({ abcde: B });
  });
});

const ENDS = ["00ABCDE", "10ABCDE", "20ABCDE", "00ZBCDE", "0012345", "0112345"] as const;
const UIDS = ENDS.map((end) => issueUid(`000000${end}`));
const issueAt = fc.nat({ max: UIDS.length - 1 });
const length = fc.constantFrom(4, 5, 6);
const arrival = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("create" as const), issueAt, length }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("move" as const), issueAt, length }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("purge" as const), issueAt }) },
);

describeStore("random short ids in arriving events", (open) => {
  test("the short ids of a project stay distinct, do not change when other issues arrive, and follow from the log", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arrival, { minLength: 4, maxLength: 12 }), async (arrivals) => {
        const { store, database } = await twoProjects(open);
        for (const [at, one] of arrivals.entries()) {
          const before = await shortIds(store);
          const issue = UIDS[one.issueAt] ?? "";
          await arrive(store, one, issue, at);
          const { [issue]: _, ...others } = before;
          expect(await shortIds(store)).toMatchObject(others);
        }
        await log(store, merged(Q, P));
        await expectDifferent(database);
        await expectSettled(store, database);
      }),
      { numRuns: open.dialect === "sqlite" ? 20 : 4, examples: [[SPENT_IN_MERGED]] },
    );
  });
});

/** After the merge an issue needs a longer short id, which its own project has already used. */
const SPENT_IN_MERGED: Arrival[] = [
  { do: "create", issueAt: 0, length: 4 },
  { do: "create", issueAt: 1, length: 4 },
  { do: "create", issueAt: 0, length: 4 },
  { do: "move", issueAt: 0, length: 4 },
  { do: "purge", issueAt: 0 },
  { do: "move", issueAt: 0, length: 4 },
];

type Arrival = typeof arrival extends fc.Arbitrary<infer T> ? T : never;

async function arrive(store: AdminStore, one: Arrival, issue: string, at: number): Promise<void> {
  if (one.do === "purge") return await purge(store, issue);
  const known = await store.read(async ({ issues }) => await issues.find(issue));
  const wanted = issue.slice(-one.length).toLowerCase();
  const here = known?.project_uid ?? P;
  const there = here === P ? Q : P;
  const draft =
    one.do === "create"
      ? fromElsewhere(at % 2 === 0 ? P : Q, issue, wanted)
      : moved(issue, [here, wanted], [there, wanted]);
  await store.write(async (tx) => await (at % 3 === 0 ? tx.appendAll([draft]) : tx.append(draft)));
}

/** Counts the statements from now on that look whether a short id is free. */
function lookUps(): () => number {
  const spies = [SqliteConnection, PostgresConnection].map(({ prototype }) =>
    vi.spyOn(prototype, "execute"),
  );
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  return () =>
    spies.flatMap(({ mock }) => mock.calls).filter(([text]) => text.includes("spent_id")).length;
}

type Created = readonly EventDraft<"issue.created">[];

async function oneByOne(tx: Tx, drafts: readonly EventDraft[]): Promise<void> {
  for (const draft of drafts) await tx.append(draft);
}

async function twoProjects(open: OpenTestStore) {
  const database = await open.database();
  const store = await database.open();
  await log(store, projectCreated(P, "web"), projectCreated(Q, "api"));
  return { store, database };
}

async function openedAt(target: TestDatabase["target"]): Promise<AdminStore> {
  const store = await openStore({ ...deps, ...target });
  onTestFinished(async () => await store.close());
  return store;
}

async function purge(store: AdminStore, issue: string): Promise<void> {
  await store.write(async (tx) => {
    const found = await tx.issues.find(issue);
    if (found !== undefined) await tx.purgeIssue(found, { actor: "ann", reason: null });
  });
}

/** The short ids of all issues, by uid. */
async function shortIds(store: AdminStore): Promise<Readonly<Record<string, string>>> {
  return await store.read(async ({ issues }) => {
    const found = [
      ...(await issues.list({ project_uid: P }, "recent")),
      ...(await issues.list({ project_uid: Q }, "recent")),
    ];
    return Object.fromEntries(found.map(({ uid: issue, short_id }) => [issue, short_id]));
  });
}

/** The issues that had these short ids before they moved. */
async function formers(store: AdminStore, project: string) {
  return await store.read(async ({ issues }) => ({
    [SHORT]: (await issues.findByFormerId(project, SHORT))?.uid,
    abcde: (await issues.findByFormerId(project, "abcde"))?.uid,
  }));
}

/** Doctor finds no fault, and a refold of any issue, or of all, changes nothing. */
async function expectSettled(store: AdminStore, database: TestDatabase): Promise<void> {
  const report = await examined(database);
  expect(report).not.toHaveProperty("fold");
  expect(report).not.toHaveProperty("derived");
  expect(report).toMatchObject({ integrity: [], changedEvents: [], brokenChain: [] });
  const uids = Object.keys(await shortIds(store));
  await store.write(async (tx) => {
    for (const one of uids) expect(await tx.refold([one])).toBe(0);
    expect(await tx.refold(uids)).toBe(0);
  });
}

async function examined({ dialect, target }: TestDatabase) {
  return await examineDatabase({ dialect, ...target });
}

async function expectDifferent({ target }: TestDatabase): Promise<void> {
  const all = "select project_uid, short_id, uid as issue_uid from issue";
  const former = "select project_uid, short_id, issue_uid from former";
  const spent = "select project_uid, short_id, '' as issue_uid from spent_id";
  const [twice] = await query(
    target,
    `select project_uid, short_id from (${all} union ${former} union ${spent}) as given
     group by project_uid, short_id having count(*) > 1`,
  );
  expect(twice).toBeUndefined();
}

async function tamper({ target }: TestDatabase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await query(target, statement);
}

async function query(target: TestDatabase["target"], text: string): Promise<readonly unknown[]> {
  const backend = await openBackend({ ...deps, ...target, served: true });
  try {
    return (await (await backend.writer()).execute(text, [])).rows;
  } finally {
    await backend.close();
  }
}
