import { expect, test } from "vitest";
import { assignIssue, claimIssue, reopenIssue, unassignIssue } from "../../src/contract/actions.ts";
import { createComment } from "../../src/contract/comments.ts";
import { createIssue, editIssue } from "../../src/contract/issues.ts";
import {
  forceReleaseIssueLease,
  releaseIssueLease,
  renewIssueLease,
  takeReadyIssue,
  takeReadyIssueGlobal,
} from "../../src/contract/leases.ts";
import { removeProject, rewriteAuthorIdentity } from "../../src/contract/project-actions.ts";
import { deleteIssue, moveIssue, purgeIssue, restoreIssue } from "../../src/contract/removal.ts";
import type { Input, Output } from "../../src/contract/route.ts";
import { undoProject } from "../../src/contract/undo.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, world } from "../support/world.ts";

type Body = Partial<Input<typeof takeReadyIssue>["body"]>;
type Taken = Output<typeof takeReadyIssue>;

const LEASE = { lease: { ttl_seconds: 3600 } } as const;
const SECOND = 1000;
const DAY = 86_400 * SECOND;
const CLAIM_OR_LEASE = [
  ["claim", {}],
  ["lease", LEASE],
] as const;

/** Makes a project with two ready issues. Its functions take issues with a key. */
async function workplace(open: OpenStore) {
  const w = await world({ store: open });
  const web = await w.given.project("web");
  const [first, second] = [
    await w.given.issue({ project: web, title: "first", priority: 0 }),
    await w.given.issue({ project: web, title: "second", priority: 1 }),
  ];
  const asked = (body: Body, key: string) => ({
    params: web.path,
    headers: { "idempotency-key": key },
    body,
  });
  return {
    w,
    web,
    first,
    second,
    take: async (body: Body = {}, key = "k") => await w.call(takeReadyIssue, asked(body, key)),
    refused: async (body: Body = {}, key = "k") =>
      await w.refused(takeReadyIssue, asked(body, key)),
  };
}

type Workplace = Awaited<ReturnType<typeof workplace>>;

describeStore("repeating a take under its key", (open) => {
  test.each(CLAIM_OR_LEASE)(
    "a repeated take returns the same %s, and makes no event",
    async (_, how: Body) => {
      const { w, first, take } = await workplace(open);
      const taken = await take(how);
      expect(taken).toMatchObject({ changed: true, issue: { uid: first.uid } });
      expect(taken).not.toHaveProperty("reused");
      const before = await w.events();
      w.clock.advance(30 * 60 * SECOND);
      const again = await take(how);
      expect(again).toMatchObject({
        changed: false,
        reused: true,
        event: null,
        events: [],
        original_event: { uid: taken.event?.uid },
      });
      expect([again.issue, again.lease]).toEqual([taken.issue, taken.lease]);
      expect(await w.events()).toEqual(before);
      await expectFolded(w.store);
    },
  );

  test.each(CLAIM_OR_LEASE)(
    "a take gives a new %s under another key, and without a key",
    async (_, how) => {
      const { first, second, take, w, web } = await workplace(open);
      const third = await w.given.issue({ project: web, title: "third" });
      const uids = [(await take(how)).issue?.uid, (await take(how, "other")).issue?.uid];
      const plain = await w.call(takeReadyIssue, { params: web.path, body: how });
      expect([...uids, plain.issue?.uid]).toEqual([first.uid, second.uid, third.uid]);
    },
  );

  test("a repeated take counts as the same request although the order of labels and omitted defaults differ", async () => {
    const { take, w, web } = await workplace(open);
    await w.given.issue({ project: web, labels: ["a", "b"] });
    const taken = await take({ labels: ["a", "b"] });
    const again = await take({ labels: ["b", "a", "b"], exclude_labels: [], containers: false });
    expect(again).toMatchObject({ reused: true, issue: { uid: taken.issue?.uid } });
  });

  test.each<readonly [string, Body]>([
    ["another actor", { actor: "bea" }],
    ["labels", { labels: ["a"] }],
    ["labels to leave out", { exclude_labels: ["a"] }],
    ["containers", { containers: true }],
    ["a lease", LEASE],
  ])("a repeated take is refused when the request differs: %s", async (_, other) => {
    const { w, take, refused } = await workplace(open);
    await take();
    const before = await w.events();
    expect(await refused(other)).toMatchObject({ code: "idempotency_mismatch" });
    expect(await w.events()).toEqual(before);
  });

  test.each<readonly [string, Body]>([
    ["no lease", {}],
    ["another time", { lease: { ttl_seconds: 60 } }],
    ["another kind of client", { lease: { ...LEASE.lease, client_kind: "cli" } }],
    ["another purpose", { lease: { ...LEASE.lease, purpose: "repair" } }],
    ["another actor", { ...LEASE, actor: "bea" }],
  ])("a repeated take is refused when the kind of lease differs: %s", async (_, other) => {
    const { take, refused } = await workplace(open);
    await take(LEASE);
    const { code, data, message } = await refused(other);
    expect(code).toBe("idempotency_mismatch");
    // The refusal does not tell which issue another caller took.
    expect([data ?? {}, message.includes("#")]).toEqual([{}, false]);
  });

  test("a repeated take is refused in another project and for all projects, whichever came first", async () => {
    const { w, take } = await workplace(open);
    const shop = await w.given.project("shop");
    await w.given.issue({ project: shop });
    const headers = { "idempotency-key": "k" };
    await take();
    const there = await w.refused(takeReadyIssue, { params: shop.path, headers });
    expect(there.code).toBe("idempotency_mismatch");
    const anywhere = await w.refused(takeReadyIssueGlobal, { headers });
    expect(anywhere.code).toBe("idempotency_mismatch");
    const wide = { headers: { "idempotency-key": "wide" } };
    const taken = await w.call(takeReadyIssueGlobal, wide);
    expect(await w.call(takeReadyIssueGlobal, wide)).toMatchObject({
      reused: true,
      issue: { uid: taken.issue?.uid },
    });
    const here = await w.refused(takeReadyIssue, { params: shop.path, ...wide });
    expect(here.code).toBe("idempotency_mismatch");
  });

  test("a take stores no key if nothing was ready: its repeat searches again and stores one if it finds an issue", async () => {
    const { w, take, web } = await workplace(open);
    const wanted = { labels: ["late"] };
    expect(await take(wanted)).toEqual({ issue: null, event: null, events: [], changed: false });
    expect((await take(wanted)).issue).toBeNull();
    const late = await w.given.issue({ project: web, labels: ["late"] });
    expect(await take(wanted)).toMatchObject({ changed: true, issue: { uid: late.uid } });
    expect(await take(wanted)).toMatchObject({ reused: true, issue: { uid: late.uid } });
  });

  test("a repeated take returns the same issue for seven days, then takes the next", async () => {
    const { w, first, second, take } = await workplace(open);
    expect((await take()).issue?.uid).toBe(first.uid);
    w.clock.advance(7 * DAY - 1);
    expect((await take()).issue?.uid).toBe(first.uid);
    w.clock.advance(1);
    expect(await take()).toMatchObject({ changed: true, issue: { uid: second.uid } });
    expect(await take()).toMatchObject({ reused: true, issue: { uid: second.uid } });
    await expectFolded(w.store);
  });

  test.each(["", " ", "k".repeat(256)])(
    "a repeated take is refused under the key %j",
    async (key) => {
      const { w, refused } = await workplace(open);
      const before = await w.events();
      expect(await refused({}, key)).toMatchObject({
        code: "validation",
        data: { field: "Idempotency-Key" },
      });
      expect(await w.events()).toEqual(before);
    },
  );

  test("a take accepts a key of 255 characters", async () => {
    const { take } = await workplace(open);
    const long = "k".repeat(255);
    expect((await take({}, long)).changed).toBe(true);
    expect((await take({}, long)).reused).toBe(true);
  });

  test("repeats of a take that arrive at the same moment take one issue", async () => {
    const { w, take } = await workplace(open);
    const all = await Promise.all(Array.from({ length: 16 }, async () => await take(LEASE)));
    expect(new Set(all.map(({ lease }) => lease?.claim_uid)).size).toBe(1);
    expect(all.filter(({ changed }) => changed)).toHaveLength(1);
    const taken = (await w.events()).filter(({ type }) => type === "claim.acquired");
    expect(taken).toHaveLength(1);
  });

  test("one idempotency key can be used for a take, a create and a comment", async () => {
    const { w, take, web, first } = await workplace(open);
    const headers = { "idempotency-key": "k" };
    await take();
    const body = { title: "other", force_new: true };
    expect((await w.call(createIssue, { params: web.path, headers, body })).changed).toBe(true);
    const comment = { params: first.path, headers, body: { body: "hm" } };
    expect((await w.call(createComment, comment)).changed).toBe(true);
    expect((await take()).reused).toBe(true);
  });
});

/** What may happen to an issue between a take and its repetition. */
type StepBetween = (on: Workplace, taken: Taken) => Promise<unknown>;

const assign =
  (owner: string): StepBetween =>
  async ({ w, first }) =>
    await w.call(assignIssue, { params: first.path, body: { owner } });
const unassign: StepBetween = async ({ w, first }) =>
  await w.call(unassignIssue, { params: first.path });
const close: StepBetween = async ({ w, first }) => await w.given.closed(first);
const reopen: StepBetween = async ({ w, first }) =>
  await w.call(reopenIssue, { params: first.path });
const remove: StepBetween = async ({ w, first }) => {
  const headers = { "x-svc-confirm": `DELETE ${first.qualified_id}` };
  await w.call(deleteIssue, { params: first.path, headers });
};
const restore: StepBetween = async ({ w, first }) =>
  await w.call(restoreIssue, { params: first.path });
const archive: StepBetween = async ({ w, web }) =>
  await w.call(removeProject, { params: web.path, query: { force: true } });
const setOwner =
  (owner: string): StepBetween =>
  async ({ w, first }) =>
    await w.call(editIssue, { params: first.path, body: { owner } });
const allSteps =
  (...all: readonly StepBetween[]): StepBetween =>
  async (on, taken) => {
    for (const each of all) await each(on, taken);
  };
const wait =
  (ms: number): StepBetween =>
  async ({ w }) =>
    w.clock.advance(ms);

describeStore("the result of a repeated take", (open) => {
  const held: readonly (readonly [string, Body, StepBetween])[] = [
    [
      "claim",
      "the title of its issue was changed",
      {},
      async ({ w, first }: Workplace) =>
        await w.call(editIssue, { params: first.path, body: { title: "renamed", owner: "ann" } }),
    ],
    [
      "claim",
      "its owner claimed the issue once more",
      {},
      async ({ w, first }: Workplace) => await w.call(claimIssue, { params: first.path }),
    ],
    ["claim", "the issue was closed and opened again", {}, allSteps(close, reopen)],
    ["claim", "the issue was deleted and restored", {}, allSteps(remove, restore)],
    ["lease", "it runs out in a second", LEASE, wait(3600 * SECOND - 1)],
    ["lease", "the issue has an owner by now", LEASE, assign("bea")],
  ].map(([what, when, body, between]) => [
    `is the same ${what as string} although ${when as string}`,
    body as Body,
    between as StepBetween,
  ]);

  test.each(held)("the result %s", async (_, how, between) => {
    const on = await workplace(open);
    const taken = await on.take(how);
    await between(on, taken);
    const again = await on.take(how);
    expect(again).toMatchObject({ reused: true, changed: false, issue: { uid: on.first.uid } });
    expect(again.lease?.claim_uid).toBe(taken.lease?.claim_uid);
  });

  test("the result shows a renewed lease with the time at which it now expires", async () => {
    const { w, first, take } = await workplace(open);
    const taken = await take(LEASE);
    w.clock.advance(1800 * SECOND);
    const params = first.path;
    const renewed = await w.call(renewIssueLease, { params, body: { ttl_seconds: 3600 } });
    w.clock.advance(3000 * SECOND);
    const again = await take(LEASE);
    expect(again.lease).toEqual(renewed.lease);
    expect(again.lease).toMatchObject({ claim_uid: taken.lease?.claim_uid, fence: 1 });
  });

  test.each(CLAIM_OR_LEASE)(
    "the result shows a %s in the project where its issue is now",
    async (_, how) => {
      const { w, first, take } = await workplace(open);
      const shop = await w.given.project("shop");
      const { issue } = await take(how);
      const headers = { "if-match": `"rev-${issue?.revision}"` };
      const body = { to_project_uid: shop.uid };
      await w.call(moveIssue, { params: first.path, headers, body });
      expect(await take(how)).toMatchObject({
        reused: true,
        issue: { uid: first.uid, project_id: shop.id },
      });
    },
  );

  test.each<readonly [string, Body, StepBetween, string]>([
    ["the issue has another owner", {}, assign("bea"), "another owner"],
    ["an edit gave the issue to another owner", {}, setOwner("bea"), "another owner"],
    ["an edit removed the owner", {}, setOwner(""), "another owner"],
    ["the issue was released", {}, unassign, "another owner"],
    [
      "the issue was released and claimed again by the same actor",
      {},
      allSteps(unassign, assign("ann")),
      "another owner",
    ],
    ["the issue was closed", {}, close, "is closed"],
    ["the issue was deleted", {}, remove, "was deleted"],
    [
      "the owner's name was rewritten",
      {},
      async ({ w, web }) =>
        await w.call(rewriteAuthorIdentity, {
          params: web.path,
          body: { from: "ann", to: "anne" },
        }),
      "another owner",
    ],
    ["the lease expired", LEASE, wait(3600 * SECOND), "no longer under that lease"],
    [
      "the issue was leased again by the same actor",
      LEASE,
      async ({ w, web }) => {
        w.clock.advance(3600 * SECOND);
        await w.call(takeReadyIssue, { params: web.path, body: LEASE });
      },
      "no longer under that lease",
    ],
    [
      "the lease was released",
      LEASE,
      async ({ w, first }) => await w.call(releaseIssueLease, { params: first.path }),
      "no longer under that lease",
    ],
    [
      "the lease was taken away",
      LEASE,
      async ({ w, first }) => await w.call(forceReleaseIssueLease, { params: first.path }),
      "no longer under that lease",
    ],
    ["the issue was closed under the lease", LEASE, close, "is closed"],
    ["the issue was deleted under the lease", LEASE, remove, "was deleted"],
  ])("the result has expired when %s: the repeat is refused and takes nothing", async (...row) => {
    const [, how, between, why] = row;
    const on = await workplace(open);
    const taken = await on.take(how);
    await between(on, taken);
    const before = await on.w.events();
    const { uid, short_id, qualified_id } = on.first;
    const { code, data, message, hint } = await on.refused(how);
    expect({ code, data }).toMatchObject({
      code: "claim_expired",
      data: { uid, short_id, qualified_id },
    });
    expect(message).toContain(`${qualified_id} `);
    expect(message).toContain(why);
    expect(hint).toContain("new key");
    expect(await on.w.events()).toEqual(before);
  });

  test("the result has expired when the actor's take was undone", async () => {
    const { w, web, take, refused } = await workplace(open);
    w.clock.advance(3_600_000);
    const since = w.clock.now();
    await take();
    w.clock.advance(SECOND);
    const body = { of_actor: "ann", since, actor: "bea" };
    const plan = { params: web.path, body: { ...body, dry_run: true } };
    const { confirm } = await w.call(undoProject, plan);
    const headers = { "x-svc-confirm": confirm };
    await w.call(undoProject, { params: web.path, headers, body });
    expect((await refused()).code).toBe("claim_expired");
    await expectFolded(w.store);
  });

  test("the result in an archived project has expired for a take across all projects", async () => {
    const on = await workplace(open);
    const headers = { "idempotency-key": "k" };
    const taken = await on.w.call(takeReadyIssueGlobal, { headers });
    await archive(on, taken);
    const { code, message } = await on.w.refused(takeReadyIssueGlobal, { headers });
    expect(code).toBe("claim_expired");
    expect(message).toContain("archived");
    expect((await on.refused()).code).toBe("project_not_found");
  });

  test.each(CLAIM_OR_LEASE)(
    "the result of a purged issue is forgotten: the key of that %s takes a new issue",
    async (_, how) => {
      const { w, first, second, take } = await workplace(open);
      await take(how);
      const headers = { "x-svc-confirm": `PURGE ${first.qualified_id}` };
      await w.call(purgeIssue, { params: first.path, headers });
      await expectFolded(w.store);
      expect(await take(how)).toMatchObject({ changed: true, issue: { uid: second.uid } });
      expect(await take(how)).toMatchObject({ reused: true, issue: { uid: second.uid } });
    },
  );

  test("the result is forgotten if its issue is purged, but an earlier use of the same key is kept", async () => {
    const { w, first, second, take } = await workplace(open);
    expect((await take()).issue?.uid).toBe(first.uid);
    w.clock.advance(8 * DAY);
    expect((await take()).issue?.uid).toBe(second.uid);
    const headers = { "x-svc-confirm": `PURGE ${second.qualified_id}` };
    await w.call(purgeIssue, { params: second.path, headers });
    await expectFolded(w.store);
    const keys = await w.store.read(async (reader) => await reader.marks.findTake("k"));
    expect(keys).toMatchObject({ scope_uid: first.uid, operation: "take" });
    expect((await take()).issue).toBeNull();
  });
});
