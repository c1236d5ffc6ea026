import { expect, test } from "vitest";
import { createCronJob } from "../../../src/contract/cron-jobs.ts";
import {
  createFederationEnrollment,
  enableProjectFederation,
  getProjectFederation,
  listFederationEnrollments,
} from "../../../src/contract/federation.ts";
import { getProjectFederationStatus } from "../../../src/contract/federation-status.ts";
import { mergeProject, purgeProject } from "../../../src/contract/project-actions.ts";
import { renameProject } from "../../../src/contract/projects.ts";
import { moveIssue, purgeIssue } from "../../../src/contract/removal.ts";
import type { Output } from "../../../src/contract/route.ts";
import { R as NATIVE } from "../../domain/cron/bases.ts";
import {
  askHub,
  makeHub,
  type PollPage,
  type PollRequest,
  SPOKE,
} from "../../support/federated.ts";
import { describeStore } from "../../support/store.ts";
import { type OpenStore, type World, world } from "../../support/world.ts";

type Metadata = Output<typeof enableProjectFederation>;

async function given(open: OpenStore) {
  const w = await world({ store: open });
  const project = await w.given.project();
  const issue = await w.given.issue({ project, title: "one", labels: ["ui"] });
  await w.given.issue({ project, title: "two" });
  return { w, project, issue };
}

/** A federated project, and a spoke that may read it. */
async function hub(open: OpenStore) {
  const all = await given(open);
  const { w, project } = all;
  const enabled = await w.call(enableProjectFederation, { params: project.path });
  const body = { spoke_instance_uid: SPOKE, project_id: project.id, capabilities: "pull" };
  const { token } = await w.call(createFederationEnrollment, { body });
  const ask = async (what: "metadata" | "events", asked: PollRequest = {}) =>
    await askHub(w, `/projects/${project.id}/federation/${what}`, { token, ...asked });
  return { ...all, enabled, token, ask };
}

async function purge(w: World, issue: { readonly path: { project_id: number; ref: string } }) {
  const [shown] = await w.store.read(
    async ({ projects }) => [await projects.findById(issue.path.project_id)] as const,
  );
  const found = await w.store.read(async ({ issues }) => await issues.find(issue.path.ref));
  const headers = { "x-svc-confirm": `PURGE ${shown?.name}#${found?.short_id}` };
  await w.call(purgeIssue, { params: issue.path, headers, body: { actor: "ann" } });
}

const kindsOf = ({ events }: PollPage) => events.map(({ type }) => type);

describeStore("enabling federation for a project", (open) => {
  test("writes one baseline with one clock, and a repeated request changes nothing and gets the same answer", async () => {
    const { w, project } = await given(open);
    const before = (await w.events()).at(-1)?.id ?? 0;
    const params = project.path;
    const enabled = await w.call(enableProjectFederation, { params, actor: "tom" });
    const { events, head } = await w.store.read(async (reader) => ({
      events: await reader.events.after(before, 100),
      head: await reader.events.head(),
    }));
    expect(enabled).toEqual({
      project_id: project.id,
      project_uid: project.uid,
      project_name: "web",
      replay_horizon_event_id: before + 1,
      baseline_through_event_id: before + 3,
      required_event_features: [],
      epoch: head.epoch,
      chain: head.chain,
      last_event_id: before + 3,
    });
    expect(head.last_event_id).toBe(before + 3);
    expect(events.map(({ type }) => type)).toEqual([
      ...["project.federation_enabled", "issue.snapshot", "issue.snapshot"],
    ]);
    expect(new Set(events.map(({ actor }) => actor))).toEqual(new Set(["tom"]));
    w.clock.advance(60_000);
    expect(await w.call(enableProjectFederation, { params })).toEqual(enabled);
    expect(await w.call(getProjectFederation, { params })).toEqual(enabled);
    const [status] = (await w.call(getProjectFederationStatus, { params })).statuses;
    expect(status).toMatchObject({ role: "hub", pull_cursor_event_id: before });
  });

  test("twice at once writes one baseline", async () => {
    const { w, project } = await given(open);
    const params = project.path;
    const both = await Promise.all(
      [1, 2].map(async () => await w.call(enableProjectFederation, { params })),
    );
    expect(both[0]).toEqual(both[1]);
    const kinds = (await w.events()).filter(({ type }) => type === "project.federation_enabled");
    expect(kinds).toHaveLength(1);
  });

  test("is refused for a copy and for an archived project", async () => {
    const { w, project } = await given(open);
    const gone = await w.given.project("gone");
    await w.given.archived(gone);
    await makeHub(w, project, { role: "spoke", hub_url: "https://hub.example" });
    const codeFor = async (of: { readonly path: { project_id: number } }) =>
      (await w.refused(enableProjectFederation, { params: of.path })).code;
    expect(await codeFor(project)).toBe("not_a_hub");
    expect((await w.refused(getProjectFederation, { params: project.path })).code).toBe(
      "not_a_hub",
    );
    expect(await codeFor(gone)).toBe("project_not_found");
  });

  test("enables a binding that was disabled, and begins at a new baseline", async () => {
    const { w, project, enabled, ask } = await hub(open);
    await makeHub(w, project, { enabled: 0, disabled_reason: "new_instance" });
    expect((await ask("metadata")).code).toBe("auth_invalid");
    const again = await w.call(enableProjectFederation, { params: project.path });
    expect(again.replay_horizon_event_id).toBeGreaterThan(enabled.baseline_through_event_id);
    const [status] = (await w.call(getProjectFederationStatus, { params: project.path })).statuses;
    expect(status).toMatchObject({ enabled: true });
    expect(status).not.toHaveProperty("disabled_reason");
    expect((await ask("metadata")).status).toBe(200);
  });

  test("forbids moves, merges and a purge of the project, which copies could not follow", async () => {
    const { w, project, issue } = await hub(open);
    const other = await w.given.project("other");
    const stranger = await w.given.issue({ project: other });
    const merge = async (into: typeof project, from: typeof other) =>
      (await w.refused(mergeProject, { params: into.path, body: { source_project_id: from.id } }))
        .code;
    expect(await merge(project, other as never)).toBe("federated_read_only");
    expect(await merge(other as never, project as never)).toBe("federated_read_only");
    const move = async (of: typeof issue, to: string) => {
      const headers = { "if-match": '"rev-1"' };
      return (
        await w.refused(moveIssue, { params: of.path, headers, body: { to_project_uid: to } })
      ).code;
    };
    expect(await move(issue, other.uid)).toBe("federated_move_unsupported");
    expect(await move(stranger as never, project.uid)).toBe("federated_move_unsupported");
    await w.given.archived(project);
    const headers = { "x-svc-confirm": "PURGE web" };
    const { code } = await w.refused(purgeProject, { params: project.path, headers });
    expect(code).toBe("federated_read_only");
  });
});

describeStore("the metadata that a spoke reads", (open) => {
  test("say where the baseline begins, and a poll from there returns the whole baseline and all later events", async () => {
    const { w, project, issue, enabled, ask } = await hub(open);
    await w.call(renameProject, { params: project.path, body: { name: "site" } });
    await w.given.comment({ on: issue });
    const { status, body, headers } = await ask("metadata");
    const metadata = body as unknown as Metadata;
    expect(status).toBe(200);
    expect(metadata).toMatchObject({
      project_name: "site",
      replay_horizon_event_id: enabled.replay_horizon_event_id,
      baseline_through_event_id: enabled.baseline_through_event_id,
      epoch: enabled.epoch,
    });
    expect(headers.get("x-svc-event-features")).toBe(
      "cron_notify_children_v1, cron_v1, external_roots_v1",
    );
    expect(headers.get("x-svc-required-event-features")).toBe("");

    const page = (await ask("events", { after_id: metadata.replay_horizon_event_id - 1 })).body;
    expect(kindsOf(page)).toEqual([
      ...["project.federation_enabled", "issue.snapshot", "issue.snapshot"],
      "issue.commented",
    ]);
    const baseline = page.events.slice(0, 3);
    for (const field of ["hlc_physical_ms", "hlc_counter", "created_at"] as const)
      expect(new Set(baseline.map((event) => event[field])).size, field).toBe(1);
    expect((await ask("events")).body.events).toEqual(page.events);
    expect((await w.call(listFederationEnrollments)).enrollments[0]?.last_used_at).toBe(
      w.clock.now(),
    );
  });

  test("make the hub write a new baseline if the old one contains a purged issue, and the spoke begins at the new one", async () => {
    const { w, issue, enabled, ask } = await hub(open);
    const cursor = (await ask("events")).body.next_after_id;
    await purge(w, issue);
    expect((await ask("events", { after_id: cursor })).body.reset_required).toBe(true);
    expect((await ask("events", { after_id: 0 })).body.reset_required).toBe(true);

    const fresh = (await ask("metadata")).body as unknown as Metadata;
    expect(fresh.replay_horizon_event_id).toBeGreaterThan(enabled.baseline_through_event_id);
    expect((await ask("metadata")).body).toMatchObject({
      replay_horizon_event_id: fresh.replay_horizon_event_id,
      baseline_through_event_id: fresh.baseline_through_event_id,
    });
    const page = (await ask("events", { after_id: fresh.replay_horizon_event_id - 1 })).body;
    expect(kindsOf(page)).toEqual(["project.federation_enabled", "issue.snapshot"]);
    expect(page.events[0]?.payload).toMatchObject({ purged_uids: [issue.uid] });
    expect(JSON.stringify(page.events.slice(1))).not.toContain(issue.uid);
  });

  test("are refused if the spoke lacks an event feature that the project needs, and no baseline is written", async () => {
    const { w, project, issue, ask } = await hub(open);
    const parent = await w.given.issue({ project });
    const definition = { ...NATIVE, issue: { ...NATIVE.issue, parent_uid: parent.uid } };
    const body = { name: "nightly", definition: definition as never };
    await w.call(createCronJob, { params: project.path, body });
    await purge(w, issue);
    const lastId = async () => await w.store.read(async ({ events }) => await events.lastId());
    const before = await lastId();
    for (const what of ["metadata", "events"] as const) {
      const answer = await ask(what, { headers: { "x-svc-event-features": "cron_v1" } });
      expect(answer).toMatchObject({ status: 409, code: "unsupported_event_features" });
      expect(answer.text).not.toMatch(/event_id|epoch|horizon/);
    }
    expect(await lastId()).toBe(before);
    expect((await ask("metadata")).status).toBe(200);
    expect(await lastId()).toBeGreaterThan(before);
  });

  test("need a token with the capability pull, and an active project", async () => {
    const { w, project, ask } = await hub(open);
    const body = { spoke_instance_uid: SPOKE, project_id: project.id, capabilities: "push" };
    const { token } = await w.call(createFederationEnrollment, { body });
    expect((await ask("metadata", { token })).code).toBe("auth_invalid");
    expect((await ask("metadata", { token: "" })).code).toBe("auth_required");
    await w.given.archived(project);
    expect((await ask("metadata")).code).toBe("project_not_found");
  });
});
