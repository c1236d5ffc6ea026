import { expect, test } from "vitest";
import { createComment } from "../../src/contract/comments.ts";
import {
  createFederationReplica,
  leaveFederationReplica,
} from "../../src/contract/federation-replicas.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { moveIssue } from "../../src/contract/removal.ts";
import { expectFolded } from "../store/fold.ts";
import { joined } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import type { OpenStore } from "../support/world.ts";
import { portableRows } from "./nodes/portable.ts";

/** A copy that sends its changes, has read the hub's issue, and has left its hub. */
async function given(open: OpenStore) {
  const j = await joined(
    open,
    async (hub, project) => void (await hub.given.issue({ project, title: "of the hub" })),
    { push: true },
  );
  const { spoke, project, server, enrollment } = j;
  await j.pull();
  const local = await spoke.store.read(async ({ projects, issues }) => ({
    project: await projects.find(project.uid),
    issues: await issues.list({ project_uid: project.uid, limit: 5 }, "recent"),
  }));
  const params = { project_id: local.project?.id ?? 0 };
  const ref = { ...params, ref: local.issues[0]?.uid ?? "" };
  await spoke.call(leaveFederationReplica, { params, body: {} });
  const binding = await j.hub.store.read(
    async ({ unfolded }) => await unfolded.find("federation_binding", { project_uid: project.uid }),
  );
  const join = {
    ...{ hub_url: server.origin, hub_project_id: project.id, hub_project_uid: project.uid },
    ...{ project_name: project.name, token: enrollment.token, actor: "sam" },
    replay_horizon_event_id: binding?.replay_horizon_event_id ?? 1,
    capabilities: ["pull", "push"],
  };
  const passes = async () => {
    const outcomes = [];
    for (let pass = 0; pass < 3; pass += 1) outcomes.push((await j.pull()).outcome);
    return outcomes;
  };
  return { ...j, params, ref, join, passes };
}

describeStore("a project that joins its hub again", (open) => {
  test("sends what was changed meanwhile, in the name of the enrollment's actor", async () => {
    const { hub, spoke, project, params, ref, join, passes } = await given(open);
    await spoke.call(editIssue, { params: ref, body: { title: "alone", actor: "bea" } });
    await spoke.call(createComment, { params: ref, body: { body: "seen", actor: "cyd" } });
    await spoke.given.issue({ project: { id: params.project_id } });
    const joinedAgain = await spoke.call(createFederationReplica, {
      body: { ...join, push_enabled: true },
    });
    expect(joinedAgain.binding).toMatchObject({ push_enabled: false, pushes_once_read: true });
    const refusal = await spoke.refused(editIssue, { params: ref, body: { title: "too early" } });
    expect(refusal.code).toBe("federated_read_only");
    expect(await passes()).toEqual(["more", "current", "current"]);
    const uids = new Set([project.uid]);
    expect(await portableRows(spoke.store, uids)).toEqual(await portableRows(hub.store, uids));
    const sent = (await hub.events()).filter(
      ({ origin_instance_uid }) => origin_instance_uid === spoke.store.instanceUid,
    );
    expect(sent.map(({ type, actor }) => [type, actor])).toEqual([
      ["issue.updated", "sam"],
      ["issue.commented", "sam"],
      ["issue.created", "sam"],
    ]);
    const written = (await spoke.events()).find(({ type }) => type === "issue.updated");
    expect(written).toMatchObject({ actor: "sam", local_actor: "bea" });
    await spoke.call(editIssue, { params: ref, body: { title: "after" } });
    for (const w of [hub, spoke]) await expectFolded(w.store);
  });

  test("is refused if it has unsent changes and the join does not ask to send them", async () => {
    const { spoke, ref, join } = await given(open);
    await spoke.call(editIssue, { params: ref, body: { title: "alone" } });
    const refusal = await spoke.refused(createFederationReplica, { body: join });
    expect(refusal.code).toBe("federation_rejoin_unsent");
  });

  test("is refused after an issue was moved into it, since a move cannot be sent to a hub", async () => {
    const { spoke, join } = await given(open);
    const away = await spoke.given.project("away");
    const issue = await spoke.given.issue({ project: { ...away } });
    const shown = { project_id: away.id, ref: issue.uid };
    await spoke.call(moveIssue, {
      params: shown,
      body: { to_project_uid: join.hub_project_uid },
      headers: { "if-match": `"rev-${issue.revision}"` },
    });
    const refusal = await spoke.refused(createFederationReplica, {
      body: { ...join, push_enabled: true },
    });
    expect(refusal).toMatchObject({ code: "federation_rejoin_unsent" });
    expect(refusal.message).toContain("moved");
  });
});
