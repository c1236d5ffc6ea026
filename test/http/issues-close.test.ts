import { expect, test } from "vitest";
import { closeIssue, reopenIssue } from "../../src/contract/actions.ts";
import { createIssue, showIssue, showIssueByUID } from "../../src/contract/issues.ts";
import type { Input } from "../../src/contract/route.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const MESSAGE = "the parser now takes nested lists, with tests for them";
type Body = Partial<Input<typeof closeIssue>["body"]>;

const EVIDENCE: Body["evidence"] = [{ type: "commit", sha: "0123abc" }];
const DONE: Body = { reason: "done", message: MESSAGE, evidence: EVIDENCE };
const KEYED: Body = { ...DONE, retry_protocol: "close-v1" };

async function state(w: World, path: { project_id: number; ref: string }) {
  const { issue } = await w.call(showIssue, { params: path });
  return { status: issue.status, revision: issue.revision };
}

describeStore("closing an issue", (open) => {
  test("a close stores reason, message and evidence in the event, and names the parent", async () => {
    const w = await world({ store: open });
    const [parent, child] = [await w.given.issue(), await w.given.issue()];
    await w.given.link(child, "parent", parent);
    w.clock.advance(1000);
    const closed = await w.call(closeIssue, { params: child.path, body: DONE });
    const at = "2026-01-01T00:00:01.000Z";
    expect(closed).toMatchObject({
      changed: true,
      issue: {
        status: "closed",
        closed_reason: "done",
        closed_at: at,
        updated_at: at,
        revision: 2,
      },
    });
    expect(JSON.parse(closed.event?.payload ?? "")).toEqual({
      reason: "done",
      closed_at: at,
      message: MESSAGE,
      evidence: EVIDENCE,
      parent_uid: parent.uid,
      parent_short_id: parent.short_id,
    });
    const again = await w.call(closeIssue, { params: child.path, body: {} });
    expect(again).toMatchObject({ changed: false, event: null });
    expect((await w.eventKinds()).filter((kind) => kind === "issue.closed")).toHaveLength(1);
  });

  test("an issue is shown with its last close, and its past state with an earlier one", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const closeOf = async (query: { at?: string } = {}) =>
      (await w.call(showIssue, { params, query })).close;
    expect(await closeOf()).toBeUndefined();
    w.clock.advance(1000);
    const first = await w.call(closeIssue, { params, body: { ...DONE, actor: "bea" } });
    const said = { actor: "bea", reason: "done", message: MESSAGE, evidence: EVIDENCE };
    expect(await closeOf()).toEqual({ event_id: first.event?.id, ...said });
    const { uid } = (await w.call(showIssue, { params })).issue;
    expect((await w.call(showIssueByUID, { params: { uid } })).close).toMatchObject(said);
    w.clock.advance(1000);
    await w.call(reopenIssue, { params, body: { actor: "bea" } });
    expect(await closeOf()).toBeUndefined();
    w.clock.advance(1000);
    const again = { reason: "wontfix", message: "x".repeat(60), actor: "cyd" } as const;
    await w.call(closeIssue, { params, body: again });
    expect(await closeOf()).toMatchObject(again);
    expect(await closeOf({ at: String(first.event?.id) })).toMatchObject(said);
  });

  test.each<[string, Body]>([
    ["no reason", { message: MESSAGE, evidence: EVIDENCE }],
    ["no message", { reason: "done", evidence: EVIDENCE }],
    ["a short message", { ...DONE, message: "x".repeat(39), evidence: EVIDENCE }],
    ["no evidence", { reason: "done", message: MESSAGE }],
    [
      "evidence of another reason",
      { reason: "wontfix", message: MESSAGE.repeat(2), evidence: EVIDENCE },
    ],
  ])("a close with %s is refused", async (_name, body) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    expect(await w.refused(closeIssue, { params, body })).toMatchObject({
      code: "validation",
    });
    expect(await state(w, params)).toEqual({ status: "open", revision: 1 });
  });

  test("a close as a duplicate names another issue of the project", async () => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    const shop = await w.given.project("shop");
    const [issue, twin] = [
      await w.given.issue({ project: web }),
      await w.given.issue({ project: web }),
    ];
    const foreign = await w.given.issue({ project: shop });
    const close = (issue_ref: string) => ({
      params: issue.path,
      body: {
        reason: "duplicate" as const,
        message: "the same as the other report",
        evidence: [{ type: "duplicate-of" as const, issue_ref }],
      },
    });
    for (const ref of [issue.short_id, issue.uid, "zzzz", "1", foreign.qualified_id, foreign.uid]) {
      const refused = await w.refused(closeIssue, close(ref));
      expect([ref, refused.code, refused.data]).toEqual([ref, "validation", { field: "evidence" }]);
    }
    expect((await w.call(closeIssue, close(twin.qualified_id))).changed).toBe(true);
  });

  test("a close by the terminal UI needs neither message nor evidence, but the guards apply", async () => {
    const w = await world({ store: open });
    const [parent, child] = [await w.given.issue(), await w.given.issue()];
    await w.given.link(child, "parent", parent);
    const body = { source: "tui" } as const;
    expect((await w.refused(closeIssue, { params: parent.path, body })).code).toBe(
      "parent_has_open_children",
    );
    const closed = await w.call(closeIssue, { params: child.path, body });
    expect(closed.issue).toMatchObject({ status: "closed", closed_reason: "done" });
  });

  test("a close is refused while children are open, and names at most ten, with their project if it is another", async () => {
    const w = await world({ store: open });
    const [web, shop, old] = [
      await w.given.project("web"),
      await w.given.project("shop"),
      await w.given.project("old"),
    ];
    const parent = await w.given.issue({ project: web });
    const child = async (project: { id: number }) => {
      const made = await w.given.issue({ project });
      await w.given.link(made, "parent", parent);
      return made;
    };
    const foreign = await child(shop);
    const local = await child(web);
    const [closed, gone] = [await child(web), await child(web)];
    await child(old);
    await w.given.closed(closed);
    await w.given.deleted(gone);
    await w.given.archived(old);
    const refuse = async () => await w.refused(closeIssue, { params: parent.path, body: DONE });
    expect(await refuse()).toMatchObject({
      code: "parent_has_open_children",
      data: { children: [foreign.qualified_id, local.short_id] },
    });
    for (let more = 0; more < 9; more += 1) await child(web);
    const many = await refuse();
    expect(many.data?.["children"]).toHaveLength(10);
    expect(many.message).toContain("and 1 more");
  });

  test("a close succeeds once the last child is closed", async () => {
    const w = await world({ store: open });
    const [parent, child] = [await w.given.issue(), await w.given.issue()];
    await w.given.link(child, "parent", parent);
    await w.given.closed(child);
    const closed = await w.call(closeIssue, { params: parent.path, body: DONE });
    expect(closed).toMatchObject({ changed: true, issue: { child_counts: { open: 0, total: 1 } } });
  });

  test("a dry run of a close checks everything and changes nothing", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const trial = await w.call(closeIssue, { params, body: { ...DONE, dry_run: true } });
    expect(trial).toMatchObject({ changed: false, event: null, issue: { status: "open" } });
    const bad = { ...DONE, evidence: [], dry_run: true };
    expect((await w.refused(closeIssue, { params, body: bad })).code).toBe("validation");
    expect(await w.eventKinds()).toEqual(["issue.created"]);
  });
});

describeStore("repeating a close under its key", (open) => {
  const headers = { "idempotency-key": "close-1" };

  test("a repeated close returns the issue as it is now and the event of the first close", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const first = await w.call(closeIssue, { params, headers, body: KEYED });
    await w.call(reopenIssue, { params });
    const again = await w.call(closeIssue, { params, headers, body: KEYED });
    expect(again).toMatchObject({
      changed: false,
      reused: true,
      event: null,
      issue: { status: "open" },
      original_event: { uid: first.event?.uid, type: "issue.closed" },
    });
    expect(await w.eventKinds()).toHaveLength(3);
  });

  test("a repeated close is refused if the request differs or another call closed the issue", async () => {
    const w = await world({ store: open });
    const [one, two] = [await w.given.issue(), await w.given.issue()];
    await w.call(closeIssue, { params: one.path, headers, body: KEYED });
    const other = { ...KEYED, message: `${MESSAGE} and more` };
    const refuse = async (params: typeof one.path, body: Body, extra = {}) =>
      (await w.refused(closeIssue, { params, headers: { ...headers, ...extra }, body })).code;
    expect(await refuse(one.path, other)).toBe("idempotency_mismatch");
    expect(await refuse({ ...one.path, ref: one.short_id }, KEYED)).toBe("idempotency_mismatch");
    expect(await refuse(one.path, KEYED, { "if-match": '"rev-1"' })).toBe("idempotency_mismatch");
    expect(await refuse(two.path, KEYED)).toBe("idempotency_mismatch");
    await w.given.closed(two);
    const fresh = { "idempotency-key": "close-2" };
    expect(await refuse(two.path, KEYED, fresh)).toBe("issue_already_closed");
  });

  test("a close with a key or a revision must declare the retry protocol", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    for (const meant of [headers, { "if-match": '"rev-1"' }]) {
      const refused = await w.refused(closeIssue, { params, headers: meant, body: DONE });
      expect(refused.code).toBe("retry_protocol_required");
    }
    const stale = { "if-match": '"rev-2"' };
    expect(await w.refused(closeIssue, { params, headers: stale, body: KEYED })).toMatchObject({
      code: "revision_conflict",
      message: "issue revision is 1",
    });
    const fresh = { "if-match": '"rev-1"' };
    expect((await w.call(closeIssue, { params, headers: fresh, body: KEYED })).changed).toBe(true);
  });

  test("the key of a close does not collide with the key of a create", async () => {
    const w = await world({ store: open });
    const { path: params, project_id } = await w.given.issue();
    await w.call(createIssue, { params: { project_id }, headers, body: { title: "t" } });
    expect((await w.call(closeIssue, { params, headers, body: KEYED })).changed).toBe(true);
  });
});
