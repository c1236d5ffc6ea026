import fc from "fast-check";
import { expect, test } from "vitest";
import { runIssueSyncOnce } from "../../../src/contract/issue-sync.ts";
import type { RemoteIssue } from "../../../src/domain/issue-sync/remote-issue.ts";
import { ProviderFault } from "../../../src/sync/provider.ts";
import { expectFolded } from "../../store/fold.ts";
import { describeStore } from "../../support/store.ts";
import { comment, parentIs } from "./host.ts";
import { syncWorld } from "./synced.ts";

const NUMBERS = 6;
const LABELS = ["bug", "ui", "soon"];

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      number: fc.integer({ min: 1, max: NUMBERS }),
      title: fc.nat(3),
      closed: fc.boolean(),
      owner: fc.option(fc.constantFrom("cat", "dan"), { nil: undefined }),
      labels: fc.uniqueArray(fc.constantFrom(...LABELS)),
      parent: fc.nat(NUMBERS),
      talks: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("reparent" as const),
      number: fc.integer({ min: 1, max: NUMBERS }),
      parent: fc.nat(NUMBERS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("run" as const), parents: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("fail" as const, "kill" as const),
      at: fc.integer({ min: 1, max: 3 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

type SyncWorld = Awaited<ReturnType<typeof syncWorld>>;

/** A parent with a smaller number, so that there is never a circle; `undefined` for none. */
function parentFor({ host }: SyncWorld, number: number, parent: number): RemoteIssue["parent"] {
  const isThere = parent > 0 && parent < number && host.issues.has(parent);
  return isThere ? parentIs(parent) : { kind: "none" };
}

function changeHost(s: SyncWorld, one: Extract<Step, { do: "change" }>): void {
  const { number, title, closed, owner, labels, talks } = one;
  const now = s.w.clock.now();
  const said = s.host.issues.get(number)?.comments ?? [];
  const created = s.host.issues.get(number)?.created_at ?? now;
  s.host.put(number, {
    title: `title ${title}`,
    body: `body ${title}`,
    state: closed ? "closed" : "open",
    closed_at: closed ? now : undefined,
    owner,
    labels,
    parent: parentFor(s, number, one.parent),
    comments: talks
      ? [...said, { ...comment(number * 1000 + said.length), created_at: now }]
      : said,
    created_at: created,
    updated_at: now,
  });
}

/** A run that ends at a batch. If it is killed, nobody says so, and its claim has to grow old. */
async function broken(s: SyncWorld, at: number, isKilled: boolean): Promise<void> {
  let batches = 0;
  s.host.before = async () => {
    if ((batches += 1) > at) throw new ProviderFault("provider_http", "the host failed", "");
  };
  await s.w.send(runIssueSyncOnce, { params: s.params, body: {} });
  s.host.before = async () => undefined;
  if (!isKilled) return;
  await s.w.store.write(async (tx) => {
    const [status] = await tx.unfolded.list("issue_sync_status", 1);
    if (status !== undefined)
      await tx.unfolded.put("issue_sync_status", { ...status, sync_started_at: tx.now });
  });
  s.w.clock.advance(30 * 60_000);
}

async function carryOut(s: SyncWorld, one: Step): Promise<void> {
  s.w.clock.advance(1000);
  switch (one.do) {
    case "change":
      return changeHost(s, one);
    case "reparent":
      if (s.host.issues.has(one.number))
        s.host.put(one.number, { parent: parentFor(s, one.number, one.parent) });
      return;
    case "run":
      return void (await s.once({ parents: one.parents }));
    case "fail":
    case "kill":
      return await broken(s, one.at, one.do === "kill");
  }
}

async function shownHere(s: SyncWorld, number: number) {
  const { issue, labels, comments: said, parent } = await s.show(number);
  return {
    title: issue.title,
    status: issue.status,
    owner: issue.owner ?? undefined,
    labels: labels.map(({ label }) => label).sort(),
    comments: said.map(({ body }) => body).sort(),
    parent: parent?.uid,
  };
}

async function shownThere(s: SyncWorld, { number, parent, ...issue }: RemoteIssue) {
  const of = parent.kind === "issue" ? Number(parent.keys[0].split(":")[1]) : undefined;
  return {
    title: `[GitHub #${number}] ${issue.title}`,
    status: issue.state,
    owner: issue.owner,
    labels: [...issue.labels].sort(),
    comments: issue.comments.map(({ body }) => body).sort(),
    parent: of === undefined ? undefined : (await s.show(of)).issue.uid,
  };
}

describeStore("issue sync with a host that changes", (open) => {
  test("has imported every issue once as soon as the host stops changing, and then writes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const s = await syncWorld(open);
        s.host.batch = 2;
        await s.enable();
        for (const one of steps) await carryOut(s, one);
        s.w.clock.advance(1000);
        await s.once({ parents: true });
        expect(await s.list()).toHaveLength(s.host.issues.size);
        for (const issue of s.host.issues.values())
          expect(await shownHere(s, issue.number)).toEqual(await shownThere(s, issue));
        const events = (await s.w.events()).length;
        expect((await s.once({ parents: true })).import).toMatchObject({ created: 0, updated: 0 });
        expect(await s.w.events()).toHaveLength(events);
        await expectFolded(s.w.store);
      }),
      { numRuns: 15 },
    );
  }, 240_000);
});
