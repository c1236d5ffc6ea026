import { onTestFinished } from "vitest";
import type { Clock } from "../../src/base/clock.ts";
import type { Ids } from "../../src/base/ids.ts";
import { silentLog } from "../../src/base/log.ts";
import type { EmbeddingsConfig } from "../../src/config/embeddings.ts";
import { closeIssue } from "../../src/contract/actions.ts";
import { createComment } from "../../src/contract/comments.ts";
import type { ErrorBody } from "../../src/contract/errors.ts";
import type { EventKind, StoredEvent } from "../../src/contract/events.ts";
import { createIssue, patchIssueMetadata } from "../../src/contract/issues.ts";
import { createLink } from "../../src/contract/links.ts";
import { initProject } from "../../src/contract/projects.ts";
import type { Input, Output, Route } from "../../src/contract/route.ts";
import { Nothing } from "../../src/contract/shape.ts";
import { BASE_PATH } from "../../src/contract/version.ts";
import type { Authenticate } from "../../src/daemon/access/authenticate.ts";
import { createApp } from "../../src/daemon/app.ts";
import { type ConnectorSettings, LazyConnectors } from "../../src/daemon/connectors.ts";
import {
  type DaemonFederation,
  type FederationSettings,
  federationOf,
} from "../../src/daemon/federation.ts";
import { type IssueSyncSettings, issueSyncOf } from "../../src/daemon/issue-sync.ts";
import { forgetLeftTokens } from "../../src/daemon/lifecycle/left-tokens.ts";
import { LazyMeaning } from "../../src/daemon/meaning/lazy-meaning.ts";
import type { MeaningNeeds } from "../../src/daemon/meaning/meaning.ts";
import { Recorder } from "../../src/daemon/profiling/recorder.ts";
import { type ReplicaSettings, replicasOf } from "../../src/daemon/replicas.ts";
import { addRoutes } from "../../src/daemon/routes/all.ts";
import type { Pages } from "../../src/daemon/routes/ui.ts";
import { EventHub } from "../../src/daemon/stream/hub.ts";
import type { LinkType } from "../../src/domain/state.ts";
import type { ExternalRoots } from "../../src/ops/bridges/external-roots.ts";
import type { OpSettings } from "../../src/ops/deps.ts";
import { envelopesOut } from "../../src/ops/out/events.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { FakeClock } from "./clock.ts";
import { DETACHED_HOST } from "./detached-host.ts";
import { countingIds } from "./ids.ts";
import { sawAnswer } from "./seen.ts";

/** How `describeStore` opens a store: each test gets an empty database. */
export type OpenStore = (options: {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timezone: string;
}) => Promise<AdminStore>;

export interface WorldOptions {
  readonly store: OpenStore;
  readonly settings?: Partial<OpSettings>;
  /** Decides who makes the requests. By default they come from an unnamed caller without a credential. */
  readonly authenticate?: Authenticate;
  /** Where the daemon's pages are. If absent, there are none. */
  readonly pages?: Pages;
  /** What issue sync reads. If absent, no repository can be read. */
  readonly issueSync?: IssueSyncSettings;
  /** How hubs are asked. If absent, no hub is asked. */
  readonly federation?: FederationSettings;
  /** What joins and leaves use. If absent, no project can be joined. */
  readonly replicas?: ReplicaSettings;
  /** The connectors. If absent, there are none. */
  readonly connectors?: ConnectorSettings;
  /** Connectors without programs, instead of `connectors`. */
  readonly roots?: ExternalRoots;
  /** The provider of search by meaning, and the database that the store is opened on. If absent, there is none. */
  readonly meaning?: Pick<MeaningNeeds, "database"> & {
    readonly settings: EmbeddingsConfig;
    readonly readonly?: boolean;
  };
  /** By default they count from one. Worlds that know each other need different ones. */
  readonly ids?: Ids;
  /** By default a clock of its own. Worlds that know each other may share one. */
  readonly clock?: FakeClock;
}

/** What a test gives for a call. Everything else is empty, and the actor is `WORLD_ACTOR`. */
export interface CallInput<T extends Route> {
  readonly params?: Input<T>["params"];
  readonly query?: Partial<Input<T>["query"]>;
  readonly headers?: Partial<Input<T>["headers"]>;
  readonly body?: Partial<Input<T>["body"]>;
  /** The actor, if the route takes one. */
  readonly actor?: string;
}

export const WORLD_ACTOR = "ann";

/** Makes a store, the app on top of it, and functions to fill it. Each test has its own. */
export async function world({
  store: open,
  settings = {},
  pages,
  issueSync,
  federation,
  replicas,
  connectors: configured,
  roots,
  meaning: provided,
  clock = new FakeClock(),
  ids = countingIds(),
  ...host
}: WorldOptions) {
  const opSettings: OpSettings = {
    timezone: "UTC",
    close_throttle: { enabled: false, window_ms: 60_000, limit: 3 },
    ...settings,
  };
  const store = await open({ clock, ids, timezone: opSettings.timezone });
  const bare = createApp({ ...DETACHED_HOST, ...host });
  const app = {
    ...bare,
    fetch: async (request: Request) => {
      const response = await bare.fetch(request);
      await sawAnswer(request, response);
      return response;
    },
  };
  const hub = new EventHub({ store, clock, log: silentLog, envelopes: envelopesOut });
  const info = {
    version: "0.0.0",
    startedAt: clock.now(),
    uptimeMs: () => 0,
    dbPath: "test",
    idle: undefined,
  };
  const deps = { store, clock, ids, settings: opSettings };
  const engines = { ...deps, log: silentLog, worker: undefined };
  const sync = issueSyncOf(issueSync, engines);
  const forgetTokens = async () => await forgetLeftTokens({ store, federation: copies }, silentLog);
  const pass = async (uid: string) => void (await spoke.pull(uid, new AbortController().signal));
  const spoke: DaemonFederation = federationOf(federation, {
    ...engines,
    forgetTokens,
    send: pass,
  });
  let wakes = 0;
  const wake = (project_uid: string) => {
    wakes += 1;
    spoke.wake(project_uid);
  };
  const { confirm, leases, askAt, drained, digests } = spoke;
  const copies = replicasOf(replicas, {
    ...engines,
    wake,
    confirm,
    leases,
    askAt,
    drained,
    digests,
  });
  const recorder = new Recorder(clock);
  const meaning =
    provided &&
    new LazyMeaning(provided.settings, {
      readonly: false,
      ...provided,
      store,
      clock,
      log: silentLog,
    });
  const connectors = configured && new LazyConnectors(configured, silentLog);
  onTestFinished(async () => {
    await meaning?.stop();
    await connectors?.stop();
  });
  const rootsOnly = roots && {
    ...{ configured: 1, get: async () => await Promise.resolve(roots) },
    during: async <T>(run: () => Promise<T>) => await run(),
  };
  const others = {
    issueSync: sync.farSide,
    connectors: connectors ?? rootsOnly,
    meaning,
    replicas: copies,
  };
  const hosts = { info, hub, recorder, ...others };
  addRoutes(app, deps, { ...hosts, ...(pages === undefined ? {} : { pages }) });
  onTestFinished(() => hub.close());

  /** Sends the request and returns the raw answer. */
  async function send<T extends Route>(route: T, input: CallInput<T> = {}): Promise<Response> {
    return await app.fetch(requestOf(route, input));
  }

  /** Makes a call that must succeed, and returns the answer after a check against the contract. */
  async function call<T extends Route>(route: T, input: CallInput<T> = {}): Promise<Output<T>> {
    const response = await send(route, input);
    const body: unknown = response.status === 204 ? {} : await response.json();
    if (response.status !== route.status) {
      throw new Error(`${route.id} answered ${response.status}: ${JSON.stringify(body)}`);
    }
    return route.response().parse(body) as Output<T>;
  }

  /** Makes a call that must be refused, and returns the error. */
  async function refused<T extends Route>(
    route: T,
    input: CallInput<T> = {},
  ): Promise<ErrorBody["error"]> {
    const response = await send(route, input);
    const body = (await response.json()) as ErrorBody;
    if (response.status < 400) {
      throw new Error(`${route.id} was not refused: ${JSON.stringify(body)}`);
    }
    if (body.status !== response.status) throw new Error("the body repeats another status");
    return body.error;
  }

  async function events(): Promise<readonly StoredEvent[]> {
    return await store.read(async (reader) => await reader.events.after(0, 1_000_000));
  }

  /** Returns the kinds of the events about issues, in the order of the log. */
  async function eventKinds(): Promise<readonly EventKind[]> {
    return (await events()).map(({ type }) => type).filter((type) => type.startsWith("issue."));
  }

  /** Appends an event that no route of this release writes. */
  const append: Parameters<Parameters<AdminStore["write"]>[0]>[0]["append"] = async (draft) =>
    await store.write(async (tx) => await tx.append(draft));

  let defaultProject: Awaited<ReturnType<typeof project>> | undefined;

  async function project(name = "web") {
    const created = await call(initProject, { body: { name } });
    return { ...created.project, path: { project_id: created.project.id } };
  }

  async function issue(fields: GivenIssue = {}) {
    const { project: of, title = "an issue", ...rest } = fields;
    defaultProject ??= of === undefined ? await project() : undefined;
    const owner = of ?? defaultProject;
    if (owner === undefined) throw new Error("no project to put the issue in");
    const params = { project_id: owner.id };
    const body = { title, force_new: true, ...rest };
    const created = await call(createIssue, { params, body });
    return { ...created.issue, path: { project_id: owner.id, ref: created.issue.uid } };
  }

  type Given = Awaited<ReturnType<typeof issue>>;

  const given = {
    project,
    /** Creates an issue, in the project `web` if no project is named. */
    issue,
    async comment(fields: { author?: string; body?: string; on?: Given } = {}) {
      const on = fields.on ?? (await issue());
      const body = { body: fields.body ?? "a comment", actor: fields.author ?? WORLD_ACTOR };
      const { comment } = await call(createComment, { params: on.path, body });
      return { issue: on, comment: { ...comment, path: { ...on.path, comment_ref: comment.uid } } };
    },
    async link(from: Given, type: LinkType, to: Given) {
      const created = await call(createLink, { params: from.path, body: { type, to_ref: to.uid } });
      return created.link;
    },
    async metadata(on: Given, patch: Input<typeof patchIssueMetadata>["body"]["patch"]) {
      await call(patchIssueMetadata, { params: on.path, body: { patch } });
    },
    /** Closes the issue as the owner of the machine may, without evidence. */
    async closed(on: Given) {
      await call(closeIssue, { params: on.path, body: { source: "tui" } });
    },
    async deleted(on: { readonly uid: string; readonly project_uid?: string | undefined }) {
      await append({
        type: "issue.soft_deleted",
        actor: WORLD_ACTOR,
        project_uid: on.project_uid ?? "",
        issue_uid: on.uid,
        payload: { deleted_at: clock.now() },
      });
    },
    async archived(of: { readonly uid: string }) {
      await append({
        type: "project.removed",
        actor: WORLD_ACTOR,
        project_uid: of.uid,
        payload: { alias_count: 0, open_issues: 0, force: true },
      });
    },
  };

  return {
    app,
    clock,
    ids,
    settings: opSettings,
    store,
    issueSync: sync,
    meaning,
    federation: spoke,
    /** How many times the engine of federation was woken, for example by a join. */
    federationWakes: () => wakes,
    /** What joins, leaves and rebinds use. */
    replicas: copies,
    send,
    call,
    refused,
    events,
    eventKinds,
    append,
    given,
  };
}

export type World = Awaited<ReturnType<typeof world>>;

interface GivenIssue extends Partial<Omit<Input<typeof createIssue>["body"], "actor">> {
  readonly project?: { readonly id: number };
  readonly actor?: string;
}

function requestOf<T extends Route>(route: T, input: CallInput<T>): Request {
  const params: Readonly<Record<string, unknown>> = input.params ?? {};
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const url = new URL(`http://localhost${BASE_PATH}${path}`);
  // In a read, `actor` is a filter and not the caller.
  const query =
    route.method === "GET" ? (input.query ?? {}) : withActor(route.query, input, input.query);
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value])
      url.searchParams.append(name, String(one));
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(input.headers ?? {})) headers.set(name, String(value));
  if (route.body === Nothing) return new Request(url, { method: route.method, headers });
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  const body = JSON.stringify(withActor(route.body, input, input.body));
  return new Request(url, { method: route.method, headers, body });
}

/** Sets the actor if the shape has one and the test does not give it. */
function withActor(
  shape: Route["body"],
  { actor = WORLD_ACTOR }: { readonly actor?: string },
  given: object | undefined,
): Readonly<Record<string, unknown>> {
  const schema = shape();
  const asks = "shape" in schema && "actor" in (schema.shape as object);
  return { ...(asks ? { actor } : {}), ...given };
}
