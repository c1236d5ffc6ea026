import { resolve } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import { type Program, thisProgram } from "../client/program.ts";
import { parseHostPort } from "../config/addresses.ts";
import { bearerFault } from "../config/bearer.ts";
import { type Dsn, requireSafePostgres } from "../config/dsn.ts";
import type { Config } from "../config/load.ts";
import { runtimeDir, socketPath } from "../config/paths.ts";
import { invalid } from "../contract/errors.ts";
import type { BackupSettings } from "../engines/backups.ts";
import type { OpSettings } from "../ops/deps.ts";
import type { Authentication } from "./authenticate.ts";
import type { CertificateFiles } from "./certificate.ts";
import type { Place } from "./listener.ts";

export interface DaemonSettings {
  readonly dsn: Dsn;
  /**
   * PostgreSQL only: `bootstrap` creates and upgrades the tables at start, `validate` does not (facts cli-and-config
   * 7).
   */
  readonly schemaMode?: "bootstrap" | "validate";
  /** Folder of the record and the log (`config/paths.ts`). */
  readonly runtimeDir: string;
  /** The Unix socket of this database (`config/paths.ts`). */
  readonly socketPath: string;
  /** Where to listen instead of at that socket; `none`: requests come through the app alone. */
  readonly listen?: Place | "none";
  readonly certificate?: CertificateFiles;
  /** Nobody needs a credential if it is not set. */
  readonly authentication?: Pick<Authentication, "mode" | "token">;
  readonly version: string;
  readonly ops: OpSettings;
  /**
   * Stops the daemon after this many ms without a client; only set for a daemon that a command started (facts
   * cli-and-config 4.7).
   */
  readonly idleTimeoutMs?: number;
  /** Scheduled backups, if any; loaded once the daemon listens. */
  readonly backups?: () => Promise<BackupSettings>;
  readonly log?: Log;
  /** Called once clients can reach the daemon, before anything else is done. */
  readonly announced?: () => void;
  /** Kills the process when the database cannot be closed in time. */
  readonly cut?: () => void;
  readonly clock?: Clock;
  readonly ids?: Ids;
}

export function settingsFrom(
  config: Config,
  version: string,
  program: Program = thisProgram(version),
): DaemonSettings {
  const { settings, dsn, home, env } = config;
  if (dsn.dialect === "postgres") requireSafePostgres(dsn, settings.postgresAllowInsecure);
  const listen = placeOf(config);
  const backups = backupsOf(config, program);
  const certificate = certificateOf(config);
  const authentication = authenticationOf(config);
  const idleTimeoutMs = settings.autostarted ? settings.autostartIdleTimeout : undefined;
  return {
    dsn,
    schemaMode: settings.postgresMode,
    runtimeDir: runtimeDir(home, dsn),
    socketPath: socketPath(env, dsn, home),
    ...(listen === undefined ? {} : { listen }),
    ...(certificate === undefined ? {} : { certificate }),
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
    ...(backups === undefined ? {} : { backups }),
  };
}

function backupsOf(config: Config, { launcher }: Program): DaemonSettings["backups"] {
  const { backupInterval: intervalMs } = config.settings;
  if (intervalMs === undefined || launcher === undefined) return undefined;
  return async () => {
    const { backupsBy } = await import("./backup-process.ts");
    return backupsBy(launcher, config, intervalMs);
  };
}

/**
 * Only the owner's socket and loopback are served, so these are rows 4, 8 and 9 of the start-up table (facts
 * browser-and-auth 1.1).
 */
function authenticationOf({ settings, sources }: Config): DaemonSettings["authentication"] {
  const { authToken: token, requireTokenIdentity } = settings;
  if (token === undefined) {
    if (!requireTokenIdentity) return undefined;
    throw invalid(
      "[auth] require_token_identity needs a token that administers the tokens of persons",
      "set [auth] token in config.toml, or SVC_AUTH_TOKEN",
    );
  }
  const fault = bearerFault(token);
  if (fault === undefined) return { mode: requireTokenIdentity ? "identity" : "static", token };
  const from = sources.authToken === "env" ? "SVC_AUTH_TOKEN" : "[auth] token in config.toml";
  throw invalid(`the token of ${from} ${fault}`, "no client could send it: set another");
}

/** Relative paths start at the home folder, where config.toml is. */
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
 * `--listen` or `listen`; else PORT, but not for an auto-started daemon; else the Unix socket (facts cli-and-config
 * 4.6).
 */
function placeOf({ settings }: Config): Place | undefined {
  const { listen, port, autostarted } = settings;
  if (listen?.startsWith("unix://") === true) return { path: listen.slice("unix://".length) };
  if (listen !== undefined) return parseHostPort(listen);
  return port === undefined || autostarted ? undefined : { host: "0.0.0.0", port };
}
