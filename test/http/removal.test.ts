import { expect, test } from "vitest";
import { pollEvents, pollProjectEvents } from "../../src/contract/activity.ts";
import { createIssue, listIssues, showIssue, showIssueByUID } from "../../src/contract/issues.ts";
import { createLink } from "../../src/contract/links.ts";
import { deleteIssue, purgeIssue, restoreIssue } from "../../src/contract/removal.ts";
import { readyIssues, searchIssues, whyIssue } from "../../src/contract/search.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

const confirm = (verb: string, { qualified_id }: GivenIssue) => ({
  "x-svc-confirm": `${verb} ${qualified_id}`,
});

async function purge(w: World, issue: GivenIssue, reason?: string) {
  const body = reason === undefined ? {} : { reason };
  const headers = confirm("PURGE", issue);
  return (await w.call(purgeIssue, { params: issue.path, headers, body })).purge_log;
}

describeStore("deleting, restoring and purging issues", (open) => {
  test("a deleted issue is hidden, keeps its status, and is restored unchanged", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "a parser" });
    await w.given.closed(issue);
    const params = issue.path;
    const headers = confirm("DELETE", issue);
    const deleted = await w.call(deleteIssue, { params, headers, body: { reason: " doubled " } });
    expect(deleted).toMatchObject({
      changed: true,
      issue: { status: "closed", revision: 2, deleted_at: w.clock.now() },
      event: { type: "issue.soft_deleted" },
    });
    expect(JSON.parse(deleted.event?.payload ?? "")).toEqual({
      deleted_at: w.clock.now(),
      reason: "doubled",
    });
    expect((await w.call(listIssues, { params })).issues).toEqual([]);
    const found = await w.call(searchIssues, { params, query: { q: "parser" } });
    expect(found.results).toEqual([]);
    expect((await w.refused(showIssue, { params })).code).toBe("issue_not_found");
    const again = await w.call(deleteIssue, { params, headers });
    expect(again).toMatchObject({ changed: false, event: null });
    const restored = await w.call(restoreIssue, { params });
    expect(restored).toMatchObject({ changed: true, issue: { status: "closed", revision: 2 } });
    expect(restored.issue.deleted_at).toBeUndefined();
    expect(await w.call(restoreIssue, { params })).toMatchObject({ changed: false, event: null });
    expect(await w.eventKinds()).toEqual([
      "issue.created",
      "issue.closed",
      "issue.soft_deleted",
      "issue.restored",
    ]);
  });

  test.each([
    ["no text", {}, "confirm_required"],
    ["an empty text", { "x-svc-confirm": "" }, "confirm_required"],
    ["another text", { "x-svc-confirm": "DELETE web#zzzz" }, "confirm_mismatch"],
    ["the text that confirms the other operation", "PURGE", "confirm_mismatch"],
  ] as const)("a delete is refused if its confirmation is %s", async (_, given, code) => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const headers = given === "PURGE" ? confirm("PURGE", issue) : given;
    const refused = await w.refused(deleteIssue, { params: issue.path, headers });
    const expected = `DELETE ${issue.qualified_id}`;
    expect(refused).toMatchObject({ code, message: `confirm with: ${expected}` });
    expect(refused.data).toEqual({ expected });
    expect(await w.eventKinds()).toEqual(["issue.created"]);
  });

  test.each([{}, { "x-svc-confirm": "DELETE web#1" }])(
    "a purge with the headers %j is refused",
    async (headers) => {
      const w = await world({ store: open });
      const issue = await w.given.issue();
      const { code } = await w.refused(purgeIssue, { params: issue.path, headers });
      expect(code).toMatch(/^confirm_(required|mismatch)$/);
      expect(await w.eventKinds()).toEqual(["issue.created"]);
    },
  );

  test("a purge leaves a record and nothing else of the issue", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ labels: ["bug"], metadata: { area: "ui" } });
    const other = await w.given.issue();
    await w.given.comment({ on: issue });
    await w.given.link(other, "related", issue);
    await w.given.link(issue, "blocks", other);
    const log = await purge(w, issue, "held a secret");
    expect(log).toMatchObject({
      purged_issue_id: issue.id,
      issue_uid: issue.uid,
      short_id: issue.short_id,
      project_name: "web",
      issue_title: "an issue",
      issue_author: "ann",
      comment_count: 1,
      link_count: 2,
      label_count: 1,
      event_count: 3,
      events_deleted_min_id: 2,
      actor: "ann",
      reason: "held a secret",
      purged_at: w.clock.now(),
    });
    expect(log).not.toHaveProperty("spent_ids");
    const params = { uid: issue.uid };
    const query = { include_deleted: true };
    expect((await w.refused(showIssueByUID, { params, query })).code).toBe("issue_not_found");
    const shown = await w.call(showIssue, { params: other.path });
    expect(shown.links).toEqual([]);
    expect((await w.call(readyIssues, { params: other.path })).issues).toHaveLength(1);
    const left = (await w.events()).filter((event) => event.issue_uid === issue.uid);
    expect(left).toEqual([]);
    expect(await w.eventKinds()).toEqual(["issue.created", "issue.linked"]);
    await expectFolded(w.store);
  });

  test("events of other issues that mention a purged issue remain, and name it by its uid alone", async () => {
    const w = await world({ store: open });
    const [issue, other] = [await w.given.issue(), await w.given.issue()];
    await w.given.link(other, "related", issue);
    const log = await purge(w, issue);
    const after_id = log.purge_reset_after_event_id;
    await w.given.comment({ on: other });
    const { events } = await w.call(pollEvents, { query: { after_id } });
    expect(events.map(({ type }) => type)).toEqual(["issue.commented"]);
    const linked = (await w.events()).find(({ type }) => type === "issue.linked");
    expect(linked?.related_issue_uid).toBe(issue.uid);
  });

  test("an issue that a purged issue blocked or held back is ready again", async () => {
    const w = await world({ store: open });
    const [blocker, parent] = [await w.given.issue(), await w.given.issue()];
    const child = await w.given.issue();
    await w.given.link(child, "parent", parent);
    await w.given.link(blocker, "blocks", parent);
    expect((await w.call(whyIssue, { params: child.path })).ready).toBe(false);
    await purge(w, blocker);
    expect((await w.call(whyIssue, { params: child.path })).ready).toBe(true);
    await purge(w, child);
    expect((await w.call(whyIssue, { params: parent.path })).ready).toBe(true);
    await expectFolded(w.store);
  });

  test("purging a parent does not restore the previous parent", async () => {
    const w = await world({ store: open });
    const [first, second, child] = [
      await w.given.issue(),
      await w.given.issue(),
      await w.given.issue(),
    ];
    await w.given.link(child, "parent", first);
    const body = { type: "parent", to_ref: second.uid, replace: true } as const;
    await w.call(createLink, { params: child.path, body });
    await purge(w, second);
    expect((await w.call(showIssue, { params: child.path })).parent).toBeUndefined();
    await expectFolded(w.store);
  });

  test("a purge resets every reader whose cursor is before it, of its project or of all projects", async () => {
    const w = await world({ store: open });
    const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
    const issue = await w.given.issue({ project: web });
    await w.given.issue({ project: shop });
    const before = await w.call(pollEvents);
    const log = await purge(w, issue);
    const reset = log.purge_reset_after_event_id;
    expect(reset).toBe(before.next_after_id + 1);
    const below = { query: { after_id: reset - 1 } };
    const told = {
      reset_required: true,
      reset_after_id: reset,
      events: [],
      next_after_id: reset,
      epoch: expect.any(String),
    };
    expect(await w.call(pollEvents, below)).toEqual(told);
    expect(await w.call(pollProjectEvents, { params: web.path, ...below })).toEqual(told);
    const others = await w.call(pollProjectEvents, { params: shop.path, ...below });
    expect(others).toMatchObject({ reset_required: false, next_after_id: reset - 1 });
    const at = await w.call(pollEvents, { query: { after_id: reset } });
    expect(at).toMatchObject({ reset_required: false, events: [], next_after_id: reset });
    await w.given.issue({ project: web });
    const after = await w.call(pollEvents, { query: { after_id: reset } });
    expect(after.events.map(({ event_id }) => event_id)).toEqual([reset + 1]);
  });

  test("the short id of a purged issue is never reused", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await purge(w, issue);
    const taken = await w.store.read(async ({ issues }) => {
      return await issues.shortIdTaken(issue.project_uid ?? "", issue.short_id);
    });
    expect(taken).toBe(true);
  });

  test("the idempotency key of a purged issue is free, and an older use of the key counts again", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const params = project.path;
    const send = async (title: string) => {
      const headers = { "idempotency-key": "k" };
      return await w.call(createIssue, { params, headers, body: { title, force_new: true } });
    };
    const first = await send("one");
    w.clock.advance(8 * 86_400_000);
    const { issue } = await send("two");
    expect(issue.uid).not.toBe(first.issue.uid);
    const headers = { "x-svc-confirm": `PURGE ${issue.qualified_id}` };
    await w.call(purgeIssue, { params: { ...params, ref: issue.uid }, headers });
    await expectFolded(w.store);
    expect((await send("three")).changed).toBe(true);
  });
});
