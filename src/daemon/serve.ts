import { type Clock, stopwatch } from "../base/clock.ts";
import { formatDuration } from "../base/durations.ts";
import { systemIds } from "../base/ids.ts";
import { invariant } from "../base/invariant.ts";
import type { Log } from "../base/log.ts";
import type { Dsn } from "../config/dsn.ts";
import type { Backups } from "../engines/backups.ts";
import { cronEngine } from "../engines/cron.ts";
import { dateEngine } from "../engines/dates.ts";
import { Engines } from "../engines/engines.ts";
import { eraseEngine } from "../engines/erase.ts";
import { leaseEngine } from "../engines/leases.ts";
import { textEngine } from "../engines/texts.ts";
import { tokenUseEngine } from "../engines/token-uses.ts";
import { envelopesOut } from "../ops/out/events.ts";
import { tokenLookup } from "../ops/tokens/resolve.ts";
import { TokenUses } from "../ops/tokens/uses.ts";
import type { Lock } from "../store/lock.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/types/store.ts";
import { type Listeners, listenAt, noListeners } from "./all-listeners.ts";
import { announce, announceListeners } from "./announce.ts";
import { type App, createApp } from "./app.ts";
import { type Authentication, authenticator } from "./authenticate.ts";
import { browserOf, type WebOrigin } from "./browser.ts";
import type { Certificate } from "./certificate.ts";
import { DelayedRefusals } from "./delayed-refusals.ts";
import { watchFiles } from "./file-watch.ts";
import { EventHub } from "./hub.ts";
import { type IdleJobs, idleJobs } from "./idle-jobs.ts";
import { watchIdle } from "./idle-watch.ts";
import { isLocalPlace, type Place } from "./listener.ts";
import type { Endpoint, Listener } from "./listeners.ts";
import { OpenRequests } from "./open-requests.ts";
import { openPagesLate, openRequiredPages, type PagesOptions, webOrigin } from "./pages.ts";
import { isOwnPeer } from "./peer.ts";
import { peerUsers } from "./peer-users.ts";
import { Recorder } from "./profiling/recorder.ts";
import { ReadWorker } from "./read-worker/read-worker.ts";
import { certificateState, markRecord } from "./record.ts";
import { addRoutes } from "./routes/all.ts";
import { Sessions } from "./sessions.ts";
import type { DaemonSettings } from "./settings.ts";
import { windDown } from "./wind-down.ts";
import { WriteWorker } from "./write-worker/write-worker.ts";

export interface Served {
  readonly app: App;
  /** The addresses for clients. Commands on this machine use the first one. */
  readonly endpoints: readonly Endpoint[];
  /** The origin of the pages. Resolves once the listener for pages is open. */
  webOrigin(): Promise<WebOrigin | undefined>;
  readonly showCode: Listener["showCode"] | undefined;
  /** Resolves if no client came during the idle timeout. Without an idle timeout it never resolves. */
  readonly idle: Promise<void>;
  /** Resolves if the database's files or its lock are lost; after that, nothing is written. */
  readonly lost: Promise<void>;
  /** Reads the certificate's files again, if the daemon has a certificate. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/** Opens the store, listens and announces the daemon. The caller holds the lock on the database. */
export async function serve(
  settings: DaemonSettings,
  lock: Pick<Lock, "held">,
  clock: Clock,
  log: Log,
): Promise<Served> {
  const startedAt = clock.now();
  const ids = settings.ids ?? systemIds();
  const store = await openStore({
    ...databaseOf(settings.dsn),
    ...(settings.schemaMode === undefined ? {} : { mode: settings.schemaMode }),
    clock,
    ids,
    timezone: settings.ops.timezone,
    lockHeld: () => lock.held(),
  });
  if (store.upgraded !== undefined) log.info("storage.upgraded", { ...store.upgraded });
  const idleEnd = Promise.withResolvers<void>();
  const watch =
    settings.idleTimeoutMs === undefined
      ? undefined
      : watchIdle(clock, settings.idleTimeoutMs, idleEnd.resolve);
  const hub = new EventHub({ store, clock, log, envelopes: envelopesOut });
  const state = { stopping: false };

  let backups: Backups | undefined;
  const info = {
    version: settings.version,
    startedAt,
    uptimeMs: stopwatch(),
    dbPath: settings.dsn.display,
    idle: watch,
    backups: () => backups,
  };
  const readWorker = new ReadWorker({
    database: { ...databaseOf(settings.dsn), served: true },
    settings: settings.ops,
    clock,
    log,
  });
  const writeWorker = new WriteWorker({
    database: databaseOf(settings.dsn),
    settings: settings.ops,
    store,
    clock,
    log,
  });
  const deps = { store, clock, ids, settings: settings.ops };
  const requests = new OpenRequests();
  const uses = new TokenUses(clock);
  const refusals = new DelayedRefusals(clock);
  const recorder = new Recorder(clock);
  const peers = peerUsers(log);
  const sessions = new Sessions(clock);
  const authentication = { ...authenticationOf(settings, store, uses), peers };
  let pagesOpened: Promise<void> = Promise.resolve();
  const browser = {
    ...browserOf(authentication, sessions, settings.suggestedActor),
    origin: async () => {
      await pagesOpened;
      return webOrigin(listeners.all);
    },
  };
  const app = createApp(
    {
      clock,
      log,
      authenticate: authenticator({ ...authentication, sessions }),
      browser,
      isOwnPeer: (event) => isOwnPeer(event, peers),
      delayRefusal: async (event) => await refusals.delay(event),
      stopping: () => state.stopping,
      beginForeground: () => {
        const end = watch?.begin() ?? noop;
        requests.begin();
        return () => {
          requests.end();
          end();
        };
      },
    },
    (made) =>
      addRoutes(made, deps, { info, hub, recorder, pages: browser, readWorker, writeWorker }),
  );

  let listeners: Listeners;
  let certificate: Certificate | undefined;
  try {
    const { listen: places = [{ path: settings.socketPath }], rules } = settings;
    certificate = await certificateFor(places, settings, clock);
    listeners =
      places === "none"
        ? noListeners(requests)
        : await listenAt(app, places, clock, { certificate, rules });
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
  const engines = new Engines({ store, clock, log, beginWork: watch?.beginWork ?? (() => noop) });
  engines.start(leaseEngine({ log }));
  engines.start(dateEngine({ clock, log, settings: settings.ops }));
  engines.start(eraseEngine({ log }));
  engines.start(textEngine({ log }));
  engines.start(cronEngine({ clock, ids, log }));
  if (settings.authentication?.mode === "identity") engines.start(tokenUseEngine(uses));
  if (settings.backups !== undefined) {
    const { backupEngine } = await import("../engines/backups.ts");
    const planned = await settings.backups();
    backups = backupEngine({ instanceUid: store.instanceUid, clock, log, settings: planned });
    engines.start(backups);
  }
  const services = [readWorker, fileWatch, writeWorker, engines, lastUses(uses, store, log)];
  if (settings.idleTimeoutMs !== undefined) void tellIdleJobs(store, settings.idleTimeoutMs, log);
  log.info("daemon.started", {
    pid: process.pid,
    version: settings.version,
    network: local?.endpoint.network,
    address: local?.endpoint.address,
    ...(listeners.all.length < 2
      ? {}
      : { listeners: listeners.all.map(({ recorded }) => recorded.address) }),
    db: info.dbPath,
  });

  return {
    app,
    endpoints: listeners.all
      .filter(({ recorded }) => recorded.kind !== "browser")
      .map(({ endpoint }) => endpoint),
    webOrigin: browser.origin,
    showCode: listeners.all.find(({ showCode }) => showCode !== undefined)?.showCode,
    idle: idleEnd.promise,
    lost: fileWatch.lost.then((fault) => {
      markRecord(settings.runtimeDir, process.pid, fault.message);
    }),
    reload: async () => {
      const { runtimeDir, certificate: files } = settings;
      if (certificate === undefined || files === undefined) return;
      const { renewCertificate } = await import("./renew-certificate.ts");
      renewCertificate({ files, listeners: listeners.all, runtimeDir, clock, log });
    },
    stop: async () => {
      state.stopping = true;
      refusals.stop();
      await pagesOpened;
      recorder.stop();
      const { runtimeDir, cut: kill } = settings;
      const running = { listeners, hub, watch, services, store, clock, log };
      await windDown({ ...running, runtimeDir, kill });
    },
  };
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

/**
 * At stop, writes the times at which tokens were last used, which are otherwise written once a minute. A failure is
 * only logged, because nothing depends on these times.
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
  const { readCertificate } = await import("./certificate.ts");
  return readCertificate(files, clock);
}

async function tellIdleJobs(store: Store, timeoutMs: number, log: Log): Promise<void> {
  const { recurring_jobs: jobs } = await idleJobs(store, timeoutMs).catch(() => ({}) as IdleJobs);
  if (jobs !== undefined)
    log.warn("cron.ends_when_idle", { jobs, idle_timeout: formatDuration(timeoutMs) });
}

function databaseOf(dsn: Dsn): { readonly dsn: string; readonly schema?: string } {
  return dsn.dialect === "sqlite" ? { dsn: dsn.path } : { dsn: dsn.url, schema: dsn.schema };
}

const noop = (): void => undefined;
