import { resolve } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import { invariant } from "../base/invariant.ts";
import type { Log } from "../base/log.ts";
import { type Program, thisProgram } from "../client/program.ts";
import { type HostPort, parseHostPort } from "../config/addresses.ts";
import { bearerFault } from "../config/bearer.ts";
import { Credentials, credentialsPath } from "../config/credentials.ts";
import { type Dsn, requireSafePostgres } from "../config/dsn.ts";
import { type EmbeddingsConfig, embeddingsFrom } from "../config/embeddings.ts";
import type { Config } from "../config/load.ts";
import { KEYS_GUARDED_FOR_DAEMON, requireKept } from "../config/lost-settings.ts";
import { parseOrigin } from "../config/origins.ts";
import { runtimeDir, socketPath } from "../config/paths.ts";
import { addressesOf, pagesAddressOf, type Start, startOf } from "../config/start.ts";
import { userId } from "../config/users.ts";
import { invalid } from "../contract/errors.ts";
import type { BackupSettings } from "../engines/backups.ts";
import type { TrialSettings } from "../engines/trials.ts";
import type { OpSettings } from "../ops/deps.ts";
import type { StoreOptions } from "../store/open.ts";
import type { Authentication } from "./access/authenticate.ts";
import type { ConnectorSettings } from "./connectors.ts";
import type { FederationSettings } from "./federation.ts";
import type { IssueSyncSettings } from "./issue-sync.ts";
import { isLocalPlace, type ListenerRules, type Place, placeText } from "./listener.ts";
import type { CertificateFiles } from "./listeners/certificate.ts";
import type { PagesPlace } from "./listeners/pages.ts";
import { type MappingSettings, mappingSettingsFrom } from "./mapping-settings.ts";
import { type ReplicaSettings, replicaSettingsFrom } from "./replicas.ts";
import { isLoopbackHost } from "./requests/loopback-host.ts";
import { StartError } from "./start-error.ts";
import type { StartWorker } from "./threads/worker-thread.ts";

export interface DaemonSettings {
  readonly dsn: Dsn;
  /**
   * PostgreSQL only: `bootstrap` creates and upgrades the tables at start, `validate` does not
   * (docs/contract/command-line.md#7-postgresql).
   */
  readonly schemaMode?: "bootstrap" | "validate";
  /** The folder of the log and of the daemon's record file (`config/paths.ts`). */
  readonly runtimeDir: string;
  /** The Unix socket of this database (`config/paths.ts`). */
  readonly socketPath: string;
  /**
   * The addresses to listen on instead of `socketPath`. Commands on this machine use the first one. `none`: the daemon
   * does not listen, and its host program passes requests to it.
   */
  readonly listen?: readonly Place[] | "none";
  readonly pages?: PagesPlace;
  /** How the user who runs the daemon proves to be that user. By default a socket, except on Windows. */
  readonly ownerProof?: "socket" | "file";
  /** The probable name of the user who runs the daemon. */
  readonly suggestedActor?: string | undefined;
  readonly certificate?: CertificateFiles;
  readonly rules?: ListenerRules;
  /** How requests are authenticated. If it is not set, nobody needs a credential. */
  readonly authentication?: Pick<Authentication, "mode" | "token" | "tokensAdministerConnectors">;
  readonly version: string;
  readonly ops: OpSettings;
  /**
   * Stops the daemon after this many ms without a client; only set for a daemon that a command started
   * (docs/contract/command-line.md#47-idle-shutdown).
   */
  readonly idleTimeoutMs?: number;
  /** Returns the settings of scheduled backups, if there are any. Called only when the daemon already listens. */
  readonly backups?: () => Promise<BackupSettings>;
  /** Returns the settings of scheduled trials of backups, if there are any. Called only when the daemon listens. */
  readonly trials?: () => Promise<TrialSettings>;
  /** How issue sync reads repositories. If absent, no repository can be read. */
  readonly issueSync?: IssueSyncSettings;
  /** How the daemon sends requests to the hubs of its copies. If absent, no request is sent to a hub. */
  readonly federation?: FederationSettings;
  /** What a join or leave of a project needs. If absent, no project can be joined. */
  readonly replicas?: ReplicaSettings;
  /** The mappings of config.toml, if there are any. */
  readonly mappings?: MappingSettings;
  /** The connectors of config.toml, if there are any. */
  readonly connectors?: ConnectorSettings;
  /** The provider of search by meaning. If absent, there is only search by words. */
  readonly embeddings?: EmbeddingsConfig;
  readonly log?: Log;
  /** The log of mistakes of clients; by default `log`. */
  readonly refusals?: Log;
  /** Called once clients can reach the daemon, before anything else is done. */
  readonly announced?: () => void;
  /** Kills the process if the database cannot be closed in time. */
  readonly cut?: () => void;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** For tests only (`StoreOptions.between`). */
  readonly between?: StoreOptions["between"];
  /** For tests only (`StoreOptions.realTime`). */
  readonly realTime?: StoreOptions["realTime"];
  /** For tests only (`StoreOptions.syncFile`). */
  readonly syncFile?: StoreOptions["syncFile"];
  /** Starts the workers; by default they are threads. */
  readonly startWorker?: StartWorker;
}

export function settingsFrom(
  config: Config,
  version: string,
  program: Program = thisProgram(version),
): DaemonSettings {
  const { settings, dsn, home, env } = config;
  requireKept(config.lost, ...KEYS_GUARDED_FOR_DAEMON);
  if (dsn.dialect === "postgres") requireSafePostgres(dsn, settings.postgresAllowInsecure);
  const authentication = authenticationOf(config, startOf(config));
  const socket = socketPath(env, dsn, home);
  const rules = rulesOf(config);
  const places = placesOf(config, { path: socket });
  const pages = pagesOf(config);
  requireListeners(rules, pages === undefined ? places : [...places, pages.place]);
  const scheduled = scheduledOf(config, program);
  const certificate = certificateOf(config);
  const ends =
    settings.autostarted &&
    !isExposed(rules, pages === undefined ? places : [...places, pages.place]);
  const mappings = mappingSettingsFrom(config);
  const embeddings = embeddingsFrom(config);
  const idleTimeoutMs = ends ? settings.autostartIdleTimeout : undefined;
  return {
    dsn,
    schemaMode: settings.postgresMode,
    runtimeDir: runtimeDir(home, dsn),
    socketPath: socket,
    listen: places,
    ...(pages === undefined ? {} : { pages }),
    suggestedActor: settings.author ?? settings.user,
    ...(certificate === undefined ? {} : { certificate }),
    rules,
    ...(authentication === undefined ? {} : { authentication }),
    version,
    ops: {
      timezone: settings.timezone,
      close_throttle: {
        enabled: settings.closeThrottle,
        window_ms: settings.closeThrottleWindowMs,
        limit: settings.closeThrottleLimit,
      },
    },
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
    ...scheduled,
    issueSync: issueSyncFrom(config),
    federation: federationFrom(config),
    replicas: replicaSettingsFrom(config, listenersOf(places, pages)),
    ...(mappings === undefined ? {} : { mappings }),
    ...(config.connectors.length === 0
      ? {}
      : { connectors: { entries: config.connectors, environment: env } }),
    ...(embeddings === undefined ? {} : { embeddings }),
  };
}

/** The TCP addresses on which the daemon listens. */
function listenersOf(places: readonly Place[], pages: PagesPlace | undefined): readonly HostPort[] {
  const all = pages === undefined ? places : [...places, pages.place];
  return all.filter((place) => "port" in place);
}

/** Returns how requests are sent to hubs. The HTTP client is loaded for the first request. */
export function federationFrom({ settings, sources, home }: Config): FederationSettings {
  const credentials = new Credentials(credentialsPath(home));
  return {
    intervalMs: settings.federationPullIntervalMs,
    credential: async (project_uid) => await credentials.get(project_uid),
    hub: async (replica, { token, allow_insecure, spoke_instance_uid }, clock, most) => {
      const { HttpHub, HUB_REQUEST_MS } = await import("../federation/http-hub.ts");
      const usual = sources.httpTimeoutMs === "default" ? HUB_REQUEST_MS : settings.httpTimeoutMs;
      const maxMs = Math.min(usual, most ?? usual);
      const { trustPrivateNetwork: trustsPrivateNetwork } = settings;
      const insecure = allow_insecure || replica.allow_insecure;
      const place = { ...replica, token, allow_insecure: insecure, spoke_instance_uid };
      return new HttpHub({ clock, trustsPrivateNetwork, maxMs }, place);
    },
  };
}

/** Returns how repositories are read. The client of the code host is loaded when the first repository is requested. */
function issueSyncFrom({ settings, env, home }: Config): IssueSyncSettings {
  return {
    repositories: settings.providerSyncRepositories,
    provider: async (_name, clock) => {
      const { GithubProvider } = await import("../sync/github/provider.ts");
      const read = {
        apps: settings.providerSyncApps,
        tokenEnv: settings.providerSyncTokenEnv,
        tokenHost: settings.providerSyncTokenHost,
        allowedHosts: settings.providerSyncAllowedHosts,
      };
      return new GithubProvider({ clock, settings: read, env, home });
    },
  };
}

function scheduledOf(
  config: Config,
  { launcher }: Program,
): Pick<DaemonSettings, "backups" | "trials"> {
  const { backupInterval, backupVerifyInterval } = config.settings;
  if (launcher === undefined) return {};
  const backups = async () =>
    (await import("./backup-process.ts")).backupsBy(launcher, config, backupInterval ?? 0);
  const trials = async () =>
    (await import("./backup-process.ts")).trialsBy(launcher, config, backupVerifyInterval ?? 0);
  return {
    ...(backupInterval === undefined ? {} : { backups }),
    ...(backupVerifyInterval === undefined ? {} : { trials }),
  };
}

/** Returns how requests are authenticated. Throws if the daemon must not start with these settings. */
function authenticationOf(
  { settings, sources }: Config,
  { mode, listeners, web }: Start,
): DaemonSettings["authentication"] {
  for (const { row, refusal, cure = "" } of listeners) {
    if (refusal === undefined) continue;
    // `row` is the row of the table in config/start-rows.ts that refuses the start. The first rows are about settings
    // that contradict each other, so the address is not at fault.
    throw row <= LAST_SETTINGS_ROW
      ? invalid(refusal, cure)
      : new StartError("address", refusal, { hint: cure });
  }
  if (web?.refusal !== undefined) throw invalid(web.refusal, web.cure);
  const { authToken: token } = settings;
  if (token === undefined) return mode === "open" ? undefined : { mode };
  const fault = bearerFault(token);
  if (fault === undefined) {
    const { allowIdentityConnectorAdministration: tokensAdministerConnectors } = settings;
    return { mode, token, ...(tokensAdministerConnectors ? { tokensAdministerConnectors } : {}) };
  }
  const from = sources.authToken === "env" ? "SVC_AUTH_TOKEN" : "[auth] token in config.toml";
  throw invalid(`the token of ${from} ${fault}`, "no client could send it: set another");
}

const LAST_SETTINGS_ROW = 5;

function rulesOf({ settings }: Config): ListenerRules {
  const { webPublicOrigin, webAllowedHosts, trustedActorHeader, trustedProxyListeners } = settings;
  const user = trustedActorHeader === "" ? undefined : proxyUserOf(settings);
  return {
    ...(webPublicOrigin === undefined ? {} : { publicOrigin: webPublicOrigin }),
    allowedHosts: webAllowedHosts,
    ...(trustedActorHeader === ""
      ? {}
      : {
          trusted: {
            header: trustedActorHeader,
            listeners: trustedProxyListeners,
            ...(user === undefined ? {} : { user }),
          },
        }),
  };
}

function proxyUserOf({ trustedProxyUser: name }: Config["settings"]): number | undefined {
  if (name === undefined || process.platform !== "linux") return undefined;
  const id = userId(name);
  if (id !== undefined) return id;
  throw invalid(
    `[auth.proxy] proxy_user = ${name} is no user in /etc/passwd`,
    "name the user whom the proxy runs as, or give the number that id -u prints for that user",
  );
}

/**
 * Throws if the daemon does not listen at a place where a proxy is to be trusted. The proxy's requests would then
 * arrive at another listener, and be accepted as if no proxy had sent them.
 */
function requireListeners({ trusted }: ListenerRules, places: readonly Place[]): void {
  const texts = places.map(placeText);
  const missing = trusted?.listeners.find((listener) => !texts.includes(listener));
  if (missing === undefined) return;
  throw invalid(
    `[auth.proxy] trusted_proxy_listeners has ${missing}, and the daemon does not listen there`,
    `it listens on ${texts.join(", ")}: name one of these, or change listen`,
  );
}

/**
 * True if other machines may use the daemon. The daemon then must not stop when it is idle, because nobody on another
 * machine could start it again (docs/contract/command-line.md#47-idle-shutdown).
 */
function isExposed(
  { publicOrigin, allowedHosts, trusted }: ListenerRules,
  places: readonly Place[],
) {
  const away = places.some((place) => !isLocalPlace(place));
  const origin =
    publicOrigin === undefined ? undefined : parseOrigin(publicOrigin, "public_origin");
  const shown = origin !== undefined && !isLoopbackHost(origin.host);
  return away || shown || allowedHosts.length > 0 || trusted !== undefined;
}

/** The paths of the certificate's files. A relative path starts at the home folder, where config.toml is. */
function certificateOf({ settings, home }: Config): CertificateFiles | undefined {
  const { tlsCertificate: certificate, tlsKey: key } = settings;
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate !== undefined && key !== undefined)
    return { certificate: resolve(home, certificate), key: resolve(home, key) };
  const missing = certificate === undefined ? "cert" : "key";
  const message = `[tls] in config.toml has no ${missing}: a certificate and its key go together`;
  throw invalid(message);
}

/**
 * Returns the places to listen at. Commands on this machine use the first one: the database's socket, unless the
 * settings name another local place at which no proxy is trusted.
 */
function placesOf({ settings }: Config, socket: Place): readonly Place[] {
  const own = placeText(socket);
  const addresses = addressesOf(settings);
  const trusted =
    settings.trustedActorHeader !== "" && settings.trustedProxyListeners.includes(own);
  if (trusted && addresses[0] === undefined)
    throw invalid(
      `[auth.proxy] trusted_proxy_listeners has ${own}, which commands of this machine use`,
      'give the proxy a socket of its own: listen = "unix:///path/to/proxy.sock"',
    );
  return addresses.map((address) => (address === undefined ? socket : placeOf(address)));
}

function pagesOf(config: Config): PagesPlace | undefined {
  const pages = pagesAddressOf(config);
  if (pages === undefined) return undefined;
  const place = parseHostPort(pages.address);
  invariant(place !== undefined, "the start-up table refuses host names");
  return { place, required: pages.required };
}

function placeOf(text: string): Place {
  if (text.startsWith("unix://")) return { path: text.slice("unix://".length) };
  const place = parseHostPort(text);
  invariant(place !== undefined, "the start-up table refuses host names");
  return place;
}
