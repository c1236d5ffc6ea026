import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test, vi } from "vitest";
import { listFederationEnrollments } from "../../src/contract/federation.ts";
import { leaveFederationReplica } from "../../src/contract/federation-replicas.ts";
import { getFederationStatus } from "../../src/contract/federation-status.ts";
import { resolveProject } from "../../src/contract/projects.ts";
import { mapped } from "../support/mapped.ts";
import { answer, bytesOf } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import type { World } from "../support/world.ts";

const revoked = async (w: World) =>
  (await w.call(listFederationEnrollments)).enrollments.map(
    ({ revoked_at: at }) => at !== undefined,
  );

const isEnroll = ({ url = "" }: IncomingMessage): boolean =>
  url.includes("/federation/enrollments");

/** Asks the daemon to leave with the project `a`. */
async function leave(spoke: World, body: { readonly prepare?: boolean }) {
  const { project } = await spoke.call(resolveProject, { body: { name: "a" } });
  return await spoke.call(leaveFederationReplica, { params: { project_id: project.id }, body });
}

/** On a busy machine a request may take this long. */
const SOON = { timeout: 20_000 };

const LEFT = { configured: 1, reconciled: 1, pending: 0, conflicted: 0 };

describeStore("a mapping whose project leaves its hub", (open) => {
  test("a leave waits while the hub still enrolls the mapping, and the new enrollment is then revoked", async () => {
    const { start, server, hub, spoke, credentials } = await mapped(open);
    const held: (readonly [IncomingMessage, ServerResponse])[] = [];
    server.intercept((request, response) => {
      if (isEnroll(request)) held.push([request, response]);
      else void answer(hub, request, response);
    });
    const { sweep, health } = await start();
    const swept = sweep();
    await vi.waitFor(() => expect(held).toHaveLength(1), SOON);
    let prepared = false;
    const leaving = leave(spoke, { prepare: true }).then(() => (prepared = true));
    await vi.waitFor(async () => {
      expect([...(await credentials.all()).values()]).toMatchObject([{ managed: { leave: {} } }]);
    }, SOON);
    expect(prepared).toBe(false);
    server.intercept(undefined);
    for (const [request, response] of held) void answer(hub, request, response);
    await Promise.all([swept, leaving]);
    expect(health()).toMatchObject(LEFT);
    expect(await revoked(hub)).toEqual([true]);
    await leave(spoke, {});
    expect([...(await credentials.all())]).toEqual([]);
    expect((await spoke.call(getFederationStatus)).statuses).toEqual([]);
  });

  test.each(["before", "after"])(
    "no enrollment stays active if a request to enroll gets no answer and the hub handles it %s the next request",
    async (order) => {
      const { start, server, hub, spoke, credentials } = await mapped(open);
      const late: (() => Promise<void>)[] = [];
      const sockets: { destroy(): void }[] = [];
      server.intercept((request, response) => {
        if (!isEnroll(request) || late.length > 0) return void answer(hub, request, response);
        void bytesOf(request).then((body) => {
          const unread = { writeHead: () => unread, end: () => undefined } as never;
          late.push(async () => await answer(hub, request, unread, undefined, body));
        });
        sockets.push(request.socket);
      });
      const { sweep, health } = await start();
      const swept = sweep();
      await vi.waitFor(() => expect(late).toHaveLength(1), SOON);
      const leaving = leave(spoke, { prepare: true });
      await vi.waitFor(async () => {
        expect([...(await credentials.all()).values()]).toMatchObject([{ managed: { leave: {} } }]);
      }, SOON);
      if (order === "before") await late[0]?.();
      for (const socket of sockets) socket.destroy();
      await Promise.all([swept, leaving]);
      await leave(spoke, {});
      if (order === "after") await late[0]?.();
      expect(await revoked(hub)).toEqual([true]);
      expect(health()).toMatchObject(LEFT);
      expect([...(await credentials.all())]).toEqual([]);
    },
  );

  test("a mapping is revoked at the hub and not enrolled again if the daemon restarts after the leave was prepared", async () => {
    const { start, hub, spoke, credentials } = await mapped(open);
    await (await start()).sweep();
    await leave(spoke, { prepare: true });
    const { sweep, health } = await start();
    await sweep();
    expect(health()).toMatchObject(LEFT);
    expect(await revoked(hub)).toEqual([true]);
    expect([...(await credentials.all()).values()]).toMatchObject([
      { managed: { leave: { pending_enrollment_id: 1 } } },
    ]);
    expect(await leave(spoke, {})).toMatchObject({ detached: true });
    expect([...(await credentials.all())]).toEqual([]);
  });

  test("an enrollment is found by its token and revoked after a crash between the hub's answer and the join", async () => {
    const { start, server, hub, spoke } = await mapped(open);
    server.intercept((request, response) => {
      const lost = { writeHead: () => undefined, end: () => response.destroy() };
      const to = isEnroll(request) ? (lost as unknown as ServerResponse) : response;
      void answer(hub, request, to);
    });
    await (await start()).sweep();
    expect(await revoked(hub)).toEqual([false]);
    server.intercept(undefined);
    await leave(spoke, { prepare: true });
    const { sweep, health } = await start();
    await sweep();
    expect(health()).toMatchObject(LEFT);
    expect(await revoked(hub)).toEqual([true]);
  });

  test("a mapping joins its hub again after a restart, since config.toml still has the mapping", async () => {
    const { start, hub, spoke } = await mapped(open);
    await (await start()).sweep();
    await leave(spoke, { prepare: true });
    await leave(spoke, {});
    const { sweep, health } = await start();
    await sweep();
    expect(health()).toMatchObject(LEFT);
    expect((await spoke.call(getFederationStatus)).statuses).toMatchObject([{ role: "spoke" }]);
    expect(await revoked(hub)).toEqual([false, false]);
  });

  test("a mapping has one active enrollment after its token was lost and the daemon has got another token", async () => {
    const { start, hub, spoke, credentials } = await mapped(open);
    await (await start()).sweep();
    const [uid = ""] = (await credentials.all()).keys();
    await credentials.delete(uid);
    const { sweep, health } = await start();
    await sweep();
    expect(health()).toMatchObject(LEFT);
    expect(await revoked(hub)).toEqual([true, false]);
    expect((await spoke.federation.pull(uid, new AbortController().signal)).outcome).toBe(
      "current",
    );
  });
});
