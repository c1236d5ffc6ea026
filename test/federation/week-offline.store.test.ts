import { expect, test } from "vitest";
import { closeIssue, reopenIssue } from "../../src/contract/actions.ts";
import { listIssueEvents } from "../../src/contract/activity.ts";
import { editIssue, showIssue } from "../../src/contract/issues.ts";
import { addLabel, removeLabel } from "../../src/contract/labels.ts";
import { deleteIssue, moveIssue, restoreIssue } from "../../src/contract/removal.ts";
import { joined, pullOf, spokeOf } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import type { OpenStore, World } from "../support/world.ts";
import { expectClean, rowsOf } from "./copies.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A hub with one issue, and the copies of ann and of bea, which send their changes as sam's. */
async function given(open: OpenStore) {
  let uid = "";
  const it = await joined(
    open,
    async (hub, project) => {
      const issue = await hub.given.issue({ project, title: "Parser", body: "of the hub" });
      ({ uid } = issue);
      await hub.call(addLabel, { params: issue.path, body: { label: "old" } });
    },
    { push: true },
  );
  const { hub, project, spoke } = it;
  const { spoke: second } = await spokeOf(open, it, { start: 40_000, push: true });
  const copies = [spoke, second] as const;
  const sync = async (w: World) =>
    expect(await pullOf(w, project)).toMatchObject({ outcome: "current" });
  for (const w of copies) await sync(w);
  const [ann, bea] = await Promise.all(
    copies.map(
      async (w, at) => await writerOf(w, { project, uid, actor: at === 0 ? "ann" : "bea" }),
    ),
  );
  if (ann === undefined || bea === undefined) throw new Error("there are two copies");
  return { hub, project, uid, ann, bea, sync };
}

/** What a person does with the issue on a copy. */
async function writerOf(
  w: World,
  { project, uid, actor }: { project: { uid: string }; uid: string; actor: string },
) {
  const found = await w.store.read(async ({ projects }) => await projects.find(project.uid));
  const params = { project_id: found?.id ?? 0, ref: uid };
  const { qualified_id } = (await w.call(showIssue, { params })).issue;
  const headers = { "x-svc-confirm": `DELETE ${qualified_id}` };
  return {
    w,
    params,
    edit: async (fields: { title?: string; body?: string }) =>
      await w.call(editIssue, { params, body: { ...fields, actor } }),
    close: async (reason: "done" | "wontfix") =>
      await w.call(closeIssue, { params, body: { reason, source: "tui", actor } }),
    reopen: async () => await w.call(reopenIssue, { params, body: { actor } }),
    remove: async () => await w.call(deleteIssue, { params, headers, body: { actor } }),
    restore: async () => await w.call(restoreIssue, { params, body: { actor } }),
    label: async (label: string) => await w.call(addLabel, { params, body: { label, actor } }),
    unlabel: async (label: string) =>
      await w.call(removeLabel, { params: { ...params, label }, query: { actor } }),
    refusedMove: async () => {
      const { uid: to_project_uid } = await w.given.project("elsewhere");
      const { issue } = await w.call(showIssue, { params });
      const ifMatch = { "if-match": `"rev-${issue.revision}"` };
      const body = { to_project_uid, actor };
      return (await w.refused(moveIssue, { params, headers: ifMatch, body })).code;
    },
  };
}

describeStore("an issue that two copies change for a week without a network", (open) => {
  test("has the last change of each field everywhere in the end, and each log has every change", async () => {
    const { hub, project, uid, ann, bea, sync } = await given(open);
    const days: readonly (readonly (() => Promise<unknown>)[])[] = [
      [() => ann.close("done"), () => bea.edit({ title: "Parser of bea" }), () => bea.label("b")],
      [() => ann.reopen(), () => bea.close("wontfix")],
      [() => ann.edit({ title: "Parser of ann", body: "of ann" }), () => bea.label("both")],
      [() => bea.remove(), () => ann.label("a"), () => ann.label("both")],
      [() => bea.restore(), () => ann.unlabel("old")],
      [() => ann.remove(), () => bea.edit({ body: "of bea" })],
      [() => ann.restore(), () => bea.unlabel("b")],
    ];
    let changes = 0;
    for (const day of days) {
      hub.clock.advance(DAY);
      for (const change of day) {
        hub.clock.advance(HOUR);
        await change();
        changes += 1;
      }
    }
    for (const copy of [ann, bea])
      expect(await copy.refusedMove()).toBe("federated_move_unsupported");
    hub.clock.advance(HOUR);
    for (const { w } of [bea, ann, bea]) await sync(w);
    const shown = await hub.call(showIssue, { params: { project_id: project.id, ref: uid } });
    expect(shown.issue).toMatchObject({
      title: "Parser of ann",
      body: "of bea",
      status: "closed",
      closed_reason: "wontfix",
      labels: ["a", "both"],
    });
    expect(shown.issue).not.toHaveProperty("deleted_at");
    const params = { project_id: project.id, ref: uid };
    const logs = await Promise.all([
      hub.call(listIssueEvents, { params }),
      ...[ann, bea].map(async ({ w, params }) => await w.call(listIssueEvents, { params })),
    ]);
    const own = logs.map(({ events }) =>
      events
        .filter(({ origin_instance_uid }) => origin_instance_uid !== hub.store.instanceUid)
        .map(({ event_uid }) => event_uid)
        .sort(),
    );
    expect(own[0]).toHaveLength(changes);
    expect(own[1]).toEqual(own[0]);
    expect(own[2]).toEqual(own[0]);
    for (const { w } of [ann, bea]) {
      expect(await rowsOf(w)).toEqual(await rowsOf(hub));
      await expectClean(w);
    }
    await expectClean(hub);
  });
});
