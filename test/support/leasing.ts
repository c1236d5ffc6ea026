import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import {
  createFederationEnrollment,
  enableProjectFederation,
} from "../../src/contract/federation.ts";
import type { FederationSettings } from "../../src/daemon/federation.ts";
import { HttpHub } from "../../src/federation/http-hub.ts";
import type { FakeClock } from "./clock.ts";
import { countingIds } from "./ids.ts";
import { bindTo } from "./replica.ts";
import { type OpenStore, type World, world } from "./world.ts";

/** What becomes of a request to the hub: it never arrives, or its answer is lost. */
export type Trouble = "cut" | "lost";

/** A hub that is asked over a real connection, which a test can cut. */
export interface LeasingHub {
  readonly hub: World;
  readonly project: Awaited<ReturnType<World["given"]["project"]>>;
  readonly origin: string;
  /** The paths of requests about leases, in order. */
  readonly asked: string[];
  /** Decides what becomes of each later request about a lease; without it all are answered. */
  trouble(of: ((request: IncomingMessage) => Trouble | undefined) | undefined): void;
}

export async function leasingHub(
  open: OpenStore,
  fill: (hub: World, project: LeasingHub["project"]) => Promise<void>,
  ids = countingIds(),
): Promise<LeasingHub> {
  const hub = await world({ store: open, ids });
  const project = await hub.given.project();
  await fill(hub, project);
  await hub.call(enableProjectFederation, { params: project.path, body: {} });
  let troubleOf: ((request: IncomingMessage) => Trouble | undefined) | undefined;
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    const isLease = request.url?.includes("/lease") === true;
    if (isLease) asked.push(`${request.method} ${request.url}`);
    const trouble = isLease ? troubleOf?.(request) : undefined;
    if (trouble === "cut") {
      request.socket.destroy();
      return;
    }
    void responseOf(hub, request).then(async (found) => {
      if (trouble === "lost") {
        request.socket.destroy();
        return;
      }
      const { "content-length": _, ...headers } = Object.fromEntries(found.headers);
      response.writeHead(found.status, headers).end(Buffer.from(await found.arrayBuffer()));
    });
  });
  server.keepAliveTimeout = 75_000; // as the daemon: a client keeps idle connections for a shorter time
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { hub, project, origin, asked, trouble: (of) => (troubleOf = of) };
}

async function responseOf({ app }: World, request: IncomingMessage): Promise<Response> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === "string" && name !== "host") headers.set(name, value);
  const { method = "GET", url = "/" } = request;
  const body = method === "GET" ? {} : { body: new Uint8Array(Buffer.concat(parts)) };
  return await app.fetch(
    new Request(new URL(url, "http://localhost"), { method, headers, ...body }),
  );
}

/** A daemon with a copy of the hub's project. It has read the project, and sends its changes as sam. */
export async function leasingSpoke(
  open: OpenStore,
  { hub, project, origin }: LeasingHub,
  {
    start = 20_000,
    capabilities = "pull,push,claim",
    clock = hub.clock,
  }: { readonly start?: number; readonly capabilities?: string; readonly clock?: FakeClock } = {},
) {
  let token = "";
  const federation: FederationSettings = {
    intervalMs: 30_000,
    credential: async () =>
      await Promise.resolve({
        hub_url: origin,
        hub_project_id: project.id,
        token,
        capabilities: capabilities.split(","),
        actor: "sam",
        allow_insecure: false,
        spoke_instance_uid: spoke.store.instanceUid,
      }),
    hub: async (replica, { token: shown, allow_insecure, spoke_instance_uid }) =>
      await Promise.resolve(
        new HttpHub(
          { clock, trustsPrivateNetwork: false, maxMs: 60_000 },
          { ...replica, token: shown, allow_insecure, spoke_instance_uid },
        ),
      ),
  };
  const spoke: World = await world({ store: open, clock, ids: countingIds(start), federation });
  const { instanceUid: spoke_instance_uid } = spoke.store;
  const body = { spoke_instance_uid, project_id: project.id, capabilities, actor: "sam" };
  const enrollment = await hub.call(createFederationEnrollment, { body });
  token = enrollment.token ?? "";
  await bindTo(spoke, { hub, server: { origin }, project });
  const key = { project_uid: project.uid };
  await spoke.store.write(async (tx) => {
    const binding = await tx.unfolded.find("federation_binding", key);
    if (binding === undefined) throw new Error("it is bound");
    await tx.unfolded.put("federation_binding", {
      ...binding,
      push_enabled: 1,
      bound_actor: "sam",
    });
  });
  const pass = async () => await spoke.federation.pull(project.uid, new AbortController().signal);
  await pass();
  const found = await spoke.store.read(async ({ projects }) => await projects.find(project.uid));
  if (found === undefined) throw new Error("the copy is there");
  return {
    spoke,
    enrollment,
    pass,
    project_id: found.id,
    /** The path parameters of the issue with this uid, in the copy. */
    path: (uid: string) => ({ project_id: found.id, ref: uid }),
    pending: async () =>
      await spoke.store.read(async (reader) => await reader.federation.pendingLeases(project.uid)),
    mirrored: async (issue_uid: string) =>
      await spoke.store.read(
        async ({ unfolded }) => await unfolded.find("mirrored_lease", { issue_uid }),
      ),
  };
}
