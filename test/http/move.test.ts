import { expect, test } from "vitest";
import { closeIssue } from "../../src/contract/actions.ts";
import { createIssue, showIssue, showIssueByUID } from "../../src/contract/issues.ts";
import { listLabels } from "../../src/contract/labels.ts";
import { removeProject } from "../../src/contract/project-actions.ts";
import { moveIssue } from "../../src/contract/removal.ts";
import { searchIssues } from "../../src/contract/search.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

const FIRST = { "if-match": '"rev-1"' };
const CLOSE = { source: "tui", retry_protocol: "close-v1" } as const;
const KEY = { "idempotency-key": "k" };

describeStore("moving issues", (open) => {
  async function twoProjects() {
    const w = await world({ store: open });
    const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
    const issue = await w.given.issue({ project: web, title: "a parser", labels: ["bug"] });
    const move = async (to = shop.uid, headers: object = FIRST) =>
      await w.call(moveIssue, { params: issue.path, headers, body: { to_project_uid: to } });
    return { w, web, shop, issue, move };
  }

  test("keeps uid, links, comments and labels, and the short id if it is free", async () => {
    const { w, web, shop, issue, move } = await twoProjects();
    const child = await w.given.issue({ project: web });
    await w.given.link(child, "parent", issue);
    await w.given.comment({ on: issue });
    const moved = await move();
    expect(moved).toMatchObject({
      changed: true,
      issue: { uid: issue.uid, qualified_id: `shop#${issue.short_id}`, revision: 1 },
    });
    expect(moved.new_short_id).toBeUndefined();
    const params = { ...shop.path, ref: issue.short_id };
    const shown = await w.call(showIssue, { params });
    expect(shown.comments).toHaveLength(1);
    expect(shown.children?.map(({ uid }) => uid)).toEqual([child.uid]);
    expect((await w.refused(showIssue, { params: issue.path })).code).toBe("issue_not_found");
    expect((await w.call(listLabels, { params: web.path })).labels).toEqual([]);
    expect((await w.call(listLabels, { params: shop.path })).labels).toEqual([
      { label: "bug", count: 1 },
    ]);
    const query = { q: "parser" };
    const there = await w.call(searchIssues, { params: shop.path, query });
    expect(there.results).toHaveLength(1);
    expect((await w.call(searchIssues, { params: web.path, query })).results).toEqual([]);
    const event = (await w.events()).at(-1);
    expect(event).toMatchObject({
      id: moved.event_id,
      type: "issue.moved",
      project_uid: shop.uid,
      payload: { from_project_uid: web.uid, to_project_uid: shop.uid },
    });
    await expectFolded(w.store);
  });

  test("lengthens a short id that is taken in the target, reserves it in the source, and restores it on the way back", async () => {
    const { w, web, shop, issue, move } = await twoProjects();
    await w.append({
      type: "issue.created",
      actor: "ann",
      project_uid: shop.uid,
      issue_uid: "01KDVDNA00000000000000ZZZZ",
      payload: {
        uid: "01KDVDNA00000000000000ZZZZ",
        short_id: issue.short_id,
        title: "the same id",
        body: "",
        author: "ann",
        status: "open",
        metadata: {},
        created_at: w.clock.now(),
      },
    });
    const moved = await move();
    const longer = issue.uid.slice(-5).toLowerCase();
    expect(moved).toMatchObject({ new_short_id: longer, issue: { short_id: longer } });
    const taken = async (uid?: string) =>
      await w.store.read(async ({ issues }) => {
        return await issues.shortIdTaken(web.uid, issue.short_id, uid);
      });
    expect(await taken()).toBe(true);
    expect(await taken(issue.uid)).toBe(false);
    const back = await w.call(moveIssue, {
      params: { ...shop.path, ref: issue.uid },
      headers: FIRST,
      body: { to_project_uid: web.uid.toLowerCase() },
    });
    expect(back.issue.short_id).toBe(longer);
    await expectFolded(w.store);
  });

  test("returns the revision of the issue as the ETag", async () => {
    const { w, shop, issue } = await twoProjects();
    const body = { to_project_uid: shop.uid };
    const response = await w.send(moveIssue, { params: issue.path, headers: FIRST, body });
    expect(response.headers.get("etag")).toBe('"rev-1"');
  });

  test("is refused without a revision, with a stale revision, and to the same or a missing project", async () => {
    const { w, web, shop, issue } = await twoProjects();
    await w.given.project("old");
    const refusal = async (to_project_uid: string, headers: object) => {
      const input = { params: issue.path, headers, body: { to_project_uid } };
      return (await w.refused(moveIssue, input)).code;
    };
    expect(await refusal(shop.uid, {})).toBe("validation");
    expect(await refusal(shop.uid, { "if-match": '"rev-2"' })).toBe("revision_conflict");
    expect(await refusal(web.uid, FIRST)).toBe("same_project");
    expect(await refusal("01KDVDNA00000000000000ZZZZ", FIRST)).toBe("project_not_found");
    await w.call(removeProject, { params: shop.path });
    expect(await refusal(shop.uid, FIRST)).toBe("project_not_found");
    expect(await w.eventKinds()).toEqual(["issue.created"]);
  });

  test.each(["uid", "short_id"] as const)(
    "a close with a key that names a moved issue by %s is refused with the issue's new place",
    async (form) => {
      const { w, web, shop, issue, move } = await twoProjects();
      const params = { ...web.path, ref: issue[form] };
      await w.call(closeIssue, { params, headers: KEY, body: CLOSE });
      await move(shop.uid, { "if-match": '"rev-2"' });
      const moved = {
        code: "issue_moved",
        data: { uid: issue.uid, qualified_id: `shop#${issue.short_id}`, status: "closed" },
      };
      expect(await w.refused(closeIssue, { params, headers: KEY, body: CLOSE })).toMatchObject(
        moved,
      );
      const fresh = { "idempotency-key": "other" };
      expect(await w.refused(closeIssue, { params, headers: fresh, body: CLOSE })).toMatchObject(
        moved,
      );
      const other = { ...CLOSE, message: "something else" };
      const mismatch = await w.refused(closeIssue, { params, headers: KEY, body: other });
      expect(mismatch.code).toBe("idempotency_mismatch");
      const unkeyed = await w.refused(closeIssue, { params, body: { source: "tui" } });
      expect(unkeyed.code).toBe("issue_not_found");
    },
  );

  test("answers not found to a close with a key if the issue was never in the project", async () => {
    const { w, shop, issue } = await twoProjects();
    const params = { ...shop.path, ref: issue.uid };
    const refused = await w.refused(closeIssue, { params, headers: KEY, body: CLOSE });
    expect(refused.code).toBe("issue_not_found");
  });

  test("lets a repeated create return the issue from its new project", async () => {
    const { w, web, shop } = await twoProjects();
    const body = { title: "keyed" };
    const first = await w.call(createIssue, { params: web.path, headers: KEY, body });
    const params = { ...web.path, ref: first.issue.uid };
    await w.call(moveIssue, { params, headers: FIRST, body: { to_project_uid: shop.uid } });
    const again = await w.call(createIssue, { params: web.path, headers: KEY, body });
    expect(again).toMatchObject({ reused: true, issue: { project_uid: shop.uid } });
    const shown = await w.call(showIssueByUID, { params: { uid: first.issue.uid } });
    expect(shown.issue.project_id).toBe(shop.id);
  });
});
