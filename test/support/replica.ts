import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { Credentials, credentialsPath } from "../../src/config/credentials.ts";
import {
  createFederationEnrollment,
  enableProjectFederation,
} from "../../src/contract/federation.ts";
import type { FederationSettings } from "../../src/daemon/federation.ts";
import { projectCreated } from "../../src/domain/drafts/projects.ts";
import type { Rows } from "../../src/domain/tables/tables.ts";
import { HttpHub } from "../../src/federation/http-hub.ts";
import type { FakeClock } from "./clock.ts";
import { tempFolder } from "./daemon.ts";
import { bindingRow } from "./federated.ts";
import { countingIds } from "./ids.ts";
import { type OpenStore, type World, world } from "./world.ts";

/** Answers a request itself, instead of the hub. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => void;

/** A world behind a real HTTP server, which its spokes use as their hub. */
export interface HubServer {
  readonly origin: string;
  readonly asked: readonly IncomingMessage[];
  /** How many connections were opened. */
  connections(): number;
  /** Lets `by` answer each later request instead of the hub. Without `by`, the hub answers again. */
  intercept(by: Intercept | undefined): void;
  /** Serves another world at the same address. */
  serve(w: Pick<World, "app">): void;
}

export async function serveHub(first: Pick<World, "app">): Promise<HubServer> {
  const asked: IncomingMessage[] = [];
  let [hub, by, connections] = [first, undefined as Intercept | undefined, 0];
  const server = http.createServer((request, response) => {
    asked.push(request);
    if (by === undefined) void answer(hub, request, response);
    else by(request, response);
  });
  // As a daemon does. By default the server ends a connection after 5 seconds without a request. On a busy machine, a
  // copy in the same process can need longer between two pages.
  server.keepAliveTimeout = 75_000;
  server.on("connection", () => (connections += 1));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    connections: () => connections,
    intercept: (next) => (by = next),
    serve: (next) => (hub = next),
  };
}

/** Lets the world answer the request. `change` edits the answer's text. `body` is given if it was already read. */
export async function answer(
  { app }: Pick<World, "app">,
  request: IncomingMessage,
  response: ServerResponse,
  change?: (text: string) => string,
  body?: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === "string" && name !== "host") headers.set(name, value);
  if (change !== undefined) headers.delete("accept-encoding");
  const url = new URL(request.url ?? "/", "http://localhost");
  const { method = "GET" } = request;
  const sent = method === "GET" ? {} : { body: body ?? (await bytesOf(request)) };
  const found = await app.fetch(new Request(url, { headers, method, ...sent }));
  const text = Buffer.from(await found.arrayBuffer());
  const { "content-length": _, ...answered } = Object.fromEntries(found.headers);
  response.writeHead(found.status, answered);
  response.end(change === undefined ? text : change(text.toString()));
}

export async function bytesOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return new Uint8Array(Buffer.concat(parts));
}

export interface Joined {
  readonly hub: World;
  readonly server: HubServer;
  readonly project: Awaited<ReturnType<World["given"]["project"]>>;
  readonly spoke: World;
  readonly enrollment: {
    readonly id: number;
    readonly token: string;
    readonly spoke_instance_uid: string;
  };
  /** Enrolls the spoke again. From then on the spoke sends the token of the new enrollment. */
  enroll(): Promise<object>;
  /** One pass of the spoke. */
  pull(): ReturnType<World["federation"]["pull"]>;
}

/** The number at which the uids of spokes begin. */
const SPOKE_IDS = 20_000;

/** A hub of the project `web`, filled by `fill`, and a spoke that is bound to it and has read nothing yet. */
export async function joined(
  open: OpenStore,
  fill: (hub: World, project: Joined["project"]) => Promise<void> = async () => undefined,
  more: SpokeOptions = {},
): Promise<Joined> {
  const hub = await world({ store: open });
  const project = await hub.given.project();
  await fill(hub, project);
  await hub.call(enableProjectFederation, { params: project.path, body: {} });
  const server = await serveHub(hub);
  const { spoke, enrollment, enroll } = await spokeOf(open, { hub, server, project }, more);
  return {
    hub,
    server,
    project,
    spoke,
    enrollment,
    enroll,
    pull: async () => await pullOf(spoke, project),
  };
}

export async function pullOf(
  { federation }: Pick<World, "federation">,
  { uid }: { readonly uid: string },
) {
  return await federation.pull(uid, new AbortController().signal);
}

interface SpokeOptions {
  /** The number at which the uids of the spoke begin. */
  readonly start?: number;
  readonly bound?: boolean;
  readonly clock?: FakeClock;
  /** Lets the spoke send its events, with the actor sam. */
  readonly push?: boolean;
  /** Lets the spoke hand over the issues of a project of its own to the hub. */
  readonly adopts?: boolean;
}

/** Another spoke of the hub. */
export async function spokeOf(
  open: OpenStore,
  { hub, server, project }: Pick<Joined, "hub" | "server" | "project">,
  {
    start = SPOKE_IDS,
    bound = true,
    clock = hub.clock,
    push = false,
    adopts = false,
  }: SpokeOptions = {},
) {
  const [capabilities, actor] = push ? (["pull,push", "sam"] as const) : (["pull", "ann"] as const);
  let token = "";
  const credential = () => ({
    hub_url: server.origin,
    hub_project_id: project.id,
    token,
    capabilities: capabilities.split(","),
    actor,
    allow_insecure: false,
    spoke_instance_uid: spoke.store.instanceUid,
  });
  const federation: FederationSettings = {
    intervalMs: 30_000,
    credential: async () => await Promise.resolve(credential()),
    hub: async (replica, { token: shown, allow_insecure, spoke_instance_uid }) =>
      await Promise.resolve(
        new HttpHub(
          { clock, trustsPrivateNetwork: false, maxMs: 60_000 },
          { ...replica, token: shown, allow_insecure, spoke_instance_uid },
        ),
      ),
  };
  const credentials = new Credentials(credentialsPath(tempFolder()));
  const spoke: World = await world({
    ...{ store: open, clock, ids: countingIds(start), federation },
    replicas: {
      credentials,
      placeOf: (hub_url) => ({ hub_url, allow_insecure: false }),
      catalogPlace: (hub_url) => ({ hub_url, allow_insecure: false }),
    },
  });
  const enroll = async () => {
    const body = { spoke_instance_uid: spoke.store.instanceUid, project_id: project.id };
    const made = await hub.call(createFederationEnrollment, {
      body: { ...body, capabilities, actor, allow_adoption_snapshot_authors: adopts },
    });
    ({ token } = made);
    await credentials.store(project.uid, credential());
    return made;
  };
  const enrollment = await enroll();
  if (bound) await bindTo(spoke, { hub, server, project }, push ? { bound_actor: actor } : {});
  return { spoke, enrollment, enroll, federation };
}

/** Binds the world to the project of the hub, as a join does. */
export async function bindTo(
  spoke: Pick<World, "store">,
  {
    hub,
    server,
    project,
  }: {
    readonly hub: Pick<World, "store">;
    readonly server: Pick<HubServer, "origin">;
    readonly project: Pick<Joined["project"], "id" | "uid" | "name">;
  },
  { bound_actor }: { readonly bound_actor?: string } = {},
): Promise<void> {
  const binding = await hub.store.read(
    async ({ unfolded }) => await unfolded.find("federation_binding", { project_uid: project.uid }),
  );
  if (binding === undefined) throw new Error("the hub has not enabled it");
  await spoke.store.write(async (tx) => {
    await tx.append(projectCreated(project.uid, project.name, { actor: "ann", now: tx.now }));
    await tx.unfolded.put("federation_binding", {
      ...binding,
      role: "spoke",
      hub_url: server.origin,
      hub_project_id: project.id,
      hub_project_uid: project.uid,
      ...(bound_actor === undefined ? {} : { push_enabled: 1, bound_actor }),
      created_at: tx.now,
      updated_at: tx.now,
    });
  });
}

/** The binding of a copy that has read nothing. */
export function bindingTo(
  hub_url: string,
  project_uid: string,
  known: {
    readonly project_id: number;
    readonly replay_horizon_event_id: number;
    readonly baseline_through_event_id?: number;
  },
  now: string,
): Rows["federation_binding"] {
  const { project_id, replay_horizon_event_id: horizon, baseline_through_event_id } = known;
  return bindingRow(project_uid, horizon, now, {
    role: "spoke",
    hub_url,
    hub_project_id: project_id,
    hub_project_uid: project_uid,
    baseline_through_event_id: baseline_through_event_id ?? horizon,
    bound_actor: "ann",
  });
}
