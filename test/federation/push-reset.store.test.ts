import { expect, test } from "vitest";
import { resyncFederationReplica } from "../../src/contract/federation-replicas.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { databaseChecks } from "../../src/engines/checks/all.ts";
import { findReplica } from "../../src/ops/federation/replica.ts";
import { resetReplica } from "../../src/ops/federation/reset-replica.ts";
import { answer } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import { type WritingCopy, writingCopy } from "./push-world.ts";

const HOUR = 3_600_000;

/** Tries to clear the copy, as a pass does when the hub asks for it. */
async function reset({ spoke, hub, project }: WritingCopy) {
  const replica = await spoke.store.read(async (reader) => await findReplica(reader, project.uid));
  if (replica === undefined) throw new Error("there is a copy");
  const { epoch, last_event_id } = await hub.store.read(async ({ events }) => await events.head());
  const at = { replay_horizon_event_id: 2, baseline_through_event_id: 2, epoch, last_event_id };
  return await resetReplica(spoke, { replica, ...at, forgets_stamp: false });
}

const resynced = (it: WritingCopy) => ({ params: { project_id: it.local.id } });

async function foundBy({ spoke }: WritingCopy) {
  const check = databaseChecks().find(({ id }) => id === "storage.federation");
  return await spoke.store.read(async (reader) => await check?.look(reader));
}

describeStore("a copy with changes that its hub lacks", (open) => {
  test("is cleared neither by a pass nor by a person before the hub has the changes", async () => {
    const it = await writingCopy(open);
    await it.spoke.given.issue({ project: it.local, title: "unsent" });
    expect(await reset(it)).toBe("pending_push");
    const refused = await it.spoke.refused(resyncFederationReplica, resynced(it));
    expect(refused).toMatchObject({
      code: "federation_reset_blocked",
      data: { reset_blocker: "pending_push" },
    });
    await it.pull();
    await it.spoke.call(resyncFederationReplica, resynced(it));
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    await it.expectOneHistory();
  });

  test("is not cleared before somebody has decided about the changes that the hub refused", async () => {
    const it = await writingCopy(open);
    await it.spoke.given.issue({ project: it.local });
    it.server.intercept((_request, response) => response.writeHead(400).end());
    await it.pull();
    it.mend();
    expect(await reset(it)).toBe("quarantine");
    const refused = await it.spoke.refused(resyncFederationReplica, resynced(it));
    expect(refused.data).toMatchObject({ reset_blocker: "quarantine" });
    expect(refused.hint).toContain("svc federation quarantine");
  });

  test("is rebuilt by a resync if it was disabled, and sends its changes before it is cleared", async () => {
    const it = await writingCopy(open);
    const { spoke, project } = it;
    await spoke.given.issue({ project: it.local, title: "written just before" });
    await spoke.store.write(async (tx) => {
      const row = await tx.unfolded.find("federation_binding", { project_uid: project.uid });
      const disabled = { enabled: 0, disabled_reason: "federation_replica_stale" } as const;
      if (row) await tx.unfolded.put("federation_binding", { ...row, ...disabled });
    });
    await spoke.call(resyncFederationReplica, resynced(it));
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    expect(it.batches.flatMap(({ events }) => events)).toHaveLength(1);
    await it.expectOneHistory();
  });

  test("drops changes that the hub has accepted but not sent back, and reads them again with the new baseline", async () => {
    const it = await writingCopy(open);
    const { hub, spoke, server } = it;
    const issue = await spoke.given.issue({ project: it.local, title: "first" });
    await it.pull();
    await spoke.call(editIssue, { params: issue.path, body: { title: "second" } });
    // The hub accepts the change, and cannot be reached when the copy reads.
    server.intercept((request, response) => {
      if (request.method === "POST") void answer(hub, request, response);
      else response.writeHead(503).end();
    });
    expect(await it.pull()).toMatchObject({ outcome: "failed" });
    expect(await it.status()).toMatchObject({ pending_push_count: 0 });
    it.mend();
    hub.clock.advance(1000);
    await hub.call(editIssue, {
      params: { project_id: it.project.id, ref: issue.uid },
      body: { title: "third" },
    });
    expect(await reset(it)).toBe("reset");
    expect((await spoke.events()).some(({ issue_uid }) => issue_uid === issue.uid)).toBe(false);
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    await it.expectOneHistory();
  });

  test("is named by doctor, with the time of the first change", async () => {
    const it = await writingCopy(open);
    expect(await foundBy(it)).toMatchObject({ status: "ok" });
    const since = it.hub.clock.now();
    await it.spoke.given.issue({ project: it.local });
    it.server.intercept((_request, response) => response.writeHead(503).end());
    await it.pull();
    expect(await foundBy(it)).toMatchObject({
      status: "warning",
      summary: expect.stringContaining(`not got changes made here since ${since}`),
    });
    await it.spoke.store.write(async (tx) => {
      const project_uid = it.project.uid;
      const row = await tx.unfolded.find("federation_sync_status", { project_uid });
      if (row) await tx.unfolded.put("federation_sync_status", { ...row, last_error: null });
    });
    expect(await foundBy(it)).toMatchObject({ status: "ok" });
    it.hub.clock.advance(HOUR);
    await it.spoke.store.write(async (tx) => {
      const project_uid = it.project.uid;
      const row = await tx.unfolded.find("federation_sync_status", { project_uid });
      const started = { last_pull_started_at: tx.now };
      if (row) await tx.unfolded.put("federation_sync_status", { ...row, ...started });
    });
    expect(await foundBy(it)).toMatchObject({ status: "warning" });
  });
});
