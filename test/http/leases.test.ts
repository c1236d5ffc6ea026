import { expect, test } from "vitest";
import { systemIds } from "../../src/base/ids.ts";
import { assignIssue, closeIssue } from "../../src/contract/actions.ts";
import { createComment } from "../../src/contract/comments.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { editIssue, listIssues, showIssue } from "../../src/contract/issues.ts";
import { addLabel } from "../../src/contract/labels.ts";
import {
  acquireIssueLease,
  forceReleaseIssueLease,
  getIssueLeaseStatus,
  releaseIssueLease,
  renewIssueLease,
} from "../../src/contract/leases.ts";
import type { Input, Route } from "../../src/contract/route.ts";
import { sweepLeases } from "../../src/ops/leases/sweep.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type Path = Input<typeof showIssue>["params"];
const TIMED = { claim_kind: "timed", ttl_seconds: 60 } as const;
const MINUTE = 60_000;

async function acquire(w: World, params: Path, body: object = {}) {
  return await w.call(acquireIssueLease, { params, body });
}

/** Returns the header for a change with this fence. */
function fenced(fence: number): object {
  return { headers: { "x-svc-fence": String(fence) } };
}

const kindsOf = async (w: World) =>
  (await w.events()).map(({ type }) => type).filter((type) => type.startsWith("claim."));

describeStore("leases", (open) => {
  test("a free issue is leased with fence one, and the event is logged", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const body = { ...TIMED, client_kind: "cli", purpose: "repair" };
    const granted = await acquire(w, issue.path, body);
    const holder = {
      holder: "ann",
      holder_instance_uid: w.store.instanceUid,
      client_kind: "cli",
    };
    expect(granted).toMatchObject({
      granted: true,
      holder,
      lease: {
        ...holder,
        project_id: issue.path.project_id,
        issue_uid: issue.uid,
        claim_kind: "timed",
        purpose: "repair",
        fence: 1,
        acquired_at: "2026-01-01T00:00:00.000Z",
        expires_at: "2026-01-01T00:01:00.000Z",
        revision: 1,
      },
      event: { type: "claim.acquired", actor: "ann", issue_uid: issue.uid },
    });
    expect(await w.call(getIssueLeaseStatus, { params: issue.path })).toMatchObject({
      held: true,
      holder,
      lease: { fence: 1 },
      hub_now: "2026-01-01T00:00:00.000Z",
    });
  });

  test("an issue that was never leased is free", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const status = await w.call(getIssueLeaseStatus, { params });
    expect(status).toEqual({ held: false, hub_now: "2026-01-01T00:00:00.000Z" });
  });

  test("a second request of the holder changes nothing, and another actor is told who holds the issue", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    await acquire(w, params, { client_kind: "cli" });
    const again = await acquire(w, params, { client_kind: "cli" });
    expect(again).toMatchObject({ granted: true, lease: { fence: 1, revision: 1 } });
    expect(again.event).toBeUndefined();
    for (const other of [{ actor: "bea" }, { client_kind: "mcp" }, { holder: "bea" }]) {
      const denied = await acquire(w, params, other);
      expect(denied).toMatchObject({ granted: false, holder: { holder: "ann" } });
    }
    expect(await kindsOf(w)).toEqual(["claim.acquired"]);
  });

  test("each lease of an issue has the next fence, however the previous one ended", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    await acquire(w, params);
    const released = await w.call(releaseIssueLease, { params, body: { reason: "done" } });
    expect(released).toMatchObject({
      granted: false,
      lease: { release_reason: "done", released_at: "2026-01-01T00:00:00.000Z" },
      event: { type: "claim.released" },
    });
    expect((await acquire(w, params, { actor: "bea" })).lease?.fence).toBe(2);
    const forced = await w.call(forceReleaseIssueLease, { params, body: { actor: "" } });
    expect(forced).toMatchObject({
      lease: { holder: "bea", release_reason: "admin_force_release" },
      event: { type: "claim.force_released", actor: "admin" },
    });
    expect((await acquire(w, params, TIMED)).lease?.fence).toBe(3);
    w.clock.advance(MINUTE);
    expect((await acquire(w, params, { actor: "bea" })).lease?.fence).toBe(4);
    expect(await kindsOf(w)).toEqual([
      "claim.acquired",
      "claim.released",
      "claim.acquired",
      "claim.force_released",
      "claim.acquired",
      "claim.expired",
      "claim.acquired",
    ]);
  });

  test.each([
    [0, true],
    [MINUTE - 1, true],
    [MINUTE, false],
    [MINUTE + 1, false],
  ])("a lease of one minute is still held after %d ms: %s", async (ms, held) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    await acquire(w, params, TIMED);
    w.clock.advance(ms);
    const status = await w.call(getIssueLeaseStatus, { params });
    expect(status.held).toBe(held);
    expect(await kindsOf(w)).toEqual(
      held ? ["claim.acquired"] : ["claim.acquired", "claim.expired"],
    );
  });

  test("a renewal counts from the present time, and is refused to others and after the lease has expired", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    await acquire(w, params, TIMED);
    w.clock.advance(MINUTE - 1);
    const renewed = await w.call(renewIssueLease, { params, body: { ttl_seconds: 120 } });
    expect(renewed.lease).toMatchObject({
      expires_at: "2026-01-01T00:02:59.999Z",
      fence: 1,
      revision: 2,
    });
    expect(renewed.event).toBeUndefined();
    const bea = { actor: "bea", ttl_seconds: 60 };
    expect(await w.refused(renewIssueLease, { params, body: bea })).toMatchObject({
      code: "claim_not_held",
      data: { holder: { holder: "ann" } },
    });
    expect(await w.refused(renewIssueLease, { params })).toMatchObject({ code: "validation" });
    w.clock.advance(2 * MINUTE);
    const late = { params, body: { ttl_seconds: 60 } };
    expect(await w.refused(renewIssueLease, late)).toMatchObject({ code: "claim_expired" });
    expect(await w.refused(renewIssueLease, late)).toMatchObject({ code: "claim_expired" });
    expect(await w.refused(renewIssueLease, { params, body: bea })).toMatchObject({
      code: "claim_not_held",
    });
  });

  test("a hard lease never expires and cannot be renewed", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    await acquire(w, params);
    w.clock.advance(400 * 86_400_000);
    expect((await w.call(getIssueLeaseStatus, { params })).held).toBe(true);
    expect(await w.refused(renewIssueLease, { params, body: { ttl_seconds: 60 } })).toMatchObject({
      code: "validation",
    });
  });

  test.each<[string, object, boolean]>([
    ["a timed lease of 59 seconds", { claim_kind: "timed", ttl_seconds: 59 }, false],
    ["a timed lease of 60 seconds", { claim_kind: "timed", ttl_seconds: 60 }, true],
    ["a timed lease of 24 hours", { claim_kind: "timed", ttl_seconds: 86_400 }, true],
    ["a timed lease of more than 24 hours", { claim_kind: "timed", ttl_seconds: 86_401 }, false],
    ["a timed lease without a time", { claim_kind: "timed" }, false],
    ["a lease without an end, with a time", { ttl_seconds: 60 }, false],
    ["a lease without an end, with an unknown field", { from_the_future: 1 }, true],
  ])("a lease is granted or refused for its terms: %s", async (_, body, fine) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const response = await w.send(acquireIssueLease, { params, body });
    expect(response.status).toBe(fine ? 200 : 400);
    expect(await kindsOf(w)).toHaveLength(fine ? 1 : 0);
  });

  test.each<[string, Route]>([
    ["release", releaseIssueLease],
    ["force release", forceReleaseIssueLease],
    ["renewal", renewIssueLease],
  ])("a %s is refused if nobody holds a lease", async (_, route) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    expect(await w.refused(route, { params, body: { ttl_seconds: 60 } })).toMatchObject({
      code: "claim_not_held",
    });
    expect(await kindsOf(w)).toEqual([]);
  });

  test("only the holder can release a lease", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    await acquire(w, params);
    expect(await w.refused(releaseIssueLease, { params, body: { actor: "bea" } })).toMatchObject({
      code: "claim_not_held",
    });
    expect((await w.call(getIssueLeaseStatus, { params })).held).toBe(true);
  });

  test("while another actor holds the lease, only comments can be written", async () => {
    const w = await world({ store: open });
    const { path: params, uid } = await w.given.issue();
    await acquire(w, params);
    const before = (await w.events()).length;
    const denied = { code: "claim_denied", data: { holder: { holder: "ann" } } };
    const bea = { actor: "bea" };
    const tries: readonly [Route, object][] = [
      [editIssue, { title: "x", ...bea }],
      [addLabel, { label: "x", ...bea }],
      [assignIssue, { owner: "bea", ...bea }],
      [closeIssue, { source: "tui", ...bea }],
      [closeIssue, { source: "tui", dry_run: true, ...bea }],
      [closeIssue, { reason: "done", message: "no evidence", ...bea }],
    ];
    for (const [route, body] of tries)
      expect(await w.refused(route, { params, body })).toMatchObject(denied);
    expect(await w.events()).toHaveLength(before);
    await w.call(createComment, { params, body: { body: "hello", ...bea } });
    await w.call(editIssue, { params, body: { title: "by its holder" } });
    const shown = await w.call(showIssue, { params });
    expect(shown.issue).toMatchObject({ uid, title: "by its holder" });
    expect(shown.comments).toHaveLength(1);
  });

  test("an import makes no link to an issue that another actor has leased, and says why", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const item = (external_id: string, links: readonly object[] = []) => ({
      external_id,
      title: external_id,
      author: "ann",
      status: "open",
      created_at: "2025-01-01T00:00:00Z",
      updated_at: "2025-01-01T00:00:00Z",
      links,
    });
    const send = async (items: readonly object[]) => {
      const body = { source: "s", items, actor: "bea" } as object;
      return await w.call(importIssues, { params: { project_id: project.id }, body });
    };
    await send([item("1"), item("2")]);
    const { issues } = await w.call(listIssues, { params: { project_id: project.id } });
    for (const { uid } of issues) await acquire(w, { project_id: project.id, ref: uid });
    const again = await send([item("1", [{ type: "blocks", target_external_id: "2" }])]);
    expect(again).toMatchObject({
      links: 0,
      items: [{ external_id: "1", status: "unchanged", reason: "somebody else holds its lease" }],
    });
    expect(await w.eventKinds()).toEqual(["issue.created", "issue.created"]);
  });

  test.each([
    ["bea", "somebody else holds its lease"],
    ["ann", "the lease that the importer had on it has expired"],
  ])("an import by %s does not change a leased issue: %s", async (actor, reason) => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const params = { project_id: project.id };
    const send = async (updated_at: string) => {
      const created_at = "2025-01-01T00:00:00Z";
      const item = (external_id: string) => ({
        ...{ external_id, title: updated_at, author: "ann", status: "open" },
        ...{ created_at, updated_at },
      });
      const body = { source: "s", items: [item("1"), item("2")], actor } as never;
      return await w.call(importIssues, { params, body });
    };
    await send("2025-01-01T00:00:00Z");
    const { issues } = await w.call(listIssues, { params });
    await acquire(w, { ...params, ref: issues[0]?.uid ?? "" }, TIMED);
    if (actor === "ann") w.clock.advance(MINUTE);
    const again = await send("2027-01-01T00:00:00Z");
    expect(again.items.flatMap((item) => item.reason ?? [])).toEqual([reason]);
    expect(again).toMatchObject({ updated: 1, unchanged: 1 });
  });

  test("until an expired lease is cleared, its former holder cannot write, but everybody else can", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    await acquire(w, params, TIMED);
    w.clock.advance(MINUTE);
    expect(await w.refused(editIssue, { params, body: { title: "late" } })).toMatchObject({
      code: "claim_expired",
    });
    await w.call(editIssue, { params, body: { title: "bea's", actor: "bea" } });
    expect(await sweepLeases(w)).toBe(1);
    await w.call(editIssue, { params, body: { title: "ann's" } });
  });

  test("a worker who lost the lease changes nothing under its fence, even if a new holder has the same name", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const first = (await acquire(w, params, TIMED)).lease?.fence ?? 0;
    await w.call(editIssue, { params, body: { title: "in time" }, ...fenced(first) });
    w.clock.advance(MINUTE);
    const late = { params, body: { title: "late" }, ...fenced(first) };
    expect(await w.refused(editIssue, late)).toMatchObject({ code: "claim_expired" });
    await sweepLeases(w);
    expect(await w.refused(editIssue, late)).toMatchObject({ code: "claim_expired" });
    // Another process with the same name acquires a new lease.
    const second = (await acquire(w, params, TIMED)).lease?.fence ?? 0;
    expect(await w.refused(editIssue, late)).toMatchObject({
      code: "fence_stale",
      data: { fence: first, current: second },
    });
    const comment = { params, body: { body: "still there?" } };
    expect(await w.refused(createComment, { ...comment, ...fenced(first) })).toMatchObject({
      code: "fence_stale",
    });
    await w.call(createComment, comment);
    await w.call(editIssue, { params, body: { title: "mine" }, ...fenced(second) });
    await w.call(releaseIssueLease, { params });
    const over = { params, body: { title: "after" }, ...fenced(second) };
    expect(await w.refused(editIssue, over)).toMatchObject({ code: "claim_not_held" });
    expect((await w.call(showIssue, { params })).issue.title).toBe("mine");
  });

  test.each([
    ["never given out", "7", "claim_not_held"],
    ["no number", "x", "validation"],
    ["zero", "0", "validation"],
    ["another's", "1", "claim_denied"],
  ])("a fence that is %s is refused", async (_, fence, code) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    await acquire(w, params, { actor: "bea" });
    const refused = await w.refused(editIssue, {
      params,
      body: { title: "x" },
      headers: { "x-svc-fence": fence } as object,
    });
    expect(refused.code).toBe(code);
  });

  test("a sweep ends at most a hundred expired leases, each once", async () => {
    const w = await world({ store: open });
    for (let at = 0; at < 101; at++) await acquire(w, (await w.given.issue()).path, TIMED);
    const { path: hard } = await w.given.issue();
    await acquire(w, hard);
    expect(await sweepLeases(w)).toBe(0);
    w.clock.advance(MINUTE);
    expect([await sweepLeases(w), await sweepLeases(w), await sweepLeases(w)]).toEqual([100, 1, 0]);
    expect((await w.call(getIssueLeaseStatus, { params: hard })).held).toBe(true);
  });
});

describeStore("a restart of the daemon", (open) => {
  test("keeps a lease, its fence and the time at which it expires", async () => {
    const database = await open.database();
    const w = await world({ store: database.open });
    const { path: params } = await w.given.issue();
    await acquire(w, params, TIMED);
    await w.store.close();
    const again = await world({
      store: async (options) => await database.open({ ...options, ids: systemIds() }),
    });
    expect(await again.call(getIssueLeaseStatus, { params })).toMatchObject({
      held: true,
      lease: { holder: "ann", fence: 1, expires_at: "2026-01-01T00:01:00.000Z" },
    });
    again.clock.advance(MINUTE);
    expect((await acquire(again, params, { actor: "bea" })).lease).toMatchObject({
      holder: "bea",
      fence: 2,
    });
  });
});
