import { isNonPublicLiteral, scopeOfAddress } from "../config/addresses.ts";
import { type CatalogEntry, requireEntry } from "../config/catalog.ts";
import type { Config } from "../config/load.ts";
import { type Origin, parseOrigin } from "../config/origins.ts";
import { readTrusted } from "../config/trusted.ts";
import type { Workspace, WorkspaceServer } from "../config/workspace.ts";
import { invalid } from "../contract/errors.ts";

/** The setting that selected the daemon (facts cli-and-config 4.2). */
export type Source = "daemon_flag" | "configured" | "local_default";

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
  /**
   * Whether the user of this machine named the origin. An origin from a workspace's file came with the folder, so it
   * gets no token.
   */
  readonly trusted: boolean;
}

/**
 * The first configured source wins. If it fails, the next one is not tried, so that a command never writes to a daemon
 * other than the one named (doc 3, Client endpoint selection). Reads no token.
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
    return ofWorkspace(config, workspace.server);
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

/**
 * A workspace's file can name a server, but neither vouch for it nor allow plain http: the origin is trusted only if
 * the catalog has it or `svc daemon trust` added it.
 */
function ofWorkspace(config: Config, { origin, allowInsecure }: WorkspaceServer): RemoteTarget {
  const entries = config.catalog.filter((entry) => entry.origin?.text === origin.text);
  const byCommand = readTrusted(config.home).includes(origin.text);
  const trusted = byCommand || entries.length > 0;
  const isOptedIn = byCommand || entries.some((entry) => entry.allowInsecure);
  const cure = allowInsecure ? trustCommand(origin) : undefined;
  const named = { origin, from: "[server] url", trusted, cure };
  return remote(config, named, allowInsecure && isOptedIn);
}

function trustCommand({ text }: Origin): string {
  return `svc daemon trust ${text}`;
}

interface Named {
  readonly origin: Origin;
  readonly from: string;
  readonly trusted?: boolean;
  /** The setting that would allow plain http, for the error message. */
  readonly cure?: string | undefined;
}

function remote(
  config: Config,
  { origin, from, trusted = true, cure }: Named,
  allowInsecure: boolean,
): RemoteTarget {
  if (!allowInsecure) requireSafeHttp(origin, from, config.settings.trustPrivateNetwork, cure);
  return { kind: "remote", source: "configured", from, origin, entry: undefined, trusted };
}

/**
 * Refuses plain http unless the host is a literal loopback or private address; a private one also needs the opt-in for
 * private networks. `allow_insecure` of the target waives both rules (doc 3, Daemon listeners 3 to 5).
 */
function requireSafeHttp(
  { scheme, host, text }: Origin,
  from: string,
  trustPrivate: boolean,
  cure: string | undefined,
): void {
  if (scheme === "https" || scopeOfAddress(host) === "loopback") return;
  if (cure !== undefined) {
    throw invalid(
      `plain http to ${text} is refused: only the workspace's file allows it`,
      `if it is yours: ${cure}`,
    );
  }
  if (!isNonPublicLiteral(host)) {
    throw invalid(
      `plain http to ${text} (${from}) is refused: it is no private IP address`,
      "use https, the IP address, an SSH tunnel, or allow_insecure for this one daemon",
    );
  }
  if (trustPrivate) return;
  throw invalid(
    `plain http to ${text} (${from}) is refused: private networks are not trusted`,
    "set SVC_TRUST_PRIVATE_NETWORK=1 or [auth] trust_private_network when everybody there may read along",
  );
}

/**
 * The bearer token for the selected daemon only (facts cli-and-config 4.1): from the environment, then from the catalog
 * entry, or for other targets from config.toml. Read at a call, not when a daemon is located.
 */
export function tokenFor(config: Config, target: Target): string | undefined {
  requireTrusted(config, target);
  const { entry } = target;
  const { settings, sources, env } = config;
  if (sources.authToken === "env" || entry === undefined) return settings.authToken;
  if (entry.tokenEnv !== undefined) {
    const token = env[entry.tokenEnv];
    if (token !== undefined && token !== "") return token;
    const message = `the token of [[daemon]] ${JSON.stringify(entry.name)} is to be in ${entry.tokenEnv}, which is empty`;
    throw invalid(message);
  }
  return entry.token ?? (entry.origin === undefined ? settings.authToken : undefined);
}

/**
 * A target that only a workspace's file names gets no token; if a token is set, the call is refused instead of sent
 * without it.
 */
export function requireTrusted({ settings }: Config, target: Target): void {
  if (target.kind === "local" || target.trusted || settings.authToken === undefined) return;
  const { origin, from } = target;
  throw invalid(
    `the token is not sent to ${origin.text}: only the workspace's file names that server (${from})`,
    `if it is yours: ${trustCommand(origin)}`,
  );
}
