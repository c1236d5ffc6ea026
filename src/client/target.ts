import { isNonPublicLiteral, reachOf } from "../config/addresses.ts";
import { type CatalogEntry, requireEntry } from "../config/catalog.ts";
import type { Config } from "../config/load.ts";
import { type Origin, parseOrigin } from "../config/origins.ts";
import type { Workspace } from "../config/workspace.ts";
import { SvcError } from "../contract/errors.ts";

/** Which of the contract's sources named the daemon (facts cli-and-config 4.2). */
export type Source = "daemon_flag" | "configured" | "local_default";

/** A daemon that was selected, before anything is looked up, opened or asked. */
export type Target = LocalTarget | RemoteTarget;

export interface LocalTarget {
  readonly kind: "local";
  readonly source: Source;
  readonly entry: CatalogEntry | undefined;
}

export interface RemoteTarget {
  readonly kind: "remote";
  readonly source: Source;
  /** The setting that named it, for messages. */
  readonly from: string;
  readonly origin: Origin;
  readonly entry: CatalogEntry | undefined;
}

/**
 * The first configured source wins, and there is no going on to the next when it fails: a command never writes to
 * another daemon than the one that was named (doc 3, Client endpoint selection). No token is read here.
 */
export function selectTarget(
  config: Config,
  workspace: Pick<Workspace, "server">,
  daemonFlag?: string,
): Target {
  const { settings, catalog } = config;
  if (daemonFlag !== undefined) {
    return ofEntry(
      config,
      requireEntry(catalog, daemonFlag, "--daemon"),
      "daemon_flag",
      "--daemon",
    );
  }
  if (settings.server !== undefined) {
    const origin = parseOrigin(settings.server, "SVC_SERVER");
    return remote(config, { origin, from: "SVC_SERVER" }, settings.allowInsecure);
  }
  if (workspace.server !== undefined) {
    const { origin, allowInsecure } = workspace.server;
    return remote(config, { origin, from: "[server] url" }, allowInsecure);
  }
  if (settings.activeDaemon !== undefined) {
    const entry = requireEntry(catalog, settings.activeDaemon, "active_daemon");
    return ofEntry(config, entry, "configured", "active_daemon");
  }
  return { kind: "local", source: "local_default", entry: undefined };
}

function ofEntry(config: Config, entry: CatalogEntry, source: Source, by: string): Target {
  const { origin, allowInsecure } = entry;
  if (origin === undefined) return { kind: "local", source, entry };
  const from = `${by} ${entry.name}`;
  return { ...remote(config, { origin, from }, allowInsecure), source, entry };
}

function remote(
  config: Config,
  { origin, from }: { readonly origin: Origin; readonly from: string },
  allowInsecure: boolean,
): RemoteTarget {
  if (!allowInsecure) requireSafeHttp(origin, from, config.settings.trustPrivateNetwork);
  return { kind: "remote", source: "configured", from, origin, entry: undefined };
}

/**
 * Plain http is for literal addresses that no stranger can have, and off this machine only after the opt-in for
 * private networks; `allow_insecure` of the one target takes both rules away (doc 3, Daemon listeners 3 to 5).
 */
function requireSafeHttp(
  { scheme, host, text }: Origin,
  from: string,
  trustPrivate: boolean,
): void {
  if (scheme === "https" || reachOf(host) === "loopback") return;
  if (!isNonPublicLiteral(host)) {
    throw refused(`plain http to ${text} (${from}) is refused: it is no private IP address`, {
      hint: "use https, the IP address, an SSH tunnel, or allow_insecure for this one daemon",
    });
  }
  if (trustPrivate) return;
  throw refused(`plain http to ${text} (${from}) is refused: private networks are not trusted`, {
    hint: "set SVC_TRUST_PRIVATE_NETWORK=1 or [auth] trust_private_network when everybody there may read along",
  });
}

function refused(message: string, more: { readonly hint: string }): SvcError {
  return new SvcError("validation", {}, { message, ...more });
}

/**
 * The bearer token for the selected daemon and no other (facts cli-and-config 4.1): the environment's, then a catalog
 * entry's own, or for the other targets that of config.toml. Read when a call is made, not when a daemon is located.
 */
export function tokenFor(config: Config, { entry }: Target): string | undefined {
  const { settings, sources, env } = config;
  if (sources.authToken === "env" || entry === undefined) return settings.authToken;
  if (entry.tokenEnv !== undefined) {
    const token = env[entry.tokenEnv];
    if (token !== undefined && token !== "") return token;
    const message = `the token of [[daemon]] ${JSON.stringify(entry.name)} is to be in ${entry.tokenEnv}, which is empty`;
    throw new SvcError("validation", {}, { message });
  }
  return entry.token ?? (entry.origin === undefined ? settings.authToken : undefined);
}
