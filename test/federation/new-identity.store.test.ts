import { expect, test } from "vitest";
import { enableProjectFederation } from "../../src/contract/federation.ts";
import { getProjectFederationStatus } from "../../src/contract/federation-status.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { purgeIssue } from "../../src/contract/removal.ts";
import { federationChecks } from "../../src/engines/checks/federation.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { world } from "../support/world.ts";
import { expectClean } from "./copies.ts";
import { portableRows } from "./nodes/portable.ts";
import { Spoke } from "./nodes/spoke.ts";

/** A hub with an issue, and a spoke that has sent a change of it, and has written more since. */
async function given(open: OpenTestStore) {
  const hub = await world({ store: open });
  const issue = await hub.given.issue({ title: "of the hub" });
  const project = { id: issue.path.project_id, uid: issue.project_uid ?? "", name: "web" };
  await hub.call(enableProjectFederation, { params: { project_id: project.id } });
  const old = await Spoke.start(open, hub, 1, [project], { writes: true });
  await old.join(project);
  await old.pass();
  const params = { project_id: await old.localId(project), ref: issue.uid };
  await old.world.call(editIssue, { params, body: { title: "sent" } });
  // The hub has it, but its answer is lost.
  await old.pass("unanswered");
  await old.world.call(editIssue, { params, body: { body: "not sent" } });
  await old.world.given.issue({ project: { id: params.project_id }, title: "not sent either" });
  const restored = async () =>
    await Spoke.start(open, hub, 2, [project], { copied: old, renamed: true, writes: true });
  return { hub, project, old, params, restored };
}

const doctorOf = async ({ machine: { store } }: Spoke) =>
  await store.read(async (reader) => await federationChecks.ofDatabase?.[0]?.look(reader));

describeStore("a copy that is restored with an identity of its own", (open) => {
  test("is reported to have unsent changes by the restore, by its status and by doctor", async () => {
    const { project, params, restored } = await given(open);
    const spoke = await restored();
    expect(spoke.machine.warnings).toEqual([
      expect.stringMatching(/^the hub of web has not got changes made here since .*join --push$/),
    ]);
    const status = await spoke.world.call(getProjectFederationStatus, { params });
    expect(status.statuses).toMatchObject([
      { disabled_reason: "new_instance", pending_push_count: 3, reset_blocker: "pending_push" },
    ]);
    expect(await doctorOf(spoke)).toMatchObject({
      status: "warning",
      summary: expect.stringMatching(/disabled for web .*has not got changes/),
      fix: expect.stringContaining("--push"),
    });
    expect(await spoke.join({ ...project })).toBe("done");
  });

  test("sends each unsent change once after it has joined again, as the actor of its enrollment", async () => {
    const { hub, project, old, restored } = await given(open);
    const spoke = await restored();
    expect(await spoke.join(project)).toBe("done");
    for (let pass = 0; pass < 3; pass += 1) await spoke.pass();
    const sent = (await hub.events()).filter(
      ({ origin_instance_uid }) => origin_instance_uid === spoke.machine.store.instanceUid,
    );
    expect(sent.map(({ type, actor }) => [type, actor])).toEqual([
      ["issue.updated", "sam"],
      ["issue.created", "sam"],
    ]);
    const uids = new Set([project.uid]);
    expect(await portableRows(spoke.machine.store, uids)).toEqual(
      await portableRows(hub.store, uids),
    );
    await expectClean(spoke.machine);
    await expectClean(hub);
    expect(old.machine.store.instanceUid).not.toBe(spoke.machine.store.instanceUid);
  });

  test("keeps and sends its unsent changes even if the hub has purged an issue meanwhile", async () => {
    const { hub, project, restored } = await given(open);
    const purged = await hub.given.issue({ project, title: "gone" });
    const spoke = await restored();
    const headers = { "x-svc-confirm": `PURGE ${purged.qualified_id}` };
    await hub.call(purgeIssue, { params: purged.path, body: {}, headers });
    expect(await spoke.join(project)).toBe("done");
    for (let pass = 0; pass < 4; pass += 1) await spoke.pass();
    const titles = (await hub.events()).flatMap(({ payload }) =>
      "title" in payload ? [payload.title] : [],
    );
    expect(titles).toContain("not sent either");
    const uids = new Set([project.uid]);
    expect(await portableRows(spoke.machine.store, uids)).toEqual(
      await portableRows(hub.store, uids),
    );
    await expectClean(spoke.machine);
  });
});
