import { expect, test } from "vitest";
import {
  assignIssue,
  claimIssue,
  closeIssue,
  reopenIssue,
  setIssuePriority,
  unassignIssue,
} from "../../src/contract/actions.ts";
import { editIssue, patchIssueMetadata, showIssue } from "../../src/contract/issues.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

describeStore("the owner of an issue", (open) => {
  test("is assigned once, and every change of owner makes a new revision", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const assign = async (owner: string) => await w.call(assignIssue, { params, body: { owner } });
    expect(await assign("bea")).toMatchObject({
      changed: true,
      issue: { owner: "bea", revision: 2 },
    });
    expect(await assign("bea")).toMatchObject({
      changed: false,
      event: null,
      issue: { revision: 2 },
    });
    const cleared = await w.call(unassignIssue, { params });
    expect(cleared).toMatchObject({ changed: true, issue: { revision: 3 } });
    expect(cleared.issue.owner).toBeUndefined();
    expect(await w.call(unassignIssue, { params })).toMatchObject({ changed: false });
    expect(await w.eventKinds()).toEqual(["issue.created", "issue.assigned", "issue.unassigned"]);
  });

  test("is not cleared when it differs from the expected one", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue({ owner: "bea" });
    const refused = await w.refused(unassignIssue, { params, body: { expected_owner: "cid" } });
    expect(refused).toMatchObject({
      code: "owner_mismatch",
      message: "bea owns it, not cid",
      data: { expected_owner: "cid", current_owner: "bea" },
    });
    const cleared = await w.call(unassignIssue, { params, body: { expected_owner: "bea" } });
    expect(cleared.changed).toBe(true);
    const again = await w.call(unassignIssue, { params, body: { expected_owner: "bea" } });
    expect(again.changed).toBe(false);
  });

  test("is the actor who claims a free issue; a second claim by the same actor changes nothing", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const claimed = await w.call(claimIssue, { params, body: { actor: "bea" } });
    expect(claimed).toMatchObject({ changed: true, issue: { owner: "bea" } });
    expect(claimed.events).toEqual([claimed.event]);
    expect(claimed.previous_owner).toBeUndefined();
    const again = await w.call(claimIssue, { params, body: { actor: "bea" } });
    expect(again).toMatchObject({ changed: false, event: null, events: [] });
  });

  test("is replaced by another actor only with force, and the answer names the previous owner", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue({ owner: "bea" });
    const refused = await w.refused(claimIssue, { params, body: { actor: "cid" } });
    expect(refused).toMatchObject({ code: "already_claimed", data: { current_owner: "bea" } });
    const taken = await w.call(claimIssue, { params, body: { actor: "cid", force: true } });
    expect(taken).toMatchObject({ changed: true, previous_owner: "bea", issue: { owner: "cid" } });
    const own = await w.refused(claimIssue, { params, body: { actor: "cid", if_unowned: true } });
    expect(own.code).toBe("already_claimed");
    const both = { actor: "cid", force: true, if_unowned: true };
    expect((await w.refused(claimIssue, { params, body: both })).code).toBe("validation");
  });

  test("is exactly one actor when many claim at once", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const actors = Array.from({ length: 16 }, (_, at) => `agent-${at}`);
    const statuses = await Promise.all(
      actors.map(async (actor) => (await w.send(claimIssue, { params, body: { actor } })).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(15);
  });
});

describeStore("the priority of an issue", (open) => {
  test("is set, changed and cleared without a new revision", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const set = async (priority: number | null) =>
      await w.call(setIssuePriority, { params, body: { priority } });
    expect(await set(null)).toMatchObject({ changed: false });
    expect(await set(0)).toMatchObject({ changed: true, issue: { priority: 0, revision: 1 } });
    expect(await set(0)).toMatchObject({ changed: false });
    expect(await set(4)).toMatchObject({ issue: { priority: 4 } });
    const cleared = await set(null);
    expect(cleared.issue.priority).toBeUndefined();
    const payloads = (await w.events()).slice(2).map(({ type, payload }) => [type, payload]);
    expect(payloads).toMatchObject([
      ["issue.priority_set", { priority: 0 }],
      ["issue.priority_set", { priority: 4, old_priority: 0 }],
      ["issue.priority_cleared", { old_priority: 4 }],
    ]);
    for (const priority of [-1, 5]) {
      const refused = await w.refused(setIssuePriority, { params, body: { priority } });
      expect(refused.code).toBe("validation");
    }
  });
});

describeStore("reopening an issue", (open) => {
  test("clears the reason and time of the close, and changes nothing on an open issue", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const params = issue.path;
    expect(await w.call(reopenIssue, { params })).toMatchObject({ changed: false, event: null });
    await w.given.closed(issue);
    const reopened = await w.call(reopenIssue, { params });
    expect(reopened).toMatchObject({ changed: true, issue: { status: "open", revision: 3 } });
    expect(reopened.issue).not.toHaveProperty("closed_reason");
    expect(reopened.issue).not.toHaveProperty("closed_at");
    expect(await w.eventKinds()).toEqual(["issue.created", "issue.closed", "issue.reopened"]);
  });
});

const ACTIONS = [
  [assignIssue, { owner: "bea" }],
  [unassignIssue, {}],
  [claimIssue, {}],
  [setIssuePriority, { priority: 1 }],
  [reopenIssue, {}],
  [closeIssue, { source: "tui" as const }],
  [editIssue, { title: "new" }],
  [patchIssueMetadata, { patch: { a: 1 } }],
] as const;

describeStore("every change of an issue", (open) => {
  test("finds the issue by short id, qualified id and uid in any letter case", async () => {
    const w = await world({ store: open });
    const { id } = await w.given.project("web");
    const issue = await w.given.issue({ project: { id } });
    const { short_id, uid } = issue;
    for (const ref of [
      short_id,
      short_id.toUpperCase(),
      `web#${short_id}`,
      uid,
      uid.toLowerCase(),
    ]) {
      const shown = await w.call(showIssue, { params: { project_id: id, ref } });
      expect(shown.issue.uid).toBe(uid);
    }
  });

  test("answers issue_not_found if the reference names no live issue of the project", async () => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    const shop = await w.given.project("shop");
    const [live, gone] = [
      await w.given.issue({ project: web }),
      await w.given.issue({ project: web }),
    ];
    const foreign = await w.given.issue({ project: shop });
    await w.given.deleted(gone);
    const refs = [
      String(live.id),
      live.uid.slice(0, 20),
      "zzzz",
      `shop#${live.short_id}`,
      foreign.uid,
      foreign.qualified_id,
      gone.short_id,
      gone.uid,
      "not a ref",
    ];
    const before = await w.eventKinds();
    for (const [route, body] of ACTIONS) {
      for (const ref of refs) {
        const params = { project_id: web.id, ref };
        const { code } = await w.refused(route, { params, body });
        expect([route.id, ref, code]).toEqual([route.id, ref, "issue_not_found"]);
      }
    }
    expect(await w.eventKinds()).toEqual(before);
  });

  test("answers project_not_found in an archived project and requires an actor", async () => {
    const w = await world({ store: open });
    const [web, old] = [await w.given.project("web"), await w.given.project("old")];
    const [issue, hidden] = [
      await w.given.issue({ project: web }),
      await w.given.issue({ project: old }),
    ];
    await w.given.archived(old);
    for (const [route, body] of ACTIONS) {
      const archived = await w.refused(route, { params: hidden.path, body });
      expect([route.id, archived.code]).toEqual([route.id, "project_not_found"]);
      const nobody = await w.refused(route, { params: issue.path, body: { ...body, actor: "" } });
      expect([route.id, nobody.code, nobody.message]).toEqual([
        route.id,
        "validation",
        "actor is required",
      ]);
    }
  });
});
