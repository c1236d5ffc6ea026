import { expect, test } from "vitest";
import { listIssueEvents } from "../../../src/contract/activity.ts";
import { enableProjectFederation } from "../../../src/contract/federation.ts";
import { undoImport } from "../../../src/contract/import-batches.ts";
import { importIssues } from "../../../src/contract/imports.ts";
import { showIssue } from "../../../src/contract/issues.ts";
import { applyPlan } from "../../../src/contract/plans.ts";
import { mergeProject } from "../../../src/contract/project-actions.ts";
import { purgeIssue } from "../../../src/contract/removal.ts";
import { undoProject } from "../../../src/contract/undo.ts";
import { expectFolded } from "../../store/fold.ts";
import { about, MINUTE, otherDaemons, retitled } from "../../support/foreign.ts";
import { describeStore } from "../../support/store.ts";
import { type OpenStore, world } from "../../support/world.ts";

/** Plan, import, merge, purge and undo of what a later event of another daemon builds on. */

async function given(open: OpenStore) {
  const w = await world({ store: open });
  const project = await w.given.project();
  await w.call(enableProjectFederation, { params: project.path, body: {} });
  const issue = await w.given.issue({ project, title: "secret" });
  const { pushed } = otherDaemons(w);
  const other = await w.given.issue({ project, title: "other" });
  w.clock.advance(10 * MINUTE);
  const params = project.path;
  const at = (uid: string) => ({ uid, project_uid: project.uid });
  const show = async (uid: string) => await w.call(showIssue, { params: { ...params, ref: uid } });
  const commented = (uid: string, body: string) => {
    const comment = { comment_uid: w.ids.ulid(), author: "sam", body, created_at: w.clock.now() };
    return about(at(uid), "issue.commented", "sam", comment);
  };
  return { w, project, params, issue, other, pushed, at, show, commented };
}

const EARLY = 5 * MINUTE;
const LATE = 20 * MINUTE;

describeStore("a change by a late event of another daemon", (open) => {
  test("is kept when the plan that created the issue is applied again, and an undo of the plan is refused", async () => {
    const { w, params, pushed, at, show, commented } = await given(open);
    const since = w.clock.now();
    const body = { plan: "p", issues: [{ name: "a", title: "A" }], actor: "bea" };
    const applied = await w.call(applyPlan, { params, body });
    const uid = applied.issues[0]?.uid ?? "";
    await pushed(retitled(at(uid), "sam", "A of sam", "A"), LATE);
    await pushed(commented(uid, "of sam"), LATE + 1);
    expect(await w.call(applyPlan, { params, body })).toMatchObject({ changed: false });
    const undo = { of_actor: "bea", since, actor: "bea" };
    const plan = await w.call(undoProject, { params, body: { ...undo, dry_run: true } });
    expect(plan.conflicts).toMatchObject([
      { field: "issue", later: [{ actor: "sam" }, { actor: "sam" }] },
    ]);
    const headers = { "x-svc-confirm": plan.confirm };
    expect((await w.refused(undoProject, { params, body: undo, headers })).code).toBe(
      "undo_conflict",
    );
    expect(await show(uid)).toMatchObject({
      issue: { title: "A of sam" },
      comments: [{ body: "of sam" }],
    });
    await expectFolded(w.store);
  });

  test("is kept when the file is imported again, and when the import is undone", async () => {
    const { w, params, pushed, at, show } = await given(open);
    const item = (external_id: string, more: object) => ({
      ...{ external_id, title: external_id, body: "", author: "cat", status: "open" as const },
      ...{ created_at: "2025-05-01T10:00:00Z", updated_at: "2025-06-01T10:00:00Z" },
      ...{ labels: [], metadata: {}, comments: [], links: [], ...more },
    });
    const send = async (more: object) =>
      await w.call(importIssues, {
        params,
        body: { source: "beads", items: [item("x", more), item("y", {})] },
      });
    const first = await send({});
    const uidOf = async (id: string) => {
      const { issue_short_id = "" } = first.items.find((one) => one.external_id === id) ?? {};
      return (await show(issue_short_id)).issue.uid;
    };
    const [x, y] = [await uidOf("x"), await uidOf("y")];
    await pushed(retitled(at(x), "sam", "of sam", "x"), LATE);
    w.clock.advance(LATE);
    await send({ updated_at: "2025-07-01T10:00:00Z", body: "new text" });
    expect((await show(x)).issue).toMatchObject({ title: "of sam", body: "new text" });
    const undone = await w.call(undoImport, {
      params: { ...params, batch_uid: first.batch_uid },
      body: {},
    });
    expect(undone.conflicts).toMatchObject([{ issue_uid: x, reason: "changed_later" }]);
    expect(undone.items).toMatchObject([{ issue_uid: y, status: "deleted" }]);
    expect((await show(x)).issue).toMatchObject({ title: "of sam", body: "new text" });
    await expectFolded(w.store);
  });

  test("is kept in its project, since a federated project cannot be merged", async () => {
    const { w, project, params, issue, pushed, show } = await given(open);
    await pushed(retitled(issue, "sam", "of sam", "a"), LATE);
    const other = await w.given.project("other");
    const refusals = [
      await w.refused(mergeProject, { params, body: { source_project_id: other.id } }),
      await w.refused(mergeProject, {
        params: other.path,
        body: { source_project_id: project.id },
      }),
    ];
    expect(refusals.map(({ code }) => code)).toEqual([
      "federated_read_only",
      "federated_read_only",
    ]);
    expect((await show(issue.uid)).issue).toMatchObject({
      title: "of sam",
      project_uid: project.uid,
    });
    await expectFolded(w.store);
  });

  test.each([
    ["before", EARLY],
    ["after", LATE],
  ])("does not return after a purge if an event is folded %s the purge", async (_name, clock) => {
    const { w, params, issue: purged, other, pushed, at, show, commented } = await given(open);
    await pushed(retitled(at(purged.uid), "sam", "of sam", "secret"), LATE);
    const headers = { "x-svc-confirm": `PURGE ${purged.qualified_id}` };
    await w.call(purgeIssue, { params: purged.path, headers, body: {} });
    const drafts = [
      retitled(at(purged.uid), "sam", "again", "of sam"),
      commented(purged.uid, "still there?"),
    ];
    for (const draft of drafts) await expect(pushed(draft, clock)).rejects.toThrow("it was added");
    const blocks = { blocks_added_uids: [purged.uid], blocks_added: ["gone"], updated_at: "" };
    await pushed(about(at(other.uid), "issue.links_changed", "sam", blocks), clock + 1);
    await pushed(commented(other.uid, "kept"), clock + 2);
    expect((await w.send(showIssue, { params: { ...params, ref: purged.uid } })).status).toBe(404);
    expect(await show(other.uid)).toMatchObject({ links: [], comments: [{ body: "kept" }] });
    const { events } = await w.call(listIssueEvents, { params: other.path });
    expect(JSON.stringify(events)).not.toContain("still there?");
    const left = await w.store.read(
      async ({ past }) => await past.ofIssues([purged.uid], Number.MAX_SAFE_INTEGER),
    );
    expect(left).toEqual([]);
    await expectFolded(w.store);
  });
});
