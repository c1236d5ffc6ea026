import { expect, test } from "vitest";
import {
  createFederationEnrollment,
  enableProjectFederation,
} from "../../src/contract/federation.ts";
import { showIssueByUID } from "../../src/contract/issues.ts";
import { createLink } from "../../src/contract/links.ts";
import type { FederationSettings } from "../../src/daemon/federation.ts";
import { HttpHub } from "../../src/federation/http-hub.ts";
import { countingIds } from "../support/ids.ts";
import { bindTo, pullOf, serveHub } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, type World, world } from "../support/world.ts";
import { expectClean, rowsOf } from "./copies.ts";

/** A hub of the projects `web` and `docs`, and a daemon with copies of both, which it sends its changes as sam's. */
async function given(open: OpenStore) {
  const hub = await world({ store: open });
  const projects = [await hub.given.project("web"), await hub.given.project("docs")] as const;
  const [web, docs] = projects;
  const issue = await hub.given.issue({ project: web, title: "parser" });
  const server = await serveHub(hub);
  const tokens = new Map<string, { readonly id: number; readonly token: string }>();
  const federation: FederationSettings = {
    intervalMs: 30_000,
    credential: async (project_uid) => {
      const { id = 0, token = "" } = tokens.get(project_uid) ?? {};
      return await Promise.resolve({
        ...{ hub_url: server.origin, hub_project_id: id, token, actor: "sam" },
        ...{ capabilities: ["pull", "push"], allow_insecure: false },
        spoke_instance_uid: spoke.store.instanceUid,
      });
    },
    hub: async (replica, { token, allow_insecure, spoke_instance_uid }) =>
      await Promise.resolve(
        new HttpHub(
          { clock: hub.clock, trustsPrivateNetwork: false, maxMs: 60_000 },
          { ...replica, token, allow_insecure, spoke_instance_uid },
        ),
      ),
  };
  const { clock } = hub;
  const spoke: World = await world({ store: open, clock, ids: countingIds(20_000), federation });
  for (const project of projects) {
    await hub.call(enableProjectFederation, { params: project.path, body: {} });
    const { token } = await hub.call(createFederationEnrollment, {
      body: {
        spoke_instance_uid: spoke.store.instanceUid,
        project_id: project.id,
        ...{ capabilities: "pull,push", actor: "sam" },
      },
    });
    tokens.set(project.uid, { id: project.id, token });
    await bindTo(spoke, { hub, server, project }, { bound_actor: "sam" });
    expect(await pullOf(spoke, project)).toMatchObject({ outcome: "current" });
  }
  const sync = async (project: typeof web) =>
    expect(await pullOf(spoke, project)).toMatchObject({ outcome: "current" });
  const linksOf = async (w: World) =>
    (await w.call(showIssueByUID, { params: { uid: issue.uid } })).links;
  const local = async ({ uid }: typeof web) => {
    const found = await spoke.store.read(async (reader) => await reader.projects.find(uid));
    return { id: found?.id ?? 0 };
  };
  return { hub, spoke, web, docs, issue, sync, linksOf, local };
}

describeStore("a link to an issue that the hub has not got yet", (open) => {
  // docs/contract/federation.md#13-outcomes, row 21.
  test("is accepted but not shown at the hub, and appears there when the issue arrives", async () => {
    const { hub, spoke, web, docs, issue, sync, linksOf, local } = await given(open);
    const peer = await spoke.given.issue({ project: await local(docs), title: "manual" });
    const params = { project_id: (await local(web)).id, ref: issue.uid };
    const body = { type: "blocks" as const, to_ref: peer.uid };
    const made = await spoke.call(createLink, { params, body });
    expect(made).not.toHaveProperty("warnings");
    await sync(web);
    expect((await hub.events()).at(-1)).toMatchObject({
      type: "issue.linked",
      actor: "sam",
    });
    expect(await linksOf(hub)).toEqual([]);
    expect(await linksOf(spoke)).toMatchObject([{ to: { uid: peer.uid } }]);
    await sync(docs);
    expect(await linksOf(hub)).toMatchObject([{ type: "blocks", to: { uid: peer.uid } }]);
    await sync(web);
    expect(await rowsOf(spoke)).toEqual(await rowsOf(hub));
    await expectClean(hub);
    await expectClean(spoke);
  });
});
