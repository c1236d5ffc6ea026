import { expect, test } from "vitest";
import { undoImport } from "../../src/contract/import-batches.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { editIssue, showIssue } from "../../src/contract/issues.ts";
import { applyPlan } from "../../src/contract/plans.ts";
import { mergeProject } from "../../src/contract/project-actions.ts";
import { purgeIssue } from "../../src/contract/removal.ts";
import { undoProject } from "../../src/contract/undo.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { writingCopy } from "./push-world.ts";

/** A copy that sends its changes, and what ann does on its hub after she has read what was written on the copy. */
async function given(open: OpenTestStore) {
  const it = await writingCopy(open);
  const { hub, spoke, project } = it;
  const params = { project_id: it.local.id };
  const show = async (uid: string) =>
    await spoke.call(showIssue, { params: { ...params, ref: uid } });
  const onHub = async (uid: string, change: { title: string }) => {
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    hub.clock.advance(1000);
    const at = { project_id: project.id, ref: uid };
    await hub.call(editIssue, { params: at, body: { ...change, actor: "ann" } });
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    spoke.clock.advance(2000);
  };
  return { ...it, params, show, onHub };
}

describeStore("a change that the hub makes to an issue written on a copy", (open) => {
  test("stays if the copy applies its plan again, and the copy's undo of the plan is refused", async () => {
    const it = await given(open);
    const { spoke, params } = it;
    const since = spoke.clock.now();
    const body = { plan: "p", issues: [{ name: "a", title: "A" }], actor: "bea" };
    const applied = await spoke.call(applyPlan, { params, body });
    const uid = applied.issues[0]?.uid ?? "";
    await it.onHub(uid, { title: "A of ann" });
    expect(await spoke.call(applyPlan, { params, body })).toMatchObject({ changed: false });
    const undo = { of_actor: "bea", since, actor: "bea" };
    const plan = await spoke.call(undoProject, { params, body: { ...undo, dry_run: true } });
    expect(plan.conflicts).toMatchObject([{ field: "issue", later: [{ actor: "ann" }] }]);
    const headers = { "x-svc-confirm": plan.confirm };
    const refused = await spoke.refused(undoProject, { params, body: undo, headers });
    expect(refused.code).toBe("undo_conflict");
    expect((await it.show(uid)).issue.title).toBe("A of ann");
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    await it.expectOneHistory();
  });

  test("stays if the copy imports its file again or undoes the import", async () => {
    const it = await given(open);
    const { spoke, params } = it;
    const item = (external_id: string, more: object) => ({
      ...{ external_id, title: external_id, body: "", author: "cat", status: "open" as const },
      ...{ created_at: "2025-05-01T10:00:00Z", updated_at: "2025-06-01T10:00:00Z" },
      ...{ labels: [], metadata: {}, comments: [], links: [], ...more },
    });
    const send = async (more: object) =>
      await spoke.call(importIssues, {
        params,
        body: { source: "beads", items: [item("x", more), item("y", {})] },
      });
    const first = await send({});
    const uidOf = async (id: string) => {
      const { issue_short_id = "" } = first.items.find((one) => one.external_id === id) ?? {};
      return (await it.show(issue_short_id)).issue.uid;
    };
    const [x, y] = [await uidOf("x"), await uidOf("y")];
    await it.onHub(x, { title: "of ann" });
    await send({ updated_at: "2025-07-01T10:00:00Z", body: "new text" });
    expect((await it.show(x)).issue).toMatchObject({ title: "of ann", body: "new text" });
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    await it.expectOneHistory();
    const undone = await spoke.call(undoImport, {
      params: { ...params, batch_uid: first.batch_uid },
      body: {},
    });
    expect(undone.conflicts).toMatchObject([{ issue_uid: x, reason: "changed_later" }]);
    expect(undone.items).toMatchObject([{ issue_uid: y, status: "deleted" }]);
    expect((await it.show(x)).issue).toMatchObject({ title: "of ann", body: "new text" });
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    await it.expectOneHistory();
  });

  test("stays, since the copy can neither be merged nor purge its issues", async () => {
    const it = await given(open);
    const { spoke, params } = it;
    const made = await spoke.given.issue({ project: it.local, title: "of the copy" });
    await it.onHub(made.uid, { title: "of ann" });
    const other = await spoke.given.project("other");
    const headers = { "x-svc-confirm": `PURGE ${made.qualified_id}` };
    const refusals = [
      await spoke.refused(mergeProject, { params, body: { source_project_id: other.id } }),
      await spoke.refused(mergeProject, {
        params: other.path,
        body: { source_project_id: it.local.id },
      }),
      await spoke.refused(purgeIssue, { params: made.path, headers, body: {} }),
    ];
    expect(refusals.map(({ code }) => code)).toEqual([
      "federated_read_only",
      "federated_read_only",
      "federated_admin_required",
    ]);
    expect((await it.show(made.uid)).issue.title).toBe("of ann");
    await it.expectOneHistory();
  });
});
