import { expect, test, vi } from "vitest";
import type * as Refold from "../../src/store/refold/refold.ts";
import { created, edited, uid } from "../store/drafts.ts";
import { expectFolded } from "../store/fold.ts";
import { admitAs, asHub, BEGIN_MS, ForeignEvents } from "../store/foreign-events.ts";
import { P } from "../store/random-events.ts";
import { sqliteDatabase } from "../support/store.ts";

/** The issues of each refold, in turn. */
const refolds = vi.hoisted(() => [] as (readonly string[])[]);

vi.mock("../../src/store/refold/refold.ts", async (original) => {
  const module = await original<typeof Refold>();
  const refoldRows: typeof module.refoldRows = async (context, uids) => {
    refolds.push(uids);
    return await module.refoldRows(context, uids);
  };
  return { ...module, refoldRows };
});

const ISSUE = uid(100);
const [EVENTS, LATE, PAGE] = [10_000, 1000, 1000];

/** How often an issue is folded does not depend on the database. */
test("a page with 1,000 late events of an issue folds this issue again only once, although it has 10,000 events", {
  timeout: 300_000,
}, async () => {
  const store = await asHub(await (await sqliteDatabase()).open());
  const made = new ForeignEvents(10_000);
  const edits = (count: number, ms: number) =>
    Array.from({ length: count }, (_, n) =>
      made.next(edited(P, ISSUE, { title: `${ms} ${n}` }), { hlc_physical_ms: BEGIN_MS + ms + n }),
    );
  const refoldsOf = async (...page: ReturnType<typeof edits>) => {
    refolds.length = 0;
    await admitAs(store, { fromHub: false }, ...page);
    return [...refolds];
  };
  const { hlc_physical_ms: head } = await store.read(async ({ events }) => await events.head());
  const ahead = head - BEGIN_MS + 1;
  await admitAs(store, { fromHub: false }, made.next(created(P, ISSUE), { hlc_physical_ms: head }));
  for (let at = 0; at < EVENTS; at += PAGE)
    expect(await refoldsOf(...edits(PAGE, ahead + at))).toEqual([]);
  expect(await refoldsOf(...edits(LATE, ahead))).toEqual([[ISSUE]]);
  for (const page of [1, 2, 3])
    expect(await refoldsOf(...edits(10, ahead + page * 100).toReversed())).toEqual([[ISSUE]]);
  await expectFolded(store);
});
