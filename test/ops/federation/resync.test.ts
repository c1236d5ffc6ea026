import { expect, test } from "vitest";
import { revokeFederationEnrollment } from "../../../src/contract/federation.ts";
import { resyncFederationReplica } from "../../../src/contract/federation-replicas.ts";
import { bindingOf, rowsOf } from "../../federation/copies.ts";
import { makeHub } from "../../support/federated.ts";
import { answer, type Joined, joined as joinedTo, pullOf } from "../../support/replica.ts";
import { describeStore } from "../../support/store.ts";
import type { OpenStore } from "../../support/world.ts";

/** A copy that is disabled, since the hub has found that another copy of its database reads in its place. */
async function stale(open: OpenStore) {
  const at = await joinedTo(open, async (hub, project) => {
    await hub.given.issue({ project, title: "one" });
  });
  const { hub, spoke, project, pull } = at;
  await pull();
  const old = await bindingOf(spoke, project);
  await pull();
  await pull();
  await put(at, old);
  await hub.given.issue({ project, title: "two" });
  await pull();
  expect(await bindingOf(spoke, project)).toMatchObject({ enabled: 0 });
  const found = await spoke.store.read(async ({ projects }) => await projects.find(project.uid));
  const params = { project_id: found?.id ?? 0 };
  return {
    ...at,
    params,
    resync: async () => await spoke.call(resyncFederationReplica, { params }),
    refused: async () => await spoke.refused(resyncFederationReplica, { params }),
    binding: async () => await bindingOf(spoke, project),
  };
}

type Binding = Awaited<ReturnType<typeof bindingOf>>;

/** Stores an earlier state of the binding, as in a database that was copied or restored. */
async function put({ spoke }: Pick<Joined, "spoke">, binding: Binding): Promise<void> {
  await spoke.store.write(async (tx) => {
    if (binding !== undefined) await tx.unfolded.put("federation_binding", binding);
  });
}

describeStore("reading a copy again from the start", (open) => {
  test("gives the copy all that the hub has, and another copy of its database is then refused", async () => {
    const { hub, spoke, project, pull, resync, binding, server } = await stale(open);
    const other = await binding();
    const begun = await resync();
    expect(begun.binding).toMatchObject({ enabled: true, hub_project_id: project.id });
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await rowsOf(spoke)).toEqual(await rowsOf(hub));
    const live = await binding();
    expect(live).toMatchObject({ enabled: 1, disabled_reason: null });
    expect(live?.hub_stamp).not.toBe(other?.hub_stamp);
    // The other copy has the last stamp from before the resync.
    const answers = server.asked.length;
    if (other !== undefined) await put({ spoke }, { ...other, enabled: 1, disabled_reason: null });
    expect(await pull()).toEqual({ outcome: "gone" });
    expect(server.asked.length).toBeGreaterThan(answers);
    expect(await binding()).toMatchObject({ disabled_reason: "federation_replica_stale" });
    if (live !== undefined) await put({ spoke }, live);
    expect(await pull()).toMatchObject({ outcome: "current" });
  });

  test("is also possible for a copy that is not disabled, which is cleared and read again", async () => {
    const at = await stale(open);
    await at.resync();
    await at.pull();
    const read = await at.binding();
    await at.resync();
    expect((await at.binding())?.pull_cursor_event_id).toBeLessThan(
      read?.pull_cursor_event_id ?? 0,
    );
    await pullOf(at.spoke, at.project);
    expect(await rowsOf(at.spoke)).toEqual(await rowsOf(at.hub));
  });

  test("changes nothing if the hub cannot be reached, and the answer says so", async () => {
    const { server, refused, binding, resync } = await stale(open);
    const before = await binding();
    server.intercept((_request, response) => void response.writeHead(503).end());
    const error = await refused();
    expect([error.code, error.data]).toEqual(["federation_offline", { reason: "hub_unavailable" }]);
    expect(await binding()).toEqual(before);
    server.intercept(undefined);
    await resync();
  });

  test("changes nothing if the hub refuses the request, or is now the hub of another project", async () => {
    const { hub, server, enrollment, refused, binding, project } = await stale(open);
    const before = await binding();
    server.intercept((request, response) => {
      const change = (text: string) => text.replaceAll(project.uid, "01J0000000000000000000TTER");
      void answer(hub, request, response, change);
    });
    expect((await refused()).data).toEqual({ reason: "hub_validation" });
    server.intercept(undefined);
    await hub.call(revokeFederationEnrollment, { params: { enrollment_id: enrollment.id } });
    const error = await refused();
    expect([error.code, error.data]).toEqual([
      "federation_hub_refused",
      { reason: "auth_invalid" },
    ]);
    expect(await binding()).toEqual(before);
  });

  test("is refused if there is no token for the hub of the copy", async () => {
    const at = await stale(open);
    const binding = await at.binding();
    if (binding !== undefined) await put(at, { ...binding, hub_url: "https://other.example" });
    const error = await at.refused();
    expect([error.code, error.data]).toEqual([
      "federation_offline",
      {
        file: expect.stringMatching(/credentials\.toml$/),
        reason: "credential_missing",
      },
    ]);
  });

  test("is refused if the copy was bound to another hub while the request to its own hub ran", async () => {
    const at = await stale(open);
    const binding = await at.binding();
    at.server.intercept((request, response) => {
      const moved = { hub_url: "https://other.example" };
      void put(at, binding === undefined ? undefined : { ...binding, ...moved }).then(
        async () => await answer(at.hub, request, response),
      );
    });
    const error = await at.refused();
    expect([error.code, error.data]).toMatchObject([
      "federation_binding_conflict",
      { fields: ["hub_url"] },
    ]);
    expect(await at.binding()).toMatchObject({ enabled: 0 });
  });

  test("is refused for a project that is no copy", async () => {
    const { spoke } = await stale(open);
    const plain = await spoke.given.project("plain");
    const own = await spoke.given.project("own");
    await makeHub(spoke, own);
    const code = async (project_id: number) =>
      (await spoke.refused(resyncFederationReplica, { params: { project_id } })).code;
    expect(await code(plain.id)).toBe("federation_not_found");
    expect(await code(own.id)).toBe("not_a_spoke");
    expect(await code(99)).toBe("project_not_found");
  });
});
