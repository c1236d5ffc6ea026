import { expect, test } from "vitest";
import { createIssue, editIssue, showIssue } from "../../../src/contract/issues.ts";
import { acquireIssueLease } from "../../../src/contract/leases.ts";
import { createLink, deleteLink } from "../../../src/contract/links.ts";
import { applyPlan } from "../../../src/contract/plans.ts";
import { undoGlobal } from "../../../src/contract/undo.ts";
import { expectFolded } from "../../store/fold.ts";
import { makeHub } from "../../support/federated.ts";
import { describeStore } from "../../support/store.ts";
import { type OpenStore, type World, world } from "../../support/world.ts";

/** A hub of the project `web`, and a second project `api` that is not federated. `older` has the smaller uid. */
async function given(open: OpenStore) {
  const w = await world({ store: open });
  const web = await w.given.project("web");
  const api = await w.given.project("api");
  const older = await w.given.issue({ project: web, title: "older" });
  const younger = await w.given.issue({ project: api, title: "younger" });
  await makeHub(w, web);
  return { w, web, api, older, younger };
}

/** The kinds of the last events, each with the project and the issue that it is about. */
async function lastEvents(w: World, count: number) {
  const events = (await w.events()).slice(-count);
  return events.map(({ type, project_uid, issue_uid }) => [type, project_uid, issue_uid]);
}

const linksOf = async (
  w: World,
  { path }: { readonly path: { project_id: number; ref: string } },
) => (await w.call(showIssue, { params: path })).links;

describeStore("a link between a federated project and another one", (open) => {
  test("is set and removed by events of the issue that stores the link, whichever of the two a command names", async () => {
    const { w, web, older, younger } = await given(open);
    const body = { type: "related" as const, to_ref: older.uid };
    const made = await w.call(createLink, { params: younger.path, body });
    expect(made).toMatchObject({
      changed: true,
      issue: { uid: younger.uid, related: [{ uid: older.uid }] },
      event: {
        ...{ type: "issue.linked", project_uid: web.uid, project_name: "web" },
        ...{ issue_uid: older.uid, related_issue_uid: younger.uid },
      },
    });
    const removed = await w.call(deleteLink, {
      params: { ...younger.path, link_id: made.link.id },
    });
    expect(removed).toMatchObject({
      event: { type: "issue.unlinked", project_uid: web.uid, issue_uid: older.uid },
      issue: { uid: younger.uid, related: [] },
    });
    await expectFolded(w.store);
  });

  test("gets an event of its own when an edit changes other links too", async () => {
    const { w, web, api, older, younger } = await given(open);
    const near = await w.given.issue({ project: api, title: "near" });
    const links_delta = { add_blocked_by: [older.uid, near.uid] };
    const edited = await w.call(editIssue, { params: younger.path, body: { links_delta } });
    expect(edited).toMatchObject({
      changed: true,
      changes: { blocked_by_added: [{ uid: older.uid }, { uid: near.uid }] },
      events: [
        { type: "issue.links_changed", project_uid: api.uid, issue_uid: younger.uid },
        { type: "issue.links_changed", project_uid: web.uid, issue_uid: older.uid },
      ],
    });
    expect(edited.issue.blocked_by).toHaveLength(2);
    await w.call(editIssue, {
      params: younger.path,
      body: { links_delta: { remove_blocked_by: [older.uid] } },
    });
    expect(await lastEvents(w, 1)).toEqual([["issue.links_changed", web.uid, older.uid]]);
    expect(await linksOf(w, older)).toEqual([]);
    await expectFolded(w.store);
  });

  test("gets an event of its own if it is set together with a new issue, or by a plan", async () => {
    const { w, web, api, older } = await given(open);
    const links = [{ type: "related" as const, to_ref: older.uid }];
    const { issue } = await w.call(createIssue, {
      params: api.path,
      body: { title: "made with a link", links },
    });
    expect(issue.related).toMatchObject([{ uid: older.uid }]);
    const creation = ["issue.created", api.uid, issue.uid];
    expect(await lastEvents(w, 2)).toEqual([creation, ["issue.links_changed", web.uid, older.uid]]);
    const planned = await w.call(applyPlan, {
      params: api.path,
      body: { issues: [{ name: "one", title: "planned", blocked_by: [older.uid] }] },
    });
    expect(await lastEvents(w, 2)).toEqual([
      ["issue.created", api.uid, planned.issues[0]?.uid],
      ["issue.links_changed", web.uid, older.uid],
    ]);
    expect(await linksOf(w, older)).toHaveLength(2);
    await expectFolded(w.store);
  });

  test.each(["claim_denied", "claim_expired"] as const)(
    "is refused with %s in a new issue and in a plan, because of the lease on the issue that stores the link",
    async (code) => {
      const { w, api, older } = await given(open);
      const holder = code === "claim_denied" ? "bea" : "ann";
      await w.call(acquireIssueLease, {
        params: older.path,
        body: { actor: holder, claim_kind: "timed", ttl_seconds: 60 },
      });
      if (code === "claim_expired") w.clock.advance(61_000);
      const before = await w.events();
      const links = [{ type: "related" as const, to_ref: older.uid }];
      const body = { title: "made with a link", links };
      expect((await w.refused(createIssue, { params: api.path, body })).code).toBe(code);
      const issues = [{ name: "one", title: "planned", blocked_by: [older.uid] }];
      expect((await w.refused(applyPlan, { params: api.path, body: { issues } })).code).toBe(code);
      expect(await w.events()).toEqual(before);
    },
  );

  test("is restored by an undo through an event of the issue that stores the link", async () => {
    const { w, web, older, younger } = await given(open);
    const body = { type: "related" as const, to_ref: older.uid };
    const made = await w.call(createLink, { params: younger.path, body });
    w.clock.advance(1000);
    const since = w.clock.now();
    await w.call(deleteLink, {
      params: { ...younger.path, link_id: made.link.id },
      query: { actor: "cyd" },
    });
    const asked = { of_actor: "cyd", since, actor: "bea" };
    const { confirm } = await w.call(undoGlobal, { body: { ...asked, dry_run: true } });
    await w.call(undoGlobal, { body: asked, headers: { "x-svc-confirm": confirm } });
    expect(await lastEvents(w, 1)).toEqual([["issue.links_changed", web.uid, older.uid]]);
    expect(await linksOf(w, older)).toHaveLength(1);
    await expectFolded(w.store);
  });

  test("gets an event of the issue that the command names if neither project is federated", async () => {
    const w = await world({ store: open });
    const api = await w.given.project("api");
    const older = await w.given.issue({ title: "older" });
    const younger = await w.given.issue({ project: api, title: "younger" });
    await w.call(createLink, {
      params: younger.path,
      body: { type: "related", to_ref: older.uid },
    });
    expect(await lastEvents(w, 1)).toEqual([["issue.linked", api.uid, younger.uid]]);
  });
});
