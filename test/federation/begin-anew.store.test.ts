import { expect, test } from "vitest";
import { exportLines } from "../../src/archive/export.ts";
import { restoreFile } from "../../src/archive/restore.ts";
import { writeFileWhole } from "../../src/archive/write-file.ts";
import { leaveFederationReplica } from "../../src/contract/federation-replicas.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { createLink } from "../../src/contract/links.ts";
import { purgeProject, removeProject } from "../../src/contract/project-actions.ts";
import { purgeIssue } from "../../src/contract/removal.ts";
import { bindReplica } from "../../src/ops/federation/bind-replica.ts";
import { openStore } from "../../src/store/open.ts";
import { deps, freshTarget, plain, scratch } from "../archive/targets.ts";
import { externalCommentRow, givenBridge } from "../support/bridges.ts";
import { countingIds } from "../support/ids.ts";
import { answer, type Joined, joined, pullOf, spokeOf } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, type World, world } from "../support/world.ts";
import { bindingOf, expectClean, rowsOf, statusOf } from "./copies.ts";

type Issue = Awaited<ReturnType<World["given"]["issue"]>>;

/** Purges an issue on the hub. */
async function purge(hub: World, { path, short_id }: Issue): Promise<void> {
  const headers = { "x-svc-confirm": `PURGE web#${short_id}` };
  await hub.call(purgeIssue, { params: path, body: {}, headers });
}

describeStore("a copy that is rebuilt from its hub", (open) => {
  test("keeps the links that other projects have to its issues, except to a purged issue", async () => {
    const { hub, spoke, project, pull } = await joined(open);
    const gone = await hub.given.issue({ project, title: "gone" });
    const [one, two] = [
      await hub.given.issue({ project, title: "one" }),
      await hub.given.issue({ project, title: "two" }),
    ];
    await hub.given.link(two, "parent", one);
    await pull();
    const local = await spoke.given.project("local");
    const here = await spoke.given.issue({ project: local, title: "here" });
    for (const to_ref of [one.uid, gone.uid])
      await spoke.call(createLink, { params: here.path, body: { type: "blocks", to_ref } });
    await spoke.call(createLink, { params: here.path, body: { type: "parent", to_ref: two.uid } });
    await expectClean(spoke);
    await purge(hub, gone);
    expect(await pull()).toMatchObject({ outcome: "current" });
    await expectClean(spoke);
    const links = await spoke.store.read(
      async (reader) => await reader.links.endsTouching([here.uid]),
    );
    expect(links.map(({ type, to_uid }) => [type, to_uid]).sort()).toEqual([
      ["blocks", one.uid],
      ["parent", two.uid],
    ]);
  });

  test("keeps the bridges of its issues, except of a purged one", async () => {
    const { hub, spoke, project, pull } = await joined(open, undefined, { push: true });
    const [gone, stays] = [
      await hub.given.issue({ project, title: "gone" }),
      await hub.given.issue({ project, title: "stays" }),
    ];
    await pull();
    const [ofGone, ofStaying] = [await givenBridge(spoke, gone), await givenBridge(spoke, stays)];
    const of = [
      [ofGone, externalCommentRow(spoke, ofGone, {})],
      [ofStaying, externalCommentRow(spoke, ofStaying, {})],
    ] as const;
    await spoke.store.write(async ({ unfolded }) => {
      for (const [, comment] of of) await unfolded.put("external_comment", comment);
    });
    await pull();
    await purge(hub, gone);
    expect(await pull()).toMatchObject({ outcome: "current" });
    const kept = await spoke.store.read(async ({ unfolded, bridges }) => ({
      bridges: await unfolded.list("external_root_binding", 10),
      comments: await unfolded.list("external_comment", 10),
      root: (await bridges.root(stays.uid))?.binding_uid,
    }));
    expect(kept).toEqual({
      bridges: [ofStaying],
      comments: [of[1][1]],
      root: ofStaying.uid,
    });
    const edit = { params: stays.path, body: { title: "other" } };
    expect(await spoke.refused(editIssue, edit)).toMatchObject({
      code: "external_root_content_owned",
    });
    await expectClean(spoke);
  });

  test("has none of the purged text in its log after the erasure", async () => {
    const { hub, spoke, project, pull } = await joined(open);
    const secret = await hub.given.issue({ project, title: "xylophone zebra", body: "quagmire" });
    await hub.given.comment({ on: secret, body: "kumquat" });
    await pull();
    await purge(hub, secret);
    await pull();
    expect(await spoke.store.erase()).toBe(open.dialect === "sqlite" ? "erased" : "unsupported");
    const text = JSON.stringify(await spoke.events());
    for (const word of ["xylophone", "quagmire", "kumquat"]) expect(text).not.toContain(word);
    await expectClean(spoke);
  });

  test("reads a hub that was restored from a backup and has a new log since then", async () => {
    const { hub, server, spoke, project, pull } = await joined(open);
    await hub.given.issue({ project, title: "in the backup" });
    const folder = await scratch();
    await pull();
    const file = await exportedTo(folder, hub);
    await hub.given.issue({ project, title: "lost" });
    await pull();
    const target = await freshTarget(open.dialect, folder);
    await restoreFile(deps, { ...plain, file, target });
    const from: OpenStore = async (options) => await openStore({ ...options, ...target });
    const restored = await world({ store: from, clock: hub.clock, ids: countingIds(60_000) });
    await restored.given.issue({ project, title: "after the restore" });
    server.serve(restored);
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await rowsOf(spoke)).toEqual(await rowsOf(restored));
    expect((await statusOf(spoke, project))?.last_reset_at).toBe(hub.clock.now());
    await expectClean(spoke);
    await restored.store.close();
  });

  test("keeps the event that created its project, even if the database has got another identity since", async () => {
    const { hub, server, spoke, project, pull } = await joined(open);
    const gone = await hub.given.issue({ project, title: "gone" });
    await hub.given.issue({ project, title: "stays" });
    await pull();
    const folder = await scratch();
    const file = await exportedTo(folder, spoke);
    const target = await freshTarget(open.dialect, folder);
    await restoreFile(deps, { ...plain, newInstance: true, file, target });
    const from: OpenStore = async (options) => await openStore({ ...options, ...target });
    const { spoke: copy } = await spokeOf(
      from,
      { hub, server, project },
      { bound: false, start: 80_000 },
    );
    const known = await bindingOf(copy, project);
    await copy.store.write(async (tx) => {
      if (known === undefined) return;
      const enabled = { enabled: 1, disabled_reason: null, hub_stamp: null } as const;
      await tx.unfolded.put("federation_binding", { ...known, ...enabled });
    });
    await copy.given.project("local");
    await purge(hub, gone);
    expect(await pullOf(copy, project)).toMatchObject({ outcome: "current" });
    expect(await rowsOf(copy)).toEqual(await rowsOf(hub));
    await expectClean(copy);
    await copy.store.close();
  });

  test("asks the hub without its old stamp if the hub's log shows that the hub was replaced", async () => {
    const { hub, server, spoke, project, pull } = await joined(open);
    await hub.given.issue({ project, title: "one" });
    await pull();
    const known = await bindingOf(spoke, project);
    const another = "01K00000000000000000000XYZ";
    let isStale = true;
    server.intercept((request, response) => {
      if (isStale && request.url?.includes("/events") === true) {
        isStale = false;
        const error = { code: "federation_replica_stale", message: "a text of the hub" };
        response.writeHead(409, { "content-type": "application/json" });
        response.end(JSON.stringify({ status: 409, error }));
        return;
      }
      delete request.headers["x-svc-log"];
      void answer(hub, request, response, (text) =>
        text.replaceAll(String(known?.hub_epoch), another),
      );
    });
    expect(await pull()).toMatchObject({ outcome: "current" });
    const binding = await bindingOf(spoke, project);
    expect(binding).toMatchObject({ enabled: 1, hub_epoch: another });
    const stamps = server.asked.map(({ headers }) => headers["x-svc-replica-stamp"]);
    expect(stamps.slice(-3)).toEqual([known?.hub_stamp, undefined, undefined]);
    await expectClean(spoke);
  });

  test("gets no events if it leaves its hub while the hub is asked where its log begins", async () => {
    const { hub, server, spoke, project, pull } = await joined(open);
    const gone = await hub.given.issue({ project, title: "gone" });
    await pull();
    await purge(hub, gone);
    server.intercept((request, response) => {
      if (request.url?.includes("/metadata") !== true) return void answer(hub, request, response);
      const { uid: project_uid } = project;
      void spoke.store
        .write(async (tx) => await tx.unfolded.remove("federation_binding", { project_uid }))
        .then(async () => await answer(hub, request, response));
    });
    const before = (await spoke.events()).length;
    expect(await pull()).toEqual({ outcome: "gone" });
    expect((await spoke.events()).length).toBe(before);
    expect(await bindingOf(spoke, project)).toBeUndefined();
  });
});

/** Ends the binding of the copy, as `svc federation leave --local-only` does. */
async function leave({ spoke, project }: Joined): Promise<number> {
  const copy = await spoke.store.read(async ({ projects }) => await projects.find(project.uid));
  if (copy === undefined) throw new Error("the copy is there");
  await spoke.call(leaveFederationReplica, { params: { project_id: copy.id }, body: {} });
  return copy.id;
}

/** Binds the project of the hub again, as a join does. */
async function rejoin({ spoke, hub, server, project }: Joined): Promise<void> {
  const at = await bindingOf(hub, project);
  if (at === undefined) throw new Error("the hub has enabled it");
  const asked = {
    hub_url: server.origin,
    hub_project_id: project.id,
    hub_project_uid: project.uid,
    project_name: project.name,
    replay_horizon_event_id: at.replay_horizon_event_id,
    baseline_through_event_id: at.baseline_through_event_id,
    capabilities: ["pull"],
    actor: "ann",
    allow_insecure: false,
    token: undefined,
    pushes: false,
  };
  const none = { stored: undefined, isNew: true, isOfOther: false, reservedFor: undefined };
  await spoke.store.write(async (tx) => await bindReplica(tx, asked, none));
}

describeStore("a project that joins its hub again", (open) => {
  test("has no issue that the hub lost by a restore from a backup meanwhile", async () => {
    const at = await joined(open);
    const { hub, server, spoke, project, pull } = at;
    await hub.given.issue({ project, title: "in the backup" });
    const folder = await scratch();
    const file = await exportedTo(folder, hub);
    const lost = await hub.given.issue({ project, title: "lost" });
    await hub.given.comment({ on: lost });
    await pull();
    await leave(at);
    const target = await freshTarget(open.dialect, folder);
    await restoreFile(deps, { ...plain, file, target });
    const from: OpenStore = async (options) => await openStore({ ...options, ...target });
    const restored = await world({ store: from, clock: hub.clock, ids: countingIds(60_000) });
    for (const title of ["one", "two", "three"]) await restored.given.issue({ project, title });
    server.serve(restored);
    await rejoin({ ...at, hub: restored });
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await rowsOf(spoke)).toEqual(await rowsOf(restored));
    await expectClean(spoke);
    await restored.store.close();
  });

  test("has all issues of the hub, also those that were purged here with the project", async () => {
    const at = await joined(open);
    const { hub, spoke, project, pull } = at;
    const one = await hub.given.issue({ project, title: "one" });
    await hub.given.issue({ project, title: "two" });
    await pull();
    const local = await spoke.given.project("local");
    const here = await spoke.given.issue({ project: local, title: "here" });
    const blocks = { type: "blocks", to_ref: one.uid } as const;
    await spoke.call(createLink, { params: here.path, body: blocks });
    const project_id = await leave(at);
    const query = { force: true };
    await spoke.call(removeProject, { params: { project_id }, query, body: {} });
    const headers = { "x-svc-confirm": "PURGE web" };
    await spoke.call(purgeProject, { params: { project_id }, body: {}, headers });
    await rejoin(at);
    expect(await pull()).toMatchObject({ outcome: "current" });
    const copied = await spoke.store.read(
      async ({ projects }) => (await projects.findByName("web"))?.uid,
    );
    expect(copied).toBe(project.uid);
    const text = JSON.stringify((await rowsOf(spoke))["issue"]);
    for (const title of ["one", "two"]) expect(text).toContain(title);
    const links = await spoke.store.read(
      async (reader) => await reader.links.endsTouching([here.uid]),
    );
    expect(links).toMatchObject([{ type: "blocks", to_uid: one.uid }]);
    await expectClean(spoke);
  });

  test("gets back an issue that was purged only here, and none that the hub has purged", async () => {
    const at = await joined(open);
    const { hub, spoke, project, pull } = at;
    const here = await hub.given.issue({ project, title: "purged here" });
    const there = await hub.given.issue({ project, title: "purged there" });
    await hub.given.issue({ project, title: "kept" });
    await pull();
    await purge(hub, there);
    await pull();
    const project_id = await leave(at);
    const headers = { "x-svc-confirm": `PURGE web#${here.short_id}` };
    const params = { project_id, ref: here.short_id };
    await spoke.call(purgeIssue, { params, body: {}, headers });
    await rejoin(at);
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await rowsOf(spoke)).toEqual(await rowsOf(hub));
    await expectClean(spoke);
  });
});

async function exportedTo(folder: string, { store }: World): Promise<string> {
  const file = `${folder}/hub.jsonl`;
  const snapshot = await store.openSnapshot();
  await writeFileWhole(file, exportLines(snapshot, { includeDeleted: true }));
  await snapshot.close();
  return file;
}
