import fc from "fast-check";
import { expect, test } from "vitest";
import type { EventDraft } from "../../../src/contract/events.ts";
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
import { expectFolded } from "../fold.ts";
import { chunks } from "../random-events.ts";

/** Commands refuse a circle of parents and a link to a missing issue. Events of another daemon may bring both. */
const [P, Q] = [uid(1), uid(2)];
const ISSUES = [11, 12, 13, 14, 15].map(uid);
const [A = "", B = "", C = "", , LATE = ""] = ISSUES;

const projects = [projectCreated(P, "web"), projectCreated(Q, "api")];
const creation = (issue: string) => created(issue === LATE ? Q : P, issue);
const start = [...projects, ...ISSUES.filter((issue) => issue !== LATE).map(creation)];
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
  fc
    .tuple(issue, issue)
    .map(([one, other]) =>
      linksChanged(P, one, { parent_set_uid: other, related_added_uids: [other] }),
    ),
  fc.tuple(issue, issue).map(([one, other]) => linksChanged(P, one, { parent_removed_uid: other })),
  fc
    .tuple(issue, issue)
    .map(([one, other]) => linksChanged(P, one, { blocks_added_uids: [other] })),
  fc
    .tuple(issue, issue)
    .map(([one, other]) => linksChanged(P, one, { blocks_removed_uids: [other] })),
  fc.constantFrom(projectRemoved(Q), projectRestored(Q)),
) as fc.Arbitrary<Draft>;

describeStore("links that wait", (open) => {
  test("hold no issue: in a circle with a parked issue, only the child with a link that does not wait is held", async () => {
    const store = await open();
    await log(store, ...start, below(B, A), below(C, B), below(A, C), parked(A));
    const issues = await store.read(async (reader) => await reader.issues.many([A, B, C]));
    expect([A, B, C].map((one) => issues.get(one)?.held)).toEqual([0, 1, 0]);
    await expectFolded(store);
  });

  test("are deleted when their issue is purged, and no later event brings them back", async () => {
    const store = await open();
    await log(store, ...start, below(B, A), below(C, B), below(A, C));
    await store.write(async (tx) => {
      const issue = await tx.issues.find(A);
      if (issue !== undefined) await tx.purgeIssue(issue, { actor: "ann", reason: null });
    });
    await log(store, linksChanged(P, C, { blocks_added_uids: [A] }), below(B, A));
    const snapshot = await store.openSnapshot();
    expect(await snapshot.count(["link"])).toBe(1);
    expect(await snapshot.count(["waiting_link"])).toBe(0);
    await snapshot.close();
    const refolded = await store.write(async (tx) => await tx.refold([B, C]));
    expect(refolded).toBe(0);
  });

  test("wait or are shown exactly as the fold of the log says, after any changes", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(draft, { minLength: 5, maxLength: 25 }),
        fc.integer({ min: 0, max: 25 }),
        fc.integer({ min: 1, max: 6 }),
        async (drafts, late, size) => {
          const store = await open();
          await log(store, ...start, below(B, A), below(C, B), below(A, C), below(LATE, C));
          for (const some of chunks(drafts.toSpliced(late, 0, creation(LATE)), size))
            await log(store, ...some);
          await expectFolded(store);
          const refolded = await store.write(async (tx) => await tx.refold(ISSUES));
          await store.close();
          expect(refolded).toBe(0);
        },
      ),
      { numRuns: open.dialect === "sqlite" ? 80 : 10 },
    );
  });
});
