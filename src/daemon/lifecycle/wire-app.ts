import { type Clock, stopwatch } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Log } from "../../base/log.ts";
import type { Dsn } from "../../config/dsn.ts";
import type { BulkRequest, BulkWorker } from "../../engines/bulk-write.ts";
import type { Engines } from "../../engines/engines.ts";
import type { Federation } from "../../ops/federation/far-side.ts";
import { envelopesOut } from "../../ops/out/events.ts";
import { tokenLookup } from "../../ops/tokens/resolve.ts";
import { TokenUses } from "../../ops/tokens/uses.ts";
import type { AdminStore } from "../../store/admin-store.ts";
import type { Store } from "../../store/types/store.ts";
import { type Authentication, authenticator } from "../access/authenticate.ts";
import { browserOf, type WebOrigin } from "../access/browser.ts";
import { DelayedRefusals } from "../access/delayed-refusals.ts";
import { Ownership } from "../access/ownership.ts";
import { seesPaths } from "../access/peer.ts";
import { peerUsers } from "../access/peer-users.ts";
import { RefusalLog } from "../access/refusal-log.ts";
import { Sessions } from "../access/sessions.ts";
import { type App, createApp } from "../app.ts";
import { LazyConnectors } from "../connectors.ts";
import { type DaemonFederation, federationOf } from "../federation.ts";
import type { IdleWatch } from "../idle/watch.ts";
import { type DaemonIssueSync, issueSyncOf } from "../issue-sync.ts";
import { OpenRequests } from "../listeners/open-requests.ts";
import { LazyMeaning } from "../meaning/lazy-meaning.ts";
import { Recorder } from "../profiling/recorder.ts";
import { ReadWorker } from "../read-worker/read-worker.ts";
import { replicasOf } from "../replicas.ts";
import { addRoutes } from "../routes/all.ts";
import type { DaemonSettings } from "../settings.ts";
import { EventHub } from "../stream/hub.ts";
import { WriteWorker } from "../write-worker/write-worker.ts";
import { forgetLeftTokens } from "./left-tokens.ts";

interface Around {
  readonly store: AdminStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly startedAt: string;
  readonly watch: IdleWatch | undefined;
  stopping(): boolean;
  /** `undefined` until the engines have started. */
  engines(): Engines | undefined;
  /** Resolves when the listener for pages is open. */
  origin(): Promise<WebOrigin | undefined>;
  localOrigin(): Promise<string | undefined>;
}

/** The app, and the parts of it that the daemon uses when it starts and stops. */
export interface AppParts {
  readonly app: App;
  readonly hub: EventHub;
  readonly ownership: Ownership;
  readonly requests: OpenRequests;
  readonly uses: TokenUses;
  readonly refusals: DelayedRefusals;
  readonly refusalLog: RefusalLog;
  readonly recorder: Recorder;
  readonly readWorker: ReadWorker;
  readonly writeWorker: WriteWorker;
  /** Carries out large writes of engines; `undefined` if they are carried out on the daemon's own thread. */
  readonly bulkWorker: BulkWorker | undefined;
  readonly issueSync: DaemonIssueSync;
  /** `undefined` if config.toml has no connectors. */
  readonly connectors: LazyConnectors | undefined;
  /** `undefined` if no provider of search by meaning is configured. */
  readonly meaning: LazyMeaning | undefined;
  readonly federation: DaemonFederation;
  readonly replicas: Federation;
}

export function wireApp(settings: DaemonSettings, around: Around): AppParts {
  const { store, clock, ids, log, startedAt, watch, stopping, engines } = around;
  const hub = new EventHub({ store, clock, log, envelopes: envelopesOut });
  const info = {
    version: settings.version,
    startedAt,
    uptimeMs: stopwatch(),
    dbPath: settings.dsn.display,
    idle: watch,
    engines,
  };
  const { startWorker: start } = settings;
  const readWorker = new ReadWorker({
    database: { ...databaseOf(settings.dsn), served: true },
    settings: settings.ops,
    store,
    clock,
    log,
    start,
  });
  const writeWorker = new WriteWorker({
    database: databaseOf(settings.dsn),
    settings: settings.ops,
    store,
    clock,
    log,
    start,
  });
  const deps = { store, clock, ids, settings: settings.ops };
  const bulkWorker = canWorkElsewhere(settings)
    ? async (request: BulkRequest) => await writeWorker.sweep(request)
    : undefined;
  const issueSync = issueSyncOf(settings.issueSync, { ...deps, log, worker: bulkWorker });
  const federation = federationOf(settings.federation, {
    ...{ ...deps, log, worker: bulkWorker },
    forgetTokens: async () => await forgetLeftTokens({ store, federation: replicas }, log),
  });
  const { wake, confirm, leases, askAt, drained, digests } = federation;
  const replicas = replicasOf(settings.replicas, {
    ...deps,
    worker: bulkWorker,
    wake,
    ...{ confirm, leases, askAt, drained, digests },
  });
  const connectors = settings.connectors && new LazyConnectors(settings.connectors, log);
  const meaning = meaningOf(settings, { store, clock, log });
  const requests = new OpenRequests();
  const uses = new TokenUses(clock);
  const refusals = new DelayedRefusals(clock);
  const refusalLog = new RefusalLog(clock, settings.refusals ?? log);
  const recorder = new Recorder(clock);
  const peers = peerUsers(log);
  const sessions = new Sessions(clock);
  const authentication = { ...authenticationOf(settings, store, uses), peers };
  const ownership = new Ownership(clock);
  const { origin, localOrigin } = around;
  const browser = {
    ...browserOf(authentication, { sessions, ownership }, settings.suggestedActor),
    origin,
    localOrigin,
  };
  const app = createApp(
    {
      clock,
      log,
      refusals: refusalLog,
      authenticate: authenticator({ ...authentication, sessions }),
      browser,
      seesPaths: (event) => seesPaths(event, authentication),
      delayRefusal: async (event) => await refusals.delay(event),
      stopping,
      beginForeground: () => {
        const end = watch?.begin();
        requests.begin();
        return () => {
          requests.end();
          end?.();
        };
      },
    },
    (app) =>
      addRoutes(app, deps, {
        info,
        hub,
        recorder,
        pages: browser,
        readWorker,
        writeWorker,
        issueSync: issueSync.farSide,
        connectors,
        meaning,
        replicas,
      }),
  );
  const stopped = {
    refusals,
    refusalLog,
    recorder,
    readWorker,
    writeWorker,
    issueSync,
    connectors,
    meaning,
    federation,
    replicas,
  };
  return { app, hub, ownership, requests, uses, bulkWorker, ...stopped };
}

/**
 * Whether a worker can write for the engines. A thread cannot use a clock or ids that the caller passed in; a worker
 * that `startWorker` starts can.
 */
function canWorkElsewhere({ startWorker, clock, ids }: DaemonSettings): boolean {
  return startWorker !== undefined || (clock === undefined && ids === undefined);
}

function meaningOf(
  { embeddings, authentication, dsn, startWorker }: DaemonSettings,
  needs: Pick<Around, "store" | "clock" | "log">,
): LazyMeaning | undefined {
  if (embeddings === undefined) return undefined;
  const readonly = authentication?.mode === "readonly";
  return new LazyMeaning(embeddings, {
    ...needs,
    database: databaseOf(dsn),
    readonly,
    startWorker,
  });
}

const OPEN = { mode: "open" } as const;

function authenticationOf(
  { authentication = OPEN }: DaemonSettings,
  store: Store,
  uses: TokenUses,
): Authentication {
  if (authentication.mode !== "identity") return authentication;
  return { ...authentication, lookup: tokenLookup(store, uses) };
}

export function databaseOf(dsn: Dsn): { readonly dsn: string; readonly schema?: string } {
  return dsn.dialect === "sqlite" ? { dsn: dsn.path } : { dsn: dsn.url, schema: dsn.schema };
}
