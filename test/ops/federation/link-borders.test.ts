import { expect, test } from "vitest";
import { createIssue, editIssue, showIssue } from "../../../src/contract/issues.ts";
import { createLink } from "../../../src/contract/links.ts";
import { applyPlan } from "../../../src/contract/plans.ts";
import { undoProject } from "../../../src/contract/undo.ts";
import { expectFolded } from "../../store/fold.ts";
import { makeHub } from "../../support/federated.ts";
import { about, MINUTE, otherDaemons, retitled } from "../../support/foreign.ts";
import { describeStore } from "../../support/store.ts";
import { type OpenStore, type World, world } from "../../support/world.ts";

const HUB = "https://hub.example";

/** Copies of the projects `web` and `docs` of one hub and of `far` of another one, and the own project `home`. */
async function given(open: OpenStore) {
  const w = await world({ store: open });
  const others = otherDaemons(w);
  const own = await w.given.issue({ project: await w.given.project("home"), title: "own" });
  const copied = async (name: string, hub_url: string) => {
    const project = await w.given.project(name);
    const issue = await w.given.issue({ project, title: name });
    const near = await w.given.issue({ project, title: `${name} 2` });
    await makeHub(w, project, { role: "spoke", hub_url, push_enabled: 1, bound_actor: "sam" });
    await others.baselined(project.uid);
    return { project, issue, near };
  };
  const web = await copied("web", HUB);
  return {
    w,
    others,
    own,
    web,
    docs: await copied("docs", HUB),
    far: await copied("far", "https://far.example"),
  };
}

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

const linksOf = async (w: World, { path: params }: GivenIssue) =>
  (await w.call(showIssue, { params })).links;

describeStore("a link that leads out of the projects of a copy's hub", (open) => {
  test("stays on this daemon if the issue outside the hub stores the link, and the answer warns of this", async () => {
    const { w, own, web } = await given(open);
    const body = { type: "blocks" as const, to_ref: web.issue.uid };
    const made = await w.call(createLink, { params: own.path, body });
    expect(made.warnings).toEqual([
      {
        code: "link_stays_here",
        message: `${own.qualified_id} is not on the hub of web (${HUB}): its link to ${web.issue.qualified_id} stays on this daemon`,
      },
    ]);
    expect(await linksOf(w, web.issue)).toMatchObject([{ id: made.link.id }]);
    expect((await w.events()).at(-1)).toMatchObject({ project_uid: own.project_uid });
    expect(await w.call(createLink, { params: own.path, body })).not.toHaveProperty("warnings");
    await expectFolded(w.store);
  });

  test("is shown on this daemon alone if the copy's issue stores the link, and the answer warns of this", async () => {
    const { w, own, web } = await given(open);
    const body = { type: "blocks" as const, to_ref: own.uid };
    const made = await w.call(createLink, { params: web.issue.path, body });
    expect(made).toMatchObject({
      changed: true,
      link: { from: { uid: web.issue.uid }, to: { uid: own.uid }, type: "blocks" },
      warnings: [{ code: "link_stays_here" }],
    });
    expect(made.warnings?.[0]?.message).toBe(
      `${own.qualified_id} is not on the hub of web (${HUB}): the link from ${web.issue.qualified_id} to it is shown on this daemon only, and waits on the hub`,
    );
    expect(await linksOf(w, own)).toMatchObject([{ id: made.link.id }]);
    await expectFolded(w.store);
  });

  test("that other daemons have set stays hidden until somebody on this daemon sets it too", async () => {
    const { w, others, own, web } = await given(open);
    const links = { blocks_added: [own.qualified_id], blocks_added_uids: [own.uid] };
    const draft = about(web.issue, "issue.links_changed", "ann", { ...links, updated_at: "" });
    await others.pulled(draft, MINUTE, 2);
    expect(await linksOf(w, own)).toEqual([]);
    await expectFolded(w.store);
    const body = { type: "blocks" as const, to_ref: own.uid };
    await w.call(createLink, { params: web.issue.path, body });
    expect(await linksOf(w, own)).toMatchObject([{ from: { uid: web.issue.uid } }]);
    await expectFolded(w.store);
  });

  test("is shown again after other daemons have removed it and set it again, and after a fold of late events", async () => {
    const { w, others, own, web } = await given(open);
    const body = { type: "parent" as const, to_ref: own.uid };
    await w.call(createLink, { params: web.issue.path, body });
    await others.pulled(retitled(web.issue, "ann", "late"), -MINUTE, 2);
    expect(await linksOf(w, own)).toMatchObject([{ type: "parent" }]);
    const change = (side: "set" | "removed") =>
      about(web.issue, "issue.links_changed", "ann", {
        [`parent_${side}`]: own.qualified_id,
        [`parent_${side}_uid`]: own.uid,
        updated_at: "",
      });
    await others.pulled(change("removed"), MINUTE, 3);
    expect(await linksOf(w, own)).toEqual([]);
    await others.pulled(change("set"), 2 * MINUTE, 4);
    expect(await linksOf(w, own)).toMatchObject([{ type: "parent" }]);
    await expectFolded(w.store);
  });

  test("needs no undo if the fold ignored its event, because another project owns the link", async () => {
    const { w, others, web, docs } = await given(open);
    const since = w.clock.now();
    const links = { blocked_by_added: ["web#x"], blocked_by_added_uids: [web.issue.uid] };
    const draft = about(docs.issue, "issue.links_changed", "ann", { ...links, updated_at: "" });
    await others.pulled({ ...draft, actor: "kim" }, MINUTE, 2);
    expect(await linksOf(w, docs.issue)).toEqual([]);
    w.clock.advance(2 * MINUTE);
    const params = { project_id: docs.issue.path.project_id };
    const plan = await w.call(undoProject, {
      params,
      body: { of_actor: "kim", since, dry_run: true },
    });
    expect(plan).toMatchObject({ event_count: 1, reverts: [], conflicts: [] });
  });

  test("is named in the warnings of edits and of new issues, each link once", async () => {
    const { w, own, web, far } = await given(open);
    const links_delta = { add_blocks: [web.issue.uid], add_blocked_by: [far.issue.uid] };
    const edited = await w.call(editIssue, { params: own.path, body: { links_delta } });
    expect(edited.warnings?.map(({ code }) => code).sort()).toEqual([
      "link_stays_here",
      "link_stays_here",
    ]);
    const removal = { links_delta: { remove_blocks: [web.issue.uid] } };
    const removed = await w.call(editIssue, { params: own.path, body: removal });
    expect(removed).not.toHaveProperty("warnings");
    const links = [{ type: "parent" as const, to_ref: web.issue.uid }];
    const params = { project_id: own.path.project_id };
    const created = await w.call(createIssue, { params, body: { title: "child", links } });
    expect(created.warnings).toMatchObject([{ code: "link_stays_here" }]);
    await expectFolded(w.store);
  });

  test("is named in the warnings of a plan, which name at most 20 links", async () => {
    const { w, own, web } = await given(open);
    const params = { project_id: own.path.project_id };
    const child = (at: number) => ({ name: `n${at}`, title: `child ${at}`, parent: web.issue.uid });
    const few = { plan: "few", issues: [{ name: "a", title: "alone" }, child(0)] };
    const named = await w.call(applyPlan, { params, body: few });
    expect(named.warnings).toMatchObject([{ code: "link_stays_here" }]);
    const body = { plan: "many", issues: Array.from({ length: 21 }, (_, at) => child(at + 1)) };
    const many = await w.call(applyPlan, { params, body });
    expect(many.warnings).toHaveLength(20);
    const again = await w.call(applyPlan, { params, body });
    expect(again).not.toHaveProperty("warnings");
  });

  test("is named in the warning of an undo that restores it", async () => {
    const { w, own, web } = await given(open);
    const add = { links_delta: { add_blocks: [web.issue.uid] } };
    await w.call(editIssue, { params: own.path, body: add });
    w.clock.advance(MINUTE);
    const since = w.clock.now();
    const body = { links_delta: { remove_blocks: [web.issue.uid] }, actor: "kim" };
    await w.call(editIssue, { params: own.path, body });
    const params = { project_id: own.path.project_id };
    const asked = { of_actor: "kim", since };
    const plan = await w.call(undoProject, { params, body: { ...asked, dry_run: true } });
    expect(plan).not.toHaveProperty("warnings");
    const headers = { "x-svc-confirm": plan.confirm };
    const undone = await w.call(undoProject, { params, headers, body: asked });
    expect(undone.warnings).toMatchObject([{ code: "link_stays_here" }]);
    expect(await linksOf(w, web.issue)).toHaveLength(1);
    await expectFolded(w.store);
  });

  test("is not assumed within a project, between two projects of the hub, or without a copy", async () => {
    const { w, own, web, docs } = await given(open);
    const home = await w.given.issue({ project: await w.given.project("other"), title: "other" });
    const pairs = [
      [web.issue, web.near],
      [web.issue, docs.issue],
      [own, home],
    ] as const;
    for (const [from, to] of pairs) {
      const body = { type: "blocks" as const, to_ref: to.uid };
      const made = await w.call(createLink, { params: from.path, body });
      expect(made.link.id).toBeGreaterThan(0);
      expect(made).not.toHaveProperty("warnings");
    }
  });
});
