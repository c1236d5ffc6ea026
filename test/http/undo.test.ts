import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import {
  assignIssue,
  closeIssue,
  reopenIssue,
  setIssuePriority,
} from "../../src/contract/actions.ts";
import { createComment, editComment } from "../../src/contract/comments.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { editIssue, listIssues, patchIssueMetadata, showIssue } from "../../src/contract/issues.ts";
import { addLabel, removeLabel } from "../../src/contract/labels.ts";
import { acquireIssueLease, getIssueLeaseStatus } from "../../src/contract/leases.ts";
import { MAX_UNDO_EVENTS } from "../../src/contract/limits.ts";
import { createLink, deleteLink } from "../../src/contract/links.ts";
import { applyPlan } from "../../src/contract/plans.ts";
import { removeProject } from "../../src/contract/project-actions.ts";
import { renameProject } from "../../src/contract/projects.ts";
import { deleteIssue, moveIssue, purgeIssue, restoreIssue } from "../../src/contract/removal.ts";
import { undoGlobal, undoProject } from "../../src/contract/undo.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type Undone = Awaited<ReturnType<typeof plan>>;

/** The request of an undo: what cyd did since the beginning, undone by bea, unless the test says otherwise. */
const BEGIN = "2020-01-01T00:00:00Z";
const asked = (body: object = {}) => ({
  of_actor: "cyd",
  since: BEGIN,
  actor: "bea",
  ...body,
});

async function plan(w: World, body: object = {}) {
  return await w.call(undoGlobal, { body: asked({ dry_run: true, ...body }) });
}

async function undo(w: World, body: object = {}) {
  const { confirm } = await plan(w, body);
  return await w.call(undoGlobal, { body: asked(body), headers: { "x-svc-confirm": confirm } });
}

const CYD = { actor: "cyd" };
const fieldsOf = ({ reverts }: Pick<Undone, "reverts">) => reverts.map(({ field }) => field);

describeStore("undo", (open) => {
  test("an undo keeps a change that somebody made in the same transaction just before", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "old", actor: "ann" });
    await w.call(editIssue, { params: issue.path, body: { title: "cyd's", ...CYD } });
    const { confirm } = await plan(w);
    const titleOf = { params: issue.path, body: { title: "ann's", actor: "ann" } };
    await Promise.all([
      w.call(editIssue, titleOf),
      w.call(undoGlobal, { body: asked(), headers: { "x-svc-confirm": confirm } }).catch(() => {}),
    ]);
    expect((await w.call(showIssue, { params: issue.path })).issue.title).toBe("ann's");
  });

  test("an undo reverts each kind of change of an issue, in one batch by the requesting actor", async () => {
    const w = await world({ store: open });
    const shop = await w.given.project("shop");
    const parent = await w.given.issue({ project: shop, title: "parent" });
    const peer = await w.given.issue({ project: shop, title: "peer" });
    const issue = await w.given.issue({
      project: shop,
      title: "old",
      body: "b",
      owner: "ann",
      priority: 1,
      labels: ["keep", "lost"],
      metadata: { kept: 1, gone: { deep: [1.0] } },
      links: [
        { type: "parent", to_ref: parent.uid },
        { type: "blocks", to_ref: peer.uid },
      ],
    });
    const { comment } = await w.given.comment({ on: issue, body: "first" });
    const before = await w.call(showIssue, { params: issue.path });
    const params = issue.path;
    w.clock.advance(1000);
    await w.call(editIssue, {
      params,
      body: {
        ...CYD,
        title: "new",
        body: "c",
        owner: "",
        set_priority: 3,
        links_delta: { remove_parent: parent.uid, remove_blocks: [peer.uid] },
      },
    });
    await w.call(addLabel, { params, body: { ...CYD, label: "new" } });
    await w.call(removeLabel, { params: { ...params, label: "lost" }, query: CYD });
    await w.call(patchIssueMetadata, {
      params,
      body: { ...CYD, patch: { kept: 2, gone: null, more: true } },
    });
    await w.call(editComment, { params: comment.path, body: { ...CYD, body: "second" } });
    await w.call(closeIssue, { params, body: { ...CYD, source: "tui" } });
    const shown = await plan(w);
    expect(shown).toMatchObject({ changed: false, conflicts: [], kept: [], project_id: 0 });
    expect(new Set(fieldsOf(shown))).toEqual(
      new Set("title body owner priority parent link label metadata comment status".split(" ")),
    );
    w.clock.advance(1000);
    const done = await undo(w);
    expect(done).toMatchObject({ changed: true, batch: { actor: "bea", at: w.clock.now() } });
    const after = await w.call(showIssue, { params });
    const { revision, updated_at } = after.issue;
    expect(after.issue).toEqual({ ...before.issue, revision, updated_at });
    expect(after.labels).toEqual(before.labels);
    expect(after.comments).toEqual(before.comments);
    expect(after.parent).toEqual(before.parent);
    const id = expect.any(Number);
    expect(after.links).toHaveLength(before.links.length);
    expect(after.links).toEqual(
      expect.arrayContaining(before.links.map((was) => ({ ...was, id }))),
    );
    const events = await w.events();
    const batch = events.filter(({ id }) => done.batch?.event_ids.includes(id));
    const own = events.filter(({ actor }) => actor === "cyd").map(({ uid }) => uid);
    expect(batch.every(({ actor }) => actor === "bea")).toBe(true);
    expect(batch.map(({ id }) => id)).toEqual(done.batch?.event_ids);
    const marks = batch.map(
      ({ payload }) => (payload as JsonObject)["undo"] as { events: string[] },
    );
    expect(marks).toEqual(
      marks.map(({ events: of }) => ({ batch_uid: done.batch?.batch_uid, events: of })),
    );
    expect(new Set(marks.flatMap(({ events: of }) => of))).toEqual(new Set(own));
  });

  test("an undo deletes created issues, releases leases and leaves earlier undone changes alone", async () => {
    const w = await world({ store: open });
    const shop = await w.given.project("shop");
    const old = await w.given.issue({ project: shop, title: "old" });
    const mine = await w.given.issue({ project: shop, title: "mine", ...CYD, labels: ["x"] });
    await w.call(createLink, {
      params: old.path,
      body: { ...CYD, type: "parent", to_ref: mine.uid },
    });
    await w.call(acquireIssueLease, { params: old.path, body: CYD });
    await w.call(createComment, { params: old.path, body: { ...CYD, body: "mine" } });
    await undo(w);
    const { issues } = await w.call(listIssues, { params: { project_id: shop.id } });
    expect(issues.map(({ title, parent }) => [title, parent])).toEqual([["old", undefined]]);
    const shown = await w.call(showIssue, { params: old.path });
    expect(shown.comments).toMatchObject([
      { body: "(this comment was taken back)", author: "cyd" },
    ]);
    const status = await w.call(getIssueLeaseStatus, { params: old.path });
    expect(status).not.toHaveProperty("lease.claim_uid", shown.lease?.claim_uid ?? "");
    expect(shown.lease).toBeUndefined();
    // The undo of the undo restores all of it except the lease, which has ended.
    await undo(w, { of_actor: "bea", actor: "dov" });
    const again = await w.call(showIssue, { params: old.path });
    expect(again).toMatchObject({ parent: { uid: mine.uid }, comments: [{ body: "mine" }] });
    expect(again.lease).toBeUndefined();
    expect((await w.call(showIssue, { params: mine.path })).issue.labels).toEqual(["x"]);
  });

  test("an undo finds nothing to do the second time, even after the undo itself was undone and repeated", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "t0" });
    const title = async () => (await w.call(showIssue, { params: issue.path })).issue.title;
    await w.call(editIssue, { params: issue.path, body: { ...CYD, title: "t1" } });
    await undo(w);
    expect(await title()).toBe("t0");
    const events = await w.events();
    const again = await w.call(undoGlobal, { body: asked() });
    expect(again).toMatchObject({ changed: false, reverts: [], undone_before: 1 });
    expect(await w.events()).toEqual(events);
    await undo(w, { of_actor: "bea", actor: "dov" });
    expect(await title()).toBe("t1");
    await undo(w);
    expect(await title()).toBe("t0");
    expect(await undo(w)).toMatchObject({ changed: false, undone_before: 1 });
  });

  test("an undo reverts changes of an issue that was restored after an undo of its creation", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "t0", ...CYD });
    const params = issue.path;
    const title = async () => (await w.call(showIssue, { params })).issue.title;
    await w.call(editIssue, { params, body: { ...CYD, title: "t1" } });
    await undo(w);
    await w.call(restoreIssue, { params, body: { actor: "dov" } });
    await w.call(editIssue, { params, body: { actor: "eve", title: "t2" } });
    expect((await undo(w, { of_actor: "eve" })).reverts).toMatchObject([{ from: "t2", to: "t1" }]);
    expect(await title()).toBe("t1");
    await w.call(editIssue, { params, body: { ...CYD, title: "t3" } });
    expect(await undo(w)).toMatchObject({ undone_before: 2, reverts: [{ from: "t3", to: "t1" }] });
    expect(await title()).toBe("t1");
    // The creation was undone once. Undoing the restore deletes the issue again.
    await undo(w, { of_actor: "dov" });
    expect((await w.refused(showIssue, { params })).code).toBe("issue_not_found");
  });

  test("an undo ends an expired lease with the reason that it expired", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const lease = { ...CYD, claim_kind: "timed" as const, ttl_seconds: 60 };
    await w.call(acquireIssueLease, { params, body: lease });
    w.clock.advance(60_000);
    await undo(w);
    const { lease: over } = await w.call(getIssueLeaseStatus, { params });
    expect(over).toMatchObject({ release_reason: "expired" });
    expect((await w.events()).map(({ type }) => type).slice(-2)).toEqual([
      "claim.acquired",
      "claim.expired",
    ]);
  });

  test("an undo reverts the actor's own earlier undo, selected by its time", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "t0" });
    await w.call(editIssue, { params: issue.path, body: { ...CYD, title: "t1" } });
    w.clock.advance(1);
    const done = await undo(w, { actor: "cyd" });
    w.clock.advance(1);
    await undo(w, { actor: "cyd", since: done.batch?.at });
    expect((await w.call(showIssue, { params: issue.path })).issue.title).toBe("t1");
  });

  test("an undo includes changes at the first and at the last instant of the span and no others", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const at: string[] = [];
    for (const label of ["a", "b", "c", "d"]) {
      w.clock.advance(1);
      at.push(w.clock.now());
      await w.call(addLabel, { params: issue.path, body: { ...CYD, label } });
    }
    const shown = await plan(w, { since: at[1], until: at[2] });
    expect(shown.reverts.map(({ name }) => name)).toEqual(["b", "c"]);
    expect(shown.event_count).toBe(2);
  });

  test("an undo is refused with a list of conflicts, and changes nothing, if others built on the changes", async () => {
    const w = await world({ store: open });
    const shop = await w.given.project("shop");
    const old = await w.given.issue({ project: shop, title: "old", labels: ["l"] });
    const other = await w.given.issue({ project: shop, title: "other" });
    const made = await w.given.issue({ project: shop, title: "made", ...CYD });
    const seen = await w.given.issue({ project: shop, title: "seen", ...CYD });
    const { comment } = await w.given.comment({ on: old, author: "cyd", body: "c" });
    await w.call(editIssue, { params: old.path, body: { ...CYD, title: "t1", owner: "cyd" } });
    await w.call(setIssuePriority, { params: old.path, body: { ...CYD, priority: 1 } });
    await w.call(editIssue, { params: old.path, body: { actor: "dov", title: "t2" } });
    await w.call(assignIssue, { params: old.path, body: { actor: "dov", owner: "eli" } });
    await w.call(editComment, { params: comment.path, body: { actor: "eli", body: "d" } });
    await w.call(createComment, { params: made.path, body: { actor: "dov", body: "see" } });
    await w.call(editIssue, {
      params: other.path,
      body: { actor: "fay", links_delta: { add_blocked_by: [seen.uid] } },
    });
    const events = await w.events();
    const shown = await plan(w);
    expect(
      shown.conflicts.map(({ field, later }) => [field, later.map(({ actor }) => actor)]),
    ).toEqual(
      expect.arrayContaining([
        ["issue", ["dov"]],
        ["issue", ["fay"]],
        ["title", ["dov"]],
        ["owner", ["dov"]],
        ["comment", ["eli"]],
      ]),
    );
    expect(shown.conflicts).toHaveLength(5);
    expect(fieldsOf(shown)).toEqual(["priority"]);
    const error = await w.refused(undoGlobal, {
      body: asked(),
      headers: { "x-svc-confirm": shown.confirm },
    });
    expect(error).toMatchObject({ code: "undo_conflict", data: { conflicts: shown.conflicts } });
    expect(await w.events()).toEqual(events);
  });

  test("an undo skips what somebody reverted by hand, and what the actor changed back", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "t0", labels: ["l"] });
    const params = issue.path;
    await w.call(editIssue, { params, body: { ...CYD, title: "t1" } });
    await w.call(editIssue, { params, body: { actor: "dov", title: "t0" } });
    await w.call(removeLabel, { params: { ...params, label: "l" }, query: CYD });
    await w.call(addLabel, { params, body: { actor: "dov", label: "l" } });
    await w.call(addLabel, { params, body: { ...CYD, label: "m" } });
    await w.call(removeLabel, { params: { ...params, label: "m" }, query: CYD });
    expect(await plan(w)).toMatchObject({ reverts: [], conflicts: [], event_count: 4 });
  });

  test("an undo keeps what others wrote between two changes of the actor", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "t0" });
    for (const [actor, title] of [
      ["cyd", "t1"],
      ["dov", "t2"],
      ["cyd", "t3"],
    ] as const)
      await w.call(editIssue, { params: issue.path, body: { actor, title } });
    await undo(w);
    expect((await w.call(showIssue, { params: issue.path })).issue.title).toBe("t2");
  });

  test("an undo moves issues back, restores deleted ones and deletes restored ones again", async () => {
    const w = await world({ store: open });
    const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
    const [moved, killed, raised] = [
      await w.given.issue({ project: web, title: "moved" }),
      await w.given.issue({ project: web, title: "killed" }),
      await w.given.issue({ project: web, title: "raised" }),
    ];
    await w.given.deleted(raised);
    await w.call(moveIssue, {
      params: moved.path,
      headers: { "if-match": '"rev-1"' },
      body: { ...CYD, to_project_uid: shop.uid },
    });
    await w.call(deleteIssue, {
      params: killed.path,
      headers: { "x-svc-confirm": `DELETE ${killed.qualified_id}` },
      body: CYD,
    });
    await w.call(restoreIssue, { params: raised.path, body: CYD });
    await undo(w);
    const { issues } = await w.call(listIssues, { params: { project_id: web.id } });
    expect(issues.map(({ title }) => title).sort()).toEqual(["killed", "moved"]);
    expect(issues.find(({ title }) => title === "moved")?.short_id).toBe(moved.short_id);
  });

  test("an undo closes a reopened issue as before, with its evidence", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const message = "the parser keeps its place now and says which line it was";
    const evidence = [{ type: "commit" as const, sha: "abcdef0" }];
    await w.call(closeIssue, { params: issue.path, body: { reason: "done", message, evidence } });
    const { issue: closed } = await w.call(showIssue, { params: issue.path });
    w.clock.advance(5000);
    await w.call(reopenIssue, { params: issue.path, body: CYD });
    await undo(w);
    const { issue: after } = await w.call(showIssue, { params: issue.path });
    expect(after).toMatchObject({ status: "closed", closed_at: closed.closed_at });
    expect((await w.events()).at(-1)?.payload).toMatchObject({ reason: "done", message, evidence });
  });

  test("an undo neither closes an issue above newer open children nor makes a circle of parents", async () => {
    const w = await world({ store: open });
    const [top, low] = [
      await w.given.issue({ title: "top" }),
      await w.given.issue({ title: "low" }),
    ];
    const done = await w.given.issue({ title: "done" });
    await w.given.closed(done);
    const { id: link_id } = await w.given.link(low, "parent", top);
    await w.call(reopenIssue, { params: done.path, body: CYD });
    await w.call(deleteLink, { params: { ...low.path, link_id }, query: CYD });
    await w.given.link(top, "parent", low);
    const child = await w.given.issue({ title: "child" });
    await w.given.link(child, "parent", done);
    const { conflicts } = await plan(w);
    expect(conflicts.map(({ reason }) => reason).sort()).toEqual([
      "open_children",
      "parent_circle",
    ]);
  });

  test("an undo respects leases of others, ends an expired one, and skips archived projects", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await w.call(addLabel, { params: issue.path, body: { ...CYD, label: "l" } });
    const lease = { actor: "dov", claim_kind: "timed" as const, ttl_seconds: 60 };
    await w.call(acquireIssueLease, { params: issue.path, body: lease });
    expect((await plan(w)).conflicts).toMatchObject([{ reason: "leased", field: "label" }]);
    expect((await plan(w, { actor: "dov" })).conflicts).toEqual([]);
    const { confirm } = await plan(w);
    const refused = await w.refused(undoGlobal, {
      body: asked(),
      headers: { "x-svc-confirm": confirm },
    });
    expect(refused.code).toBe("undo_conflict");
    w.clock.advance(60_000);
    await undo(w, { actor: "dov" });
    expect((await w.call(showIssue, { params: issue.path })).issue.labels).toEqual([]);
    await w.call(addLabel, { params: issue.path, body: { ...CYD, label: "m" } });
    await w.call(removeProject, {
      params: { project_id: issue.project_id },
      query: { force: true },
    });
    expect((await plan(w)).conflicts).toMatchObject([{ reason: "project_archived" }]);
  });

  test("an undo names what cannot be undone, such as purges, and reverts the rest", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const gone = await w.given.issue({ title: "gone" });
    const params = { project_id: issue.project_id };
    await w.call(renameProject, { params, body: { ...CYD, name: "next" } });
    await w.call(purgeIssue, {
      params: gone.path,
      headers: { "x-svc-confirm": `PURGE next#${gone.short_id}` },
      body: CYD,
    });
    await w.call(addLabel, { params: issue.path, body: { ...CYD, label: "l" } });
    const done = await undo(w);
    expect(done.kept.map(({ type, qualified_id }) => [type, qualified_id])).toEqual([
      ["project.renamed", undefined],
      ["issue purge", `next#${gone.short_id}`],
    ]);
    expect(JSON.stringify(done)).not.toContain('"gone"');
    expect((await w.call(showIssue, { params: issue.path })).issue.labels).toEqual([]);
  });

  test("an undo of one project leaves other projects alone", async () => {
    const w = await world({ store: open });
    const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
    const [here, there] = [
      await w.given.issue({ project: web }),
      await w.given.issue({ project: shop }),
    ];
    for (const { path } of [here, there])
      await w.call(addLabel, { params: path, body: { ...CYD, label: "l" } });
    const params = { project_id: web.id };
    const headers = { "x-svc-confirm": "UNDO 1 OF cyd" };
    const done = await w.call(undoProject, { params, headers, body: asked() });
    expect(done).toMatchObject({ project_id: web.id, changed: true });
    expect((await w.call(showIssue, { params: here.path })).issue.labels).toEqual([]);
    expect((await w.call(showIssue, { params: there.path })).issue.labels).toEqual(["l"]);
  });

  test("an undo must be confirmed with the value that its plan returned", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await w.call(addLabel, { params: issue.path, body: { ...CYD, label: "l" } });
    const events = await w.events();
    expect(await w.refused(undoGlobal, { body: asked() })).toMatchObject({
      code: "confirm_required",
      data: { expected: "UNDO 1 OF cyd" },
    });
    const headers = { "x-svc-confirm": "UNDO 2 OF cyd" };
    expect((await w.refused(undoGlobal, { body: asked(), headers })).code).toBe("confirm_mismatch");
    expect(await w.events()).toEqual(events);
  });

  test("an undo refuses a malformed or reversed time span, a blank actor and a missing project", async () => {
    const w = await world({ store: open });
    for (const body of [
      { since: "yesterday" },
      { since: "2026-01-02T00:00:00Z", until: "2026-01-01T00:00:00Z" },
      { of_actor: " " },
      { actor: "" },
    ])
      expect((await w.refused(undoGlobal, { body: asked(body) })).code).toBe("validation");
    const params = { project_id: 99 };
    expect((await w.refused(undoProject, { params, body: asked() })).code).toBe(
      "project_not_found",
    );
  });

  test("an undo reverts a whole plan, which can be applied again under another name", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const params = { project_id: project.id };
    const issues = Array.from({ length: 50 }, (_, at) => {
      const parent = at === 0 ? {} : { parent: "n0" };
      return { name: `n${at}`, title: "planned", ...parent };
    });
    await w.call(applyPlan, { params, body: { ...CYD, plan: "p", issues } });
    expect((await undo(w)).batch?.event_ids).toHaveLength(50);
    expect((await w.call(listIssues, { params })).issues).toEqual([]);
    const again = await w.refused(applyPlan, { params, body: { ...CYD, plan: "p", issues } });
    expect(again.code).toBe("plan_invalid");
    const other = await w.call(applyPlan, { params, body: { plan: "q", issues } });
    expect(other.created).toBe(50);
  });

  test("an undo reverts an import of more than a thousand issues, with labels, links and comments", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const params = { project_id: project.id };
    const at = w.clock.now();
    const items = Array.from({ length: 1200 }, (_, number) => ({
      external_id: `e${number}`,
      title: `issue ${number}`,
      author: "ann",
      status: number % 3 === 0 ? ("closed" as const) : ("open" as const),
      created_at: at,
      updated_at: at,
      labels: ["old"],
      comments:
        number % 4 === 0
          ? [{ external_id: `c${number}`, author: "bo", body: "seen", created_at: at }]
          : [],
      links:
        number % 5 === 1 ? [{ type: "parent" as const, target_external_id: `e${number - 1}` }] : [],
    }));
    await w.call(importIssues, { params, body: { ...CYD, source: "beads", items } });
    expect(await undo(w)).toMatchObject({ changed: true, event_count: 1740 });
    expect((await w.call(listIssues, { params })).issues).toEqual([]);
    await expectFolded(w.store);
  });

  /** Makes this many simple changes of cyd, all at one new instant. */
  async function burst(w: World, project_uid: string, count: number): Promise<string> {
    w.clock.advance(1000);
    await w.store.write(async (tx) => {
      const payload = { reason: "sibling-burst", parent: "" } as const;
      for (let at = 0; at < count; at++)
        await tx.append({ type: "close.throttled", actor: "cyd", project_uid, payload });
    });
    return w.clock.now();
  }

  test("an undo reverts ten thousand changes at once, and the refusal of more names a later start with fewer", async () => {
    const w = await world({ store: open });
    const { uid } = await w.given.project();
    const first = await burst(w, uid, 2);
    await burst(w, uid, MAX_UNDO_EVENTS - 2);
    expect(await plan(w)).toMatchObject({ event_count: MAX_UNDO_EVENTS, reverts: [], kept: [] });
    await burst(w, uid, 1);
    const error = await w.refused(undoGlobal, { body: asked({ dry_run: true }) });
    const since = first.replace(".000Z", ".001Z");
    expect(error).toMatchObject({
      code: "undo_too_large",
      data: { limit: MAX_UNDO_EVENTS, since },
    });
    expect(error.hint).toContain(since);
    expect(await plan(w, { since })).toMatchObject({ event_count: MAX_UNDO_EVENTS - 1 });
    expect(await plan(w, { until: first })).toMatchObject({ event_count: 2 });
  });

  test("an undo reverts the changes of one transaction together, however many there are", async () => {
    const w = await world({ store: open });
    const { uid, path: params } = await w.given.project();
    const before = await burst(w, uid, 1);
    const many = await burst(w, uid, MAX_UNDO_EVENTS + 1);
    const error = await w.refused(undoProject, { params, body: asked({ dry_run: true }) });
    expect(error.data).toEqual({ limit: MAX_UNDO_EVENTS, since: many });
    expect(await plan(w, { since: many })).toMatchObject({ event_count: MAX_UNDO_EVENTS + 1 });
    expect(await plan(w, { until: before })).toMatchObject({ event_count: 1 });
  });

  test("an undo in portions has no conflict with a change of a later portion that the actor changed back", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const issue = await w.given.issue({ project, title: "t0", labels: ["a"] });
    const begun = w.clock.now();
    w.clock.advance(1000);
    await w.call(editIssue, { params: issue.path, body: { ...CYD, title: "t1" } });
    const fresh = await w.given.issue({ project, title: "new", ...CYD });
    const until = w.clock.now();
    w.clock.advance(1000);
    const since = w.clock.now();
    for (const title of ["t2", "t1"])
      await w.call(editIssue, { params: issue.path, body: { ...CYD, title } });
    await w.call(addLabel, { params: fresh.path, body: { ...CYD, label: "b" } });
    const query = { ...CYD };
    await w.call(removeLabel, { params: { ...fresh.path, label: "b" }, query });
    const undone_until = w.clock.now();
    w.clock.advance(1000);
    expect(await undo(w, { since })).toMatchObject({ reverts: [], conflicts: [] });
    const earlier = { since: begun, until };
    expect((await plan(w, earlier)).conflicts).toHaveLength(2);
    await undo(w, { ...earlier, undone_until });
    const { issues } = await w.call(listIssues, { params: project.path });
    expect(issues).toMatchObject([{ title: "t0", labels: ["a"] }]);
    await expectFolded(w.store);
  });

  test("an undo in portions has no conflict with children that a later portion added to its issues", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const begun = w.clock.now();
    w.clock.advance(1000);
    const parent = await w.given.issue({ project, title: "parent", ...CYD });
    const until = w.clock.now();
    w.clock.advance(1000);
    const since = w.clock.now();
    const links = [{ type: "parent", to_ref: parent.uid }] as const;
    const child = await w.given.issue({ project, title: "child", links: [...links], ...CYD });
    const link = { type: "blocks", to_ref: child.uid } as const;
    await w.call(createLink, { params: parent.path, body: { ...CYD, ...link } });
    const undone_until = w.clock.now();
    w.clock.advance(1000);
    await undo(w, { since });
    const earlier = { since: begun, until, undone_until };
    expect(await plan(w, earlier)).toMatchObject({ conflicts: [], reverts: [{ field: "issue" }] });
    const again = await plan(w, { since: begun });
    expect([again.conflicts, again.undone_before]).toEqual([[], 2]);
    await w.call(restoreIssue, { params: child.path });
    expect((await plan(w, earlier)).conflicts).toHaveLength(1);
    expect((await plan(w, { since: begun })).conflicts).toHaveLength(1);
  });

  test("an undo of an earlier portion is blocked by another actor's changes during a later portion", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "t0" });
    w.clock.advance(1000);
    await w.call(editIssue, { params: issue.path, body: { ...CYD, title: "t1" } });
    const until = w.clock.now();
    w.clock.advance(1000);
    await w.call(editIssue, { params: issue.path, body: { ...CYD, title: "t2" } });
    await w.call(editIssue, { params: issue.path, body: { actor: "dov", title: "t1" } });
    const { conflicts, reverts } = await plan(w, { until, undone_until: w.clock.now() });
    expect([conflicts.length, reverts]).toEqual([1, []]);
  });

  test.each([
    ["2020-01-01", "undone_until must be an RFC 3339 instant"],
    ["2019-12-31T23:59:59.999Z", "undone_until must not be before until"],
  ])("an undo refuses an undone_until of %s", async (undone_until, message) => {
    const w = await world({ store: open });
    const body = asked({ dry_run: true, until: BEGIN, undone_until });
    expect(await w.refused(undoGlobal, { body })).toMatchObject({ code: "validation", message });
  });

  test("an undo can be confirmed with an actor's name in any script, sent as UTF-8 in a header", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "t0" });
    await w.call(editIssue, { params: issue.path, body: { actor: "Жанна", title: "t1" } });
    const body = { of_actor: "Жанна" };
    const { confirm } = await plan(w, body);
    expect(confirm).toBe("UNDO 1 OF Жанна");
    const headers = { "x-svc-confirm": Buffer.from(confirm).toString("latin1") };
    expect(await w.call(undoGlobal, { body: asked(body), headers })).toMatchObject({
      changed: true,
    });
  });

  test("an undo in portions, the last one first, gives the same result as one undo of everything", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const issue = await w.given.issue({ project, title: "t0", labels: ["a"] });
    w.clock.advance(1000);
    const begun = w.clock.now();
    const steps = [
      async () => await w.call(editIssue, { params: issue.path, body: { ...CYD, title: "t1" } }),
      async () => await w.call(addLabel, { params: issue.path, body: { ...CYD, label: "b" } }),
      async () => await w.given.issue({ project, title: "new", ...CYD }),
      async () => await w.call(editIssue, { params: issue.path, body: { ...CYD, title: "t2" } }),
      async () =>
        await w.call(removeLabel, { params: { ...issue.path, label: "b" }, query: { ...CYD } }),
    ];
    const times: string[] = [];
    for (const step of steps) {
      w.clock.advance(1000);
      await step();
      times.push(w.clock.now());
    }
    w.clock.advance(1000);
    for (const at of times.toReversed())
      expect((await undo(w, { since: at, until: at })).conflicts).toEqual([]);
    const { issues } = await w.call(listIssues, { params: project.path });
    expect(issues).toMatchObject([{ title: "t0", labels: ["a"] }]);
    expect(await plan(w, { since: begun })).toMatchObject({ reverts: [], undone_before: 5 });
    await expectFolded(w.store);
  });
});
