import { expect, test } from "vitest";
import { Budget, NeedsWorker } from "../../../src/base/budget.ts";
import type { IssueFilter } from "../../../src/store/types/issues.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { describeStore, sqliteDatabase } from "../../support/store.ts";
import {
  closed,
  created,
  deleted,
  labeled,
  linksChanged,
  log,
  metadataSet,
  projectCreated,
  projectRemoved,
  uid,
} from "../drafts.ts";

const [P, Q] = [uid(1), uid(2)];
const NOW = "2026-06-15T12:00:00.000Z";

/**
 * Makes the issues 1 to 6 of one project, each updated a day after the one before it, and issue 9 of another project.
 */
async function world(open: () => Promise<Store>): Promise<Store> {
  const store = await open();
  const day = (number: number) => `2026-01-0${number}T00:00:00.000Z`;
  const born = (number: number) => ({ created_at: day(9 - number), updated_at: day(number) });
  await log(store, projectCreated(P, "web"), projectCreated(Q, "api"));
  await log(
    store,
    created(P, uid(101), { ...born(1), owner: "ann", priority: 0, labels: ["a", "b"] }),
    created(P, uid(102), { ...born(2), owner: "bea", priority: 1, labels: ["a"] }),
    created(P, uid(103), {
      ...born(3),
      priority: 4,
      labels: ["b", "c"],
      metadata: { k: "v", "notify.x": { from: "y" } },
    }),
    created(P, uid(104), {
      ...born(4),
      status: "closed",
      closed_reason: "done",
      closed_at: day(4),
      metadata: { k: "other" },
    }),
    created(P, uid(105), { ...born(5), metadata: { k: 5 } }),
    created(P, uid(106), { ...born(6) }),
    created(Q, uid(109), { ...born(9), created_at: day(9), labels: ["a"], metadata: { k: "v" } }),
    deleted(P, uid(106)),
  );
  return store;
}

function numbers(issues: readonly { readonly uid: string }[]): number[] {
  return issues.map((issue) => Number(issue.uid.slice(-3)) - 100);
}

describeStore("issue lists", (open) => {
  const cases: readonly (readonly [string, IssueFilter, readonly number[]])[] = [
    ["a project, newest change first, without deleted ones", { project_uid: P }, [5, 4, 3, 2, 1]],
    ["a limit", { project_uid: P, limit: 2 }, [5, 4]],
    ["limit 0 of rows", { project_uid: P, limit: 0 }, []],
    ["open ones", { project_uid: P, status: "open" }, [5, 3, 2, 1]],
    ["closed ones", { project_uid: P, status: "closed" }, [4]],
    ["an owner", { project_uid: P, owner: "ann" }, [1]],
    ["an owner in other letters", { project_uid: P, owner: "Ann" }, []],
    ["no owner", { project_uid: P, unowned: true }, [5, 4, 3]],
    ["a priority", { project_uid: P, priority: 0 }, [1]],
    ["at most a priority, never those without", { project_uid: P, max_priority: 1 }, [2, 1]],
    ["at most the lowest priority", { project_uid: P, max_priority: 4 }, [3, 2, 1]],
    ["a label", { project_uid: P, labels: ["a"] }, [2, 1]],
    ["two labels", { project_uid: P, labels: ["a", "b"] }, [1]],
    ["a label and not another", { project_uid: P, labels: ["a"], exclude_labels: ["b"] }, [2]],
    ["without either label", { project_uid: P, exclude_labels: ["a", "c"] }, [5, 4]],
    ["an unknown label", { project_uid: P, labels: ["zz"] }, []],
    ["a metadata key", { project_uid: P, meta: [{ key: "k" }] }, [5, 4, 3]],
    ["a metadata text", { project_uid: P, meta: [{ key: "k", value: "v" }] }, [3]],
    ["a number is not a text", { project_uid: P, meta: [{ key: "k", value: "5" }] }, []],
    ["a key with a dot", { project_uid: P, meta: [{ key: "notify.x" }] }, [3]],
    ["two keys", { project_uid: P, meta: [{ key: "k" }, { key: "notify.x" }] }, [3]],
    [
      "all filters at once",
      {
        project_uid: P,
        status: "open",
        labels: ["b"],
        max_priority: 4,
        meta: [{ key: "k", value: "v" }],
        unowned: true,
      },
      [3],
    ],
  ];

  test.each(cases)("issue lists contain only what matches: %s", async (_, filter, expected) => {
    const store = await world(open);
    expect(
      numbers(await store.read(async (reader) => await reader.issues.list(filter, "recent"))),
    ).toEqual(expected);
  });

  test("issue lists across projects are ordered newest first, and leave out archived projects", async () => {
    const store = await world(open);
    const list = async (filter: IssueFilter) =>
      numbers(await store.read(async (reader) => await reader.issues.list(filter, "created")));
    expect(await list({})).toEqual([9, 1, 2, 3, 4, 5]);
    expect(await list({ labels: ["a"] })).toEqual([9, 1, 2]);
    expect(await list({ meta: [{ key: "k", value: "v" }], limit: 1 })).toEqual([9]);
    expect(await list({ project_uid: P, status: "open", limit: 2 })).toEqual([1, 2]);
    await log(store, projectRemoved(Q));
    expect(await list({})).toEqual([1, 2, 3, 4, 5]);
    expect(await list({ labels: ["a"] })).toEqual([1, 2]);
  });

  test("issue lists order issues of the same instant by id, the last first", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      ...[1, 2, 3].map((number) => created(P, uid(100 + number))),
    );
    const both = await store.read(async (reader) => [
      await reader.issues.list({ project_uid: P }, "recent"),
      await reader.issues.list({}, "created"),
    ]);
    expect(both.map(numbers)).toEqual([
      [3, 2, 1],
      [3, 2, 1],
    ]);
  });

  test("issue lists are right for a filter that many issues match and for a filter that few issues match", async () => {
    const store = await open();
    const many = Array.from({ length: 2100 }, (_, at) =>
      created(P, uid(10_000 + at), { labels: at % 2100 < 2050 ? ["many"] : ["few"], owner: "ann" }),
    );
    await log(store, projectCreated(P, "web"), ...many);
    const list = async (filter: IssueFilter) =>
      await store.read(
        async (reader) => await reader.issues.list({ project_uid: P, ...filter }, "recent"),
      );
    expect(await list({ labels: ["many"] })).toHaveLength(2050);
    expect(await list({ labels: ["few"] })).toHaveLength(50);
    expect(await list({ labels: ["many"], owner: "ann", limit: 3 })).toHaveLength(3);
    expect((await list({ labels: ["few"], limit: 1 }))[0]?.uid).toBe(uid(12_099));
    expect((await list({ labels: ["many"], limit: 1 }))[0]?.uid).toBe(uid(12_049));
  }, 60_000);
});

describeStore("the ready list", (open) => {
  const ready = async (
    store: Store,
    filter: IssueFilter = { project_uid: P },
    containers = false,
    now: string = NOW,
  ) =>
    numbers(await store.read(async (reader) => await reader.issues.ready(filter, now, containers)));

  test("the ready list leaves out issues that are closed, deleted, blocked, parked, held, scheduled or a container", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => created(P, uid(100 + number))),
    );
    await log(
      store,
      closed(P, uid(101)),
      deleted(P, uid(102)),
      linksChanged(P, uid(103), { blocks_added_uids: [uid(104)] }),
      metadataSet(P, uid(105), { someday: { to: true } }),
      linksChanged(P, uid(106), { parent_set_uid: uid(105) }),
      metadataSet(P, uid(107), { scheduled_on: { to: "2026-06-15T12:00:01Z" } }),
      linksChanged(P, uid(109), { parent_set_uid: uid(108) }),
    );
    expect(new Set(await ready(store))).toEqual(new Set([3, 9]));
    expect(new Set(await ready(store, { project_uid: P }, true))).toEqual(new Set([3, 8, 9]));
    expect(new Set(await ready(store, {}, true))).toEqual(new Set([3, 8, 9]));
  });

  test.each([
    ["leaves out a scheduled issue a second before its instant", "2026-06-15T11:59:59.999Z", []],
    ["includes a scheduled issue at its instant", "2026-06-15T12:00:00.000Z", [1]],
  ])("the ready list %s", async (_, now, expected) => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      created(P, uid(101), { metadata: { scheduled_on: "2026-06-15T12:00" } }),
    );
    expect(await ready(store, { project_uid: P }, false, now)).toEqual(expected);
  });

  test("the ready list accepts the filters of lists, across all projects that are not archived", async () => {
    const store = await world(open);
    expect(await ready(store, {})).toEqual([9, 5, 3, 2, 1]);
    expect(await ready(store, { project_uid: P, owner: "bea" })).toEqual([2]);
    expect(await ready(store, { labels: ["a"], limit: 2 })).toEqual([9, 2]);
    await log(store, projectRemoved(Q), labeled(P, uid(101), "z"));
    expect(await ready(store, {})).toEqual([5, 3, 2, 1]);
  });
});

/**
 * So many that reading all of them would delay other requests. Half of the issues are `odd`, none is `odd` and `even`.
 */
const MANY = 4400;

test("on SQLite a list is left to the read worker if many issues match each of its filters and few match all", async () => {
  const store = await (await sqliteDatabase()).open();
  await log(store, projectCreated(P, "web"), projectCreated(Q, "api"));
  const drafts = Array.from({ length: MANY }, (_, at) => {
    return created(P, uid(1000 + at), { owner: "ann", labels: [at % 2 === 0 ? "even" : "odd"] });
  });
  await log(store, ...drafts);
  await log(store, created(Q, uid(101), { labels: ["odd", "even"] }));
  const budget = () => new Budget(3 * 1024 * 1024);
  const both = { labels: ["odd", "even"], limit: 50 };
  const read = async (filter: IssueFilter) => [
    await store.read(async ({ issues }) => await issues.list(filter, "recent"), budget()),
    await store.read(async ({ issues }) => await issues.list(filter, "created"), budget()),
    await store.read(async ({ issues }) => await issues.ready(filter, NOW, true), budget()),
  ];
  const found = async (filter: IssueFilter) => (await read(filter)).map(({ length }) => length);
  await expect(read({ ...both, project_uid: P })).rejects.toThrow(NeedsWorker);
  for (const order of ["recent", "created"] as const) {
    const list = store.read(async ({ issues }) => await issues.list(both, order), budget());
    await expect(list).rejects.toThrow(NeedsWorker);
  }
  const ready = store.read(async ({ issues }) => await issues.ready(both, NOW, true), budget());
  await expect(ready).rejects.toThrow(NeedsWorker);
  // These lists stay within the budget: the first finds enough issues early, the second has only few issues to read.
  expect(await found({ labels: ["odd"], owner: "ann", limit: 50 })).toEqual([50, 50, 50]);
  expect(await found({ ...both, project_uid: Q })).toEqual([1, 1, 1]);
  // Without a budget, all issues are read.
  const whole = await store.read(async ({ issues }) => await issues.list(both, "recent"));
  expect(whole.map((issue) => issue.uid)).toEqual([uid(101)]);
});

/** More issues than are fetched and sorted. */
const OWNED = 2001;

test.each([
  [9951, 50],
  [9952, undefined],
] as const)(
  "on SQLite a list of 50 issues by owner is left to the read worker from 9,952 newer issues of others on: %d",
  async (newer, found) => {
    const store = await (await sqliteDatabase()).open();
    const owned = Array.from({ length: OWNED }, (_, at) =>
      created(P, uid(1000 + at), { owner: "ann" }),
    );
    const others = Array.from({ length: newer }, (_, at) => created(P, uid(20_000 + at)));
    await log(store, projectCreated(P, "web"), ...owned);
    await log(store, ...others);
    const list = async (filter: IssueFilter) =>
      await store.read(
        async ({ issues }) => await issues.list({ owner: "ann", limit: 50, ...filter }, "recent"),
        new Budget(3 * 1024 * 1024),
      );
    for (const filter of [{ status: "open" }, { project_uid: P }] as const) {
      if (found === undefined) await expect(list(filter)).rejects.toThrow(NeedsWorker);
      else expect(await list(filter)).toHaveLength(found);
    }
  },
);
