import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { call } from "../../src/client/call.ts";
import { readCatalog } from "../../src/config/catalog.ts";
import {
  createFederationEnrollment,
  enableProjectFederation,
} from "../../src/contract/federation.ts";
import { createFederationReplica } from "../../src/contract/federation-replicas.ts";
import { replicaSettingsFrom } from "../../src/daemon/replicas.ts";
import { noteStatus } from "../../src/ops/federation/replica.ts";
import { openStore } from "../../src/store/open.ts";
import { Local } from "../client/local.ts";
import { tempFolder } from "../support/daemon.ts";
import { SPOKE } from "../support/federated.ts";
import { plantQuarantine } from "../support/quarantine.ts";
import { ToolWorld } from "./tools.ts";

/** A daemon that is the hub of `web` and `api`, with an enrollment for each and one for both. */
async function hub() {
  const world = await ToolWorld.open();
  const ids: number[] = [];
  for (const name of ["web", "api"]) {
    const { id } = await world.project(name);
    const params = { project_id: id };
    await call(world.client, enableProjectFederation, { params, body: { actor: "ann" } });
    ids.push(id);
  }
  const enrollments: number[] = [];
  for (const project_id of [...ids, null]) {
    const body = { spoke_instance_uid: SPOKE, project_id, capabilities: "pull", actor: "sam" };
    enrollments.push((await call(world.client, createFederationEnrollment, { body })).id);
  }
  const [web = 0, api = 0, all = 0] = enrollments;
  return { world, web, api, all, webId: ids[0] };
}

/** A daemon with a copy of `web` whose hub refused an issue. */
async function refusedCopy() {
  const folder = tempFolder();
  const local = new Local(folder);
  const first = await local.daemon();
  const { id } = await new ToolWorld(local, await local.client()).project("web");
  await new ToolWorld(local, await local.client()).issue(id, "refused");
  await first.stop();
  const dsn = join(folder, "svc.db");
  await plantQuarantine(dsn, "web", "refused");
  await plantError(dsn, "validation");
  await local.daemon();
  return new ToolWorld(local, await local.client());
}

/** Stores the code with which the last pass of the copy ended, in a file that no daemon has open. */
async function plantError(dsn: string, last_error: string): Promise<void> {
  const store = await openStore({ dsn, clock: systemClock, ids: systemIds(), timezone: "UTC" });
  await store.write(async (tx) => {
    const [binding] = await tx.unfolded.list("federation_binding", 1);
    await noteStatus(tx, binding?.project_uid ?? "", { last_error, last_error_at: tx.now });
  });
  await store.close();
}

const NOTICE = "an error that only a server of all projects shows";

const idsIn = (answer: Readonly<Record<string, unknown>>) =>
  (answer["enrollments"] as readonly { readonly id: number }[]).map(({ id }) => id);

describe("the tools of federation", () => {
  test("show the federated projects and the enrollments in the server's scope, without secrets", async () => {
    const { world, web, api, all, webId } = await hub();
    const { answer, text } = await (await world.serve("all")).call("svc.federation_status", {});
    expect(answer["statuses"]).toHaveLength(2);
    expect(idsIn(answer)).toEqual([web, api, all]);
    expect(text).not.toMatch(/svc_fed_|[0-9a-f]{64}/);
    for (const reach of ["web", ["web"]]) {
      const { answer: some } = await (await world.serve(reach)).call("svc.federation_status", {});
      expect(some).toEqual({
        statuses: [expect.objectContaining({ project_name: "web", role: "hub", enabled: true })],
        enrollments: [
          {
            id: web,
            project_id: webId,
            spoke_instance_uid: SPOKE,
            capabilities: ["pull"],
            actor: "sam",
            revoked: false,
          },
        ],
      });
    }
  });

  test("revoke an enrollment in the server's scope, and say nothing about others", async () => {
    const { world, web, api, all } = await hub();
    const revoke = "svc.federation_enrollment_revoke";
    for (const reach of ["web", ["web"]]) {
      const client = await world.serve(reach);
      for (const id of [api, all, 99])
        expect((await client.call(revoke, { id })).failure).toBe(
          `enrollment ${id} is outside this server's scope`,
        );
      expect((await client.call(revoke, { id: web })).answer).toEqual({ id: web, revoked: true });
    }
    const client = await world.serve("all");
    expect((await client.call(revoke, { id: all })).answer).toEqual({ id: all, revoked: true });
    expect((await client.call(revoke, { id: 99 })).failure).toContain(
      "federation_enrollment_not_found",
    );
  });

  test("let a copy leave in three calls, the last of which needs a confirmation", async () => {
    const settings = { trustPrivateNetwork: false } as never;
    const replicas = replicaSettingsFrom({ settings, home: tempFolder(), catalog: [] }, []);
    const world = await ToolWorld.open({ replicas });
    const joining = {
      hub_url: "https://127.0.0.1:9",
      hub_project_id: 7,
      hub_project_uid: "01J0000000000000000000HXB1",
      project_name: "shared",
      replay_horizon_event_id: 40,
      token: "svc_fed_0123456789-0123456789",
      actor: "sam",
    };
    await call(world.client, createFederationReplica, { body: joining });
    const tools = await world.serve("all");
    const leave = async (args: object) =>
      await tools.call("svc.federation_leave", { project: "shared", ...args });
    for (const phase of ["preflight", "prepare"]) {
      const { answer, text } = await leave({ phase });
      expect(answer).toMatchObject({
        phase,
        detached: false,
        pending_enrollment: { hub_url: "https://127.0.0.1:9", hub_project_id: 7 },
      });
      expect(text).not.toContain("svc_fed_");
    }
    for (const confirm of [undefined, "COMMIT FEDERATION LEAVE web"])
      expect((await leave({ phase: "commit", confirm })).failure).toContain(
        "COMMIT FEDERATION LEAVE shared",
      );
    const some = await world.serve("shared");
    const archiving = { project: "shared", phase: "preflight", disposition: "archive" };
    expect((await some.call("svc.federation_leave", archiving)).failure).toContain(
      "--all-projects",
    );
    const confirm = "COMMIT FEDERATION LEAVE shared";
    expect((await leave({ phase: "commit", confirm })).answer).toMatchObject({ detached: true });
    expect((await leave({ phase: "commit" })).answer).toMatchObject({ detached: false });
    const forced = { phase: "commit", disposition: "archive", force: true };
    expect((await leave(forced)).failure).toContain("COMMIT FEDERATION LEAVE shared");
    expect((await leave({ ...forced, confirm })).answer).toMatchObject({ archived: true });
  });

  test("move a copy to another address of its hub only on a server of all projects, and show no secret", async () => {
    const settings = { trustPrivateNetwork: false } as never;
    const url = "https://127.0.0.1:9";
    const catalog = readCatalog([{ name: "team", url, token: "catalog-0123456789" }], "config");
    const replicas = replicaSettingsFrom({ settings, home: tempFolder(), catalog }, []);
    const world = await ToolWorld.open({ replicas });
    const joining = {
      ...{ hub_url: "https://127.0.0.1:10", hub_project_id: 7, project_name: "shared" },
      ...{ hub_project_uid: "01J0000000000000000000HXB1", replay_horizon_event_id: 40 },
      ...{ token: "svc_fed_0123456789-0123456789", actor: "sam" },
    };
    await call(world.client, createFederationReplica, { body: joining });
    const rebind = async (reach: "all" | "shared", hub_catalog: string) =>
      await (await world.serve(reach)).call("svc.federation_rebind", {
        project: "shared",
        hub_catalog,
      });
    expect((await rebind("shared", "team")).failure).toContain("--all-projects");
    expect((await rebind("all", "nobody")).failure).toContain("names no daemon");
    const offline = await rebind("all", "team");
    expect(offline.failure).toContain("federation_hub_unavailable");
    expect(offline.failure).not.toMatch(/svc_fed_|catalog-/);
  });

  test("list, show, retry and skip the batches that the hub of a copy refused", async () => {
    const world = await refusedCopy();
    const tools = await world.serve("all");
    const decide = async (args: object, client = tools) =>
      await client.call("svc.federation_quarantine", { project: "web", ...args });
    const { answer: list } = await decide({ action: "list" });
    expect(list["quarantines"]).toMatchObject([
      { id: 1, error: "validation", detail: "event 9: references unknown issue" },
    ]);
    const { answer: shown } = await decide({ action: "show", id: 1 });
    expect(shown["quarantines"]).toMatchObject([{ id: 1, events: [{ type: "issue.created" }] }]);
    const some = await decide({ action: "show", id: 1 }, await world.serve(["web"]));
    expect(some.answer["quarantines"]).toMatchObject([{ id: 1, error: NOTICE }]);
    expect(some.text).not.toContain("unknown issue");
    expect(some.text).not.toContain("validation");
    for (const reach of ["web", ["web"]]) {
      const status = await (await world.serve(reach)).call("svc.federation_status", {});
      expect(status.answer["statuses"]).toMatchObject([
        { last_error: NOTICE, active_quarantines: [{ id: 1, error: NOTICE }] },
      ]);
    }
    const whole = await tools.call("svc.federation_status", {});
    expect(whole.answer["statuses"]).toMatchObject([
      { last_error: "validation", active_quarantines: [{ id: 1, error: "validation" }] },
    ]);
    expect((await decide({ action: "show" })).failure).toBe("id is required for show");
    for (const confirm of [undefined, "SKIP FEDERATION BATCH 11", "RETRY FEDERATION BATCH 1"])
      expect((await decide({ action: "skip", id: 1, confirm })).failure).toContain(
        "SKIP FEDERATION BATCH 1",
      );
    const confirm = "SKIP FEDERATION BATCH 1";
    const skipped = await decide({ action: "skip", id: 1, confirm, reason: "not needed" });
    expect(skipped.answer).toMatchObject({
      project: { name: "web" },
      quarantines: [{ resolution: "skip", resolved_by: "bea", reason: "not needed" }],
    });
    const retry = { action: "retry", id: 1, confirm: "RETRY FEDERATION BATCH 1" };
    expect((await decide(retry)).failure).toContain("federation_quarantine_not_found");
    expect((await decide({ action: "list" })).answer["quarantines"]).toEqual([]);
    const { answer: after } = await decide({ action: "show", id: 1 });
    expect(after["quarantines"]).toMatchObject([
      { events: [{ type: "issue.created", skipped_at: expect.stringMatching(/Z$/) }] },
    ]);
  });

  test("send a batch again that the hub of a copy refused", async () => {
    const tools = await (await refusedCopy()).serve("web");
    const { answer } = await tools.call("svc.federation_quarantine", {
      ...{ project: "web", action: "retry", id: 1, confirm: "RETRY FEDERATION BATCH 1" },
    });
    expect(answer["quarantines"]).toMatchObject([{ id: 1, resolution: "retry" }]);
  });
});
