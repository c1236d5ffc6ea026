import type { Clock } from "../../base/clock.ts";
import { formatDuration } from "../../base/durations.ts";
import { type Ids, systemIds } from "../../base/ids.ts";
import { invariant } from "../../base/invariant.ts";
import type { Log } from "../../base/log.ts";
import type { Engines } from "../../engines/engines.ts";
import type { TokenUses } from "../../ops/tokens/uses.ts";
import type { Lock } from "../../store/lock.ts";
import { openStore } from "../../store/open.ts";
import type { Store } from "../../store/types/store.ts";
import type { WebOrigin } from "../access/browser.ts";
import type { App } from "../app.ts";
import { type IdleJobs, idleJobs } from "../idle/jobs.ts";
import { watchIdle } from "../idle/watch.ts";
import { isLocalPlace, OWNER_ID, type Place } from "../listener.ts";
import { type Listeners, listenAt, noListeners } from "../listeners/all-listeners.ts";
import type { Certificate } from "../listeners/certificate.ts";
import type { Endpoint, Listener } from "../listeners/listeners.ts";
import {
  localOrigin,
  openPagesLate,
  openRequiredPages,
  type PagesOptions,
  webOrigin,
} from "../listeners/pages.ts";
import { certificateState, markRecord } from "../listeners/record.ts";
import type { LazyMeaning } from "../meaning/lazy-meaning.ts";
import type { DaemonSettings } from "../settings.ts";
import { startEngines } from "../start-engines.ts";
import { announce, announceListeners } from "./announce.ts";
import { watchFiles } from "./file-watch.ts";
import { forgetLeftTokens } from "./left-tokens.ts";
import { type OwnerProof, openOwnerProof } from "./owner-proof.ts";
import { windDown } from "./wind-down.ts";
import { databaseOf, wireApp } from "./wire-app.ts";

export interface ServedApp {
  readonly app: App;
  /** The addresses for clients. Commands on this machine use the first one. */
  readonly endpoints: readonly Endpoint[];
  /** Resolves once the listener for pages is open. */
  webOrigin(): Promise<WebOrigin | undefined>;
  readonly showCode: Listener["showCode"] | undefined;
  /** Resolves if no client came during the idle timeout. Without an idle timeout it never resolves. */
  readonly idle: Promise<void>;
  /** Resolves if the database's files or its lock are lost; after that, nothing is written. */
  readonly lost: Promise<void>;
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/** Opens the store, listens and announces the daemon. The caller holds the lock on the database. */
export async function serve(
  settings: DaemonSettings,
  lock: Pick<Lock, "held">,
  clock: Clock,
  log: Log,
): Promise<ServedApp> {
  const startedAt = clock.now();
  const ids = settings.ids ?? systemIds();
  const store = await openServed(settings, lock, clock, ids);
  if (store.upgraded !== undefined) log.info("storage.upgraded", { ...store.upgraded });
  const idleEnd = Promise.withResolvers<void>();
  const watch =
    settings.idleTimeoutMs === undefined
      ? undefined
      : watchIdle(clock, settings.idleTimeoutMs, idleEnd.resolve);
  const state = { stopping: false };
  let engines: Engines | undefined;
  let pagesOpened: Promise<void> = Promise.resolve();
  const origin = async (): Promise<WebOrigin | undefined> => {
    await pagesOpened;
    return webOrigin(listeners.all);
  };
  const wired = wireApp(settings, {
    store,
    clock,
    ids,
    log,
    startedAt,
    watch,
    origin,
    localOrigin: async () => {
      await pagesOpened;
      return localOrigin(listeners.all, settings.authentication?.mode ?? "open");
    },
    stopping: () => state.stopping,
    engines: () => engines,
  });
  const { app, hub, requests, uses, refusals, refusalLog, recorder } = wired;
  const { readWorker, writeWorker, bulkWorker } = wired;
  const { issueSync, connectors, meaning, federation, replicas } = wired;

  let listeners: Listeners;
  let certificate: Certificate | undefined;
  let ownerProof: OwnerProof;
  try {
    const { listen: places = [{ path: settings.socketPath }], rules } = settings;
    certificate = await certificateFor(places, settings, clock);
    listeners =
      places === "none"
        ? noListeners(requests)
        : await listenAt(app, places, clock, { certificate, rules });
    ownerProof = await openOwnerProof(settings, listeners, wired.ownership, log);
    if (settings.pages?.required === true)
      await openRequiredPages(pagesOf(settings, listeners, certificate));
  } catch (error) {
    watch?.stop();
    hub.close();
    await store.close();
    throw error;
  }
  const [local] = listeners.all;
  if (local !== undefined) {
    const tls = certificate && certificateState(certificate, clock.now());
    announce(settings, { local, listeners: listeners.all, startedAt, tls }, store);
  }
  settings.announced?.();
  // Add the routes now, while the client that started the daemon connects: a request is read only in the next turn of
  // the event loop.
  app.prepare();
  if (settings.pages?.required === false)
    pagesOpened = openPagesLate(pagesOf(settings, listeners, certificate), log).then(() =>
      announceListeners(settings.runtimeDir, listeners.all),
    );
  const fileWatch = watchFiles({ store, clock, log });
  engines = await startEngines(settings, {
    store,
    clock,
    ids,
    log,
    uses,
    watch,
    worker: bulkWorker,
    issueSync: issueSync.engine,
    federation: federation.engine,
    replicas,
    connectors,
    meaning,
  });
  void forgetLeftTokens({ store, federation: replicas }, log);
  const services = [
    readWorker,
    fileWatch,
    writeWorker,
    enginesAndMeaning(engines, meaning),
    issueSync.farSide,
    ...(connectors === undefined ? [] : [connectors]),
    lastUses(uses, store, log),
    { stop: async () => refusalLog.stop() },
  ];
  if (settings.idleTimeoutMs !== undefined) void tellIdleJobs(store, settings.idleTimeoutMs, log);
  logStart(settings, listeners, log);

  return {
    app,
    endpoints: listeners.all
      .filter(({ described: { kind, id } }) => kind !== "browser" && id !== OWNER_ID)
      .map(({ endpoint }) => endpoint),
    webOrigin: origin,
    showCode: listeners.all.find(({ showCode }) => showCode !== undefined)?.showCode,
    idle: idleEnd.promise,
    lost: fileWatch.lost.then((fault) => {
      markRecord(settings.runtimeDir, process.pid, fault.message);
    }),
    reload: async () => {
      const { runtimeDir, certificate: files } = settings;
      await (await meaning?.get())?.reload();
      if (certificate === undefined || files === undefined) return;
      const { reloadCertificate } = await import("../listeners/reload-certificate.ts");
      reloadCertificate({ files, listeners: listeners.all, runtimeDir, clock, log });
    },
    stop: async () => {
      state.stopping = true;
      // End the runs of issue sync and the calls of connectors now, so that requests that wait for one are answered before connections close.
      void issueSync.farSide.stop();
      void connectors?.stop();
      refusals.stop();
      await pagesOpened;
      recorder.stop();
      ownerProof.close();
      const { runtimeDir, cut: kill } = settings;
      const running = { listeners, hub, watch, services, store, clock, log };
      await windDown({ ...running, runtimeDir, kill });
    },
  };
}

async function openServed(
  { dsn, schemaMode, ops, between, realTime, syncFile }: DaemonSettings,
  lock: Pick<Lock, "held">,
  clock: Clock,
  ids: Ids,
) {
  return await openStore({
    ...databaseOf(dsn),
    ...(schemaMode === undefined ? {} : { mode: schemaMode }),
    ...(between === undefined ? {} : { between }),
    ...(realTime === undefined ? {} : { realTime }),
    ...(syncFile === undefined ? {} : { syncFile }),
    clock,
    ids,
    timezone: ops.timezone,
    lockHeld: () => lock.held(),
    keepsEnd: true,
  });
}

/** The engines of search by meaning use its index, which is closed after them. */
function enginesAndMeaning(engines: Engines, meaning: LazyMeaning | undefined) {
  return {
    stop: async () => {
      await engines.stop();
      await meaning?.stop();
    },
  };
}

function logStart({ version, dsn }: DaemonSettings, { all }: Listeners, log: Log): void {
  const [local] = all;
  log.info("daemon.started", {
    pid: process.pid,
    version,
    network: local?.endpoint.network,
    address: local?.endpoint.address,
    ...(all.length < 2 ? {} : { listeners: all.map(({ recorded }) => recorded.address) }),
    db: dsn.display,
  });
}

/**
 * Returns an object whose `stop` writes the times at which tokens were last used. While the daemon runs, they are
 * written once a minute. A failure is only logged, because nothing depends on these times.
 */
function lastUses(uses: TokenUses, store: Store, log: Log) {
  const failed = (error: unknown): void => log.warn("token_uses.failed", { error });
  return { stop: async () => await uses.write(store).catch(failed) };
}

function pagesOf(
  { pages, rules, runtimeDir }: DaemonSettings,
  listeners: Listeners,
  certificate: Certificate | undefined,
): PagesOptions {
  invariant(pages !== undefined, "the settings name a listener for pages");
  return { pages, listeners, certificate, rules, runtimeDir };
}

/** Reads the certificate, and loads TLS for it, only if the daemon has a TCP listener that uses it. */
async function certificateFor(
  places: readonly Place[] | "none",
  { certificate: files, pages }: DaemonSettings,
  clock: Clock,
): Promise<Certificate | undefined> {
  if (places === "none" || files === undefined) return undefined;
  const forPages = pages !== undefined && !isLocalPlace(pages.place);
  if (places.every((place) => "path" in place) && !forPages) return undefined;
  const { readCertificate } = await import("../listeners/certificate.ts");
  return readCertificate(files, clock);
}

async function tellIdleJobs(store: Store, timeoutMs: number, log: Log): Promise<void> {
  const { recurring_jobs: jobs } = await idleJobs(store, timeoutMs).catch(() => ({}) as IdleJobs);
  if (jobs !== undefined)
    log.warn("cron.ends_when_idle", { jobs, idle_timeout: formatDuration(timeoutMs) });
}
