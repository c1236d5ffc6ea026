import { expect, test } from "vitest";
import { exportLines } from "../../src/archive/export.ts";
import { restoreFile } from "../../src/archive/restore.ts";
import { writeFileWhole } from "../../src/archive/write-file.ts";
import { verifyFederationReplica } from "../../src/contract/federation-verify.ts";
import { purgeIssue } from "../../src/contract/removal.ts";
import { openBackend, openStore } from "../../src/store/open.ts";
import { deps, freshTarget, plain, scratch } from "../archive/targets.ts";
import { projectCreated } from "../store/drafts.ts";
import { countingIds } from "../support/ids.ts";
import { answer } from "../support/replica.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { type OpenStore, type World, world } from "../support/world.ts";
import { expectClean, rowsOf } from "./copies.ts";
import { type WritingCopy, writingCopy } from "./push-world.ts";

/** Writes a backup of the database. */
async function backedUp({ store }: Pick<World, "store">): Promise<string> {
  const snapshot = await store.openSnapshot();
  const file = `${await scratch()}/backup.jsonl`;
  await writeFileWhole(file, exportLines(snapshot, { includeDeleted: true }));
  await snapshot.close();
  return file;
}

/** Another database, restored from the backup. */
async function restoredFrom(
  open: OpenTestStore,
  file: string,
  { clock }: World,
  epoch?: string,
): Promise<World> {
  const target = await freshTarget(open.dialect, await scratch());
  await restoreFile(deps, { ...plain, file, target });
  if (epoch !== undefined) {
    const backend = await openBackend({ ...deps, ...target });
    const connection = await backend.writer();
    await connection.execute(`update log_head set epoch = '${epoch}'`, []);
    await backend.close();
  }
  const from: OpenStore = async (options) => await openStore({ ...options, ...target });
  return await world({ store: from, clock, ids: countingIds(60_000) });
}

/** An issue of the project that another spoke has made, with its events. */
async function madeElsewhere(
  open: OpenTestStore,
  { hub, project }: Pick<WritingCopy, "hub" | "project">,
) {
  const other = await world({ store: open, clock: hub.clock, ids: countingIds(90_000) });
  await other.append(projectCreated(project.uid, "web"));
  const known = await other.store.read(async ({ projects }) => await projects.find(project.uid));
  const local = { ...project, id: known?.id ?? 0 };
  const issue = await other.given.issue({ project: local, title: "lost" });
  const events = (await other.events()).filter(({ issue_uid }) => issue_uid === issue.uid);
  return { issue, events };
}

/** A hub that was restored after a copy had read and sent more than the backup has. */
async function restoredHub(open: OpenTestStore, keepsEpoch = false) {
  const it = await writingCopy(open);
  const { hub, spoke, local, project, pull } = it;
  const kept = await hub.given.issue({ project, title: "in the backup" });
  const own = await spoke.given.issue({ project: local, title: "sent before the backup" });
  await pull();
  const file = await backedUp(hub);
  hub.clock.advance(1000);
  const { issue: lost, events: lostEvents } = await madeElsewhere(open, it);
  await hub.store.write(async (tx) => await tx.admit(lostEvents, { fromHub: false }));
  await hub.given.comment({ on: kept, body: "lost too" });
  const later = await spoke.given.issue({ project: local, title: "sent after the backup" });
  await spoke.given.comment({ on: own, body: "sent after it too" });
  await pull();
  const { epoch } = await hub.store.read(async ({ events }) => await events.head());
  const restored = await restoredFrom(open, file, hub, keepsEpoch ? epoch : undefined);
  const serve = () =>
    it.server.intercept((request, response) => void answer(restored, request, response));
  serve();
  return { ...it, restored, kept, lost, lostEvents, own, later, serve };
}

describeStore("a copy whose hub was restored from a backup", (open) => {
  test("sends its changes again, is rebuilt, and marks those events of others that the hub has lost", async () => {
    const it = await restoredHub(open);
    const { restored, spoke, pull, lost, later, own, local } = it;
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await rowsOf(spoke)).toEqual(await rowsOf(restored));
    await expectClean(spoke);
    await expectClean(restored);
    const titles = (await rowsOf(restored))["issue"]?.join(" ") ?? "";
    expect(titles).toContain("sent before the backup");
    expect(titles).toContain("sent after the backup");
    expect(titles).not.toContain("lost");
    const marked = (await spoke.events()).filter(({ skipped_at }) => skipped_at !== undefined);
    expect(marked.map(({ type }) => type).sort()).toEqual(["issue.commented", "issue.created"]);
    expect(marked.some(({ issue_uid }) => issue_uid === lost.uid)).toBe(true);
    expect(marked.some(({ issue_uid }) => issue_uid === later.uid || issue_uid === own.uid)).toBe(
      false,
    );
    const body = { rows: true };
    expect(
      await spoke.call(verifyFederationReplica, { params: { project_id: local.id }, body }),
    ).toMatchObject({
      ...{ state: "equal", rows: { state: "equal" } },
    });
    const exported = await restoredFrom(open, await backedUp(spoke), spoke);
    const kept = (await exported.events()).filter(({ skipped_at }) => skipped_at !== undefined);
    expect(kept.map(({ uid }) => uid)).toEqual(marked.map(({ uid }) => uid));
    await exported.store.close();
    await restored.store.close();
  });

  test("is rebuilt and marks the lost events too if the hub's log has the same epoch but ends earlier", async () => {
    const it = await restoredHub(open, true);
    const { restored, spoke, pull, lost } = it;
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await rowsOf(spoke)).toEqual(await rowsOf(restored));
    expect((await rowsOf(restored))["issue"]?.join(" ")).toContain("sent after the backup");
    const marked = (await spoke.events()).filter(({ skipped_at }) => skipped_at !== undefined);
    expect(marked.some(({ issue_uid }) => issue_uid === lost.uid)).toBe(true);
    await expectClean(spoke);
    await restored.store.close();
  });

  test("is not cleared before the hub has its events, and is rebuilt once the hub accepts them", async () => {
    const it = await restoredHub(open);
    const { restored, spoke, pull, server, serve } = it;
    const before = await rowsOf(spoke);
    server.intercept((request, response) => {
      if (request.method === "POST") response.writeHead(503).end();
      else void answer(restored, request, response);
    });
    expect(await pull()).toMatchObject({ outcome: "failed" });
    expect(await rowsOf(spoke)).toEqual(before);
    expect(await it.status()).toMatchObject({ reset_blocker: "pending_push" });
    serve();
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await rowsOf(spoke)).toEqual(await rowsOf(restored));
    await restored.store.close();
  });

  test("lets marked events count again once the hub has got them back", async () => {
    const it = await restoredHub(open);
    const { restored, spoke, pull, lostEvents } = it;
    await pull();
    await restored.store.write(async (tx) => await tx.admit(lostEvents, { fromHub: false }));
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await rowsOf(spoke)).toEqual(await rowsOf(restored));
    expect((await rowsOf(spoke))["issue"]?.join(" ")).toContain("lost");
    await expectClean(spoke);
    await restored.store.close();
  });

  test("has no text of a marked issue left once the hub has purged this issue", async () => {
    const it = await restoredHub(open);
    const { restored, spoke, pull, lost, lostEvents, project } = it;
    await pull();
    await restored.store.write(async (tx) => await tx.admit(lostEvents, { fromHub: false }));
    const headers = { "x-svc-confirm": `PURGE web#${lost.short_id}` };
    const params = { project_id: project.id, ref: lost.uid };
    await restored.call(purgeIssue, { params, headers });
    expect(JSON.stringify(await spoke.events())).toContain('"lost"');
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(JSON.stringify(await spoke.events())).not.toContain('"lost"');
    expect(await rowsOf(spoke)).toEqual(await rowsOf(restored));
    await expectClean(spoke);
    await restored.store.close();
  });
});
