import fc from "fast-check";
import { expect, test } from "vitest";
import type { EventDraft } from "../../../src/contract/events.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { describeStore } from "../../support/store.ts";
import {
  closed,
  created,
  linksChanged,
  log,
  metadataSet,
  projectCreated,
  projectRemoved,
  projectRestored,
  reopened,
  uid,
} from "../drafts.ts";
import { bothSides, expectFolded } from "../fold.ts";

/** Commands refuse a circle of parents. The log of another program or daemon may have one. */
const [P, Q] = [uid(1), uid(2)];
const ISSUES = [11, 12, 13, 14, 15].map(uid);
const [A = "", B = "", C = ""] = ISSUES;

const start = [
  projectCreated(P, "web"),
  projectCreated(Q, "api"),
  ...ISSUES.map((issue, at) => created(at === 4 ? Q : P, issue)),
];
const parked = (issue: string) => metadataSet(P, issue, { someday: { to: true } });
const unparked = (issue: string) => metadataSet(P, issue, { someday: { from: true } });
const below = (child: string, parent: string) => linksChanged(P, child, { parent_set_uid: parent });

type Draft = EventDraft;
const issue = fc.constantFrom(...ISSUES);
const draft: fc.Arbitrary<Draft> = fc.oneof(
  issue.map(parked),
  issue.map(unparked),
  issue.map((one) => closed(P, one)),
  issue.map((one) => reopened(P, one)),
  fc.tuple(issue, issue).map(([one, other]) => below(one, other)),
  fc.tuple(issue, issue).map(([one, other]) => linksChanged(P, one, { parent_removed_uid: other })),
  fc
    .tuple(issue, issue)
    .map(([one, other]) => linksChanged(P, one, { blocks_added_uids: [other] })),
  fc
    .tuple(issue, issue)
    .map(([one, other]) => linksChanged(P, one, { blocks_removed_uids: [other] })),
  fc.constantFrom(projectRemoved(Q), projectRestored(Q)),
) as fc.Arbitrary<Draft>;

describeStore("issues that are parents of each other in a circle", (open) => {
  const held = async (store: Store) =>
    await store.read(async ({ issues }) => {
      const found = await issues.many([A, B, C]);
      return [A, B, C].map((one) => found.get(one)?.held);
    });

  test("are all held while one of them is parked, and none after it is unparked", async () => {
    const store = await open();
    await log(store, ...start, below(B, A), below(C, B), below(A, C), parked(A));
    expect(await held(store)).toEqual([1, 1, 1]);
    await expectFolded(store);
    await log(store, unparked(A));
    expect(await held(store)).toEqual([0, 0, 0]);
    await expectFolded(store);
  });

  test("stay held while another of them is parked or blocked", async () => {
    const store = await open();
    const [, , , D = ""] = ISSUES;
    await log(store, ...start, below(B, A), below(C, B), below(A, C), parked(A), parked(B));
    await log(store, linksChanged(P, D, { blocks_added_uids: [C] }));
    await log(store, unparked(A), unparked(B));
    expect(await held(store)).toEqual([1, 1, 1]);
    await log(store, closed(P, D));
    expect(await held(store)).toEqual([0, 0, 0]);
    await expectFolded(store);
  });

  test("after any changes are held exactly as the domain rules say", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(draft, { minLength: 5, maxLength: 25 }), async (drafts) => {
        const store = await open();
        await log(store, ...start, below(B, A), below(C, B), below(A, C));
        for (const each of drafts) await log(store, each);
        const { stored, folded } = await bothSides(store);
        await store.close();
        expect(stored).toEqual(folded);
      }),
      { numRuns: open.dialect === "sqlite" ? 80 : 10 },
    );
  });
});
