import { bearerFault } from "../config/bearer.ts";
import { type CatalogEntry, requireEntry } from "../config/catalog.ts";
import { isSet } from "../config/env.ts";
import type { Config } from "../config/load.ts";
import { requireKept } from "../config/lost-settings.ts";
import { type Origin, parseOrigin } from "../config/origins.ts";
import { requireSafeHttp } from "../config/plain-http.ts";
import { readTrusted } from "../config/trusted.ts";
import type { Workspace, WorkspaceServer } from "../config/workspace.ts";
import { invalid } from "../contract/errors.ts";

/** The setting that selected the daemon (docs/contract/command-line.md#42-svc-daemon-locate). */
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
  /** The name of the setting that selected the daemon, for messages. */
  readonly from: string;
  readonly origin: Origin;
  /** The path before the paths of the API; only of a hub (`hub-target.ts`) and of a catalog entry. */
  readonly path?: string;
  /** The token for this target, if a command names it. No other source of a token is used then. */
  readonly token?: Token;
  readonly entry: CatalogEntry | undefined;
  /**
   * Whether the user of this machine has named the origin. An origin that only a workspace's file names is not trusted
   * and gets no token, because the file came with the folder.
   */
  readonly trusted: boolean;
  /** Whether plain http to any address is allowed. */
  readonly allowInsecure: boolean;
  /** The command by which the user can allow plain http; set only if the workspace's file has `allow_insecure`. */
  readonly cure: string | undefined;
}

/**
 * Selects the daemon by the first source that names one. If that daemon cannot be reached, no other source is tried, so
 * that a command never writes to another daemon than the one named (docs/contract/command-line.md#41-selection). Reads
 * no token.
 */
export function selectTarget(
  config: Config,
  workspace: Pick<Workspace, "server">,
  daemonFlag?: string,
): Target {
  const { settings, catalog, lost } = config;
  if (daemonFlag !== undefined) {
    requireKept(lost, "[[daemon]]");
    return ofEntry(
      config,
      requireEntry(catalog, daemonFlag, "--daemon"),
      "daemon_flag",
      "--daemon",
    );
  }
  if (settings.server !== undefined) {
    const origin = parseOrigin(settings.server, "SVC_SERVER");
    return remoteTarget(config, { origin, from: "SVC_SERVER" }, settings.allowInsecure);
  }
  if (workspace.server !== undefined) {
    return ofWorkspace(config, workspace.server);
  }
  requireKept(lost, "active_daemon");
  if (settings.activeDaemon !== undefined) {
    const entry = requireEntry(catalog, settings.activeDaemon, "active_daemon");
    return ofEntry(config, entry, "configured", "active_daemon");
  }
  return LOCAL;
}

export const LOCAL: Target = { kind: "local", source: "local_default", entry: undefined };

function ofEntry(config: Config, entry: CatalogEntry, source: Source, by: string): Target {
  const { origin, path, allowInsecure } = entry;
  if (origin === undefined) return { kind: "local", source, entry };
  const named = remoteTarget(config, { origin, from: `${by} ${entry.name}` }, allowInsecure);
  return { ...named, source, entry, ...(path === undefined ? {} : { path }) };
}

/**
 * The server that a workspace's file names. The file itself can neither make the server trusted nor allow plain http:
 * the origin is trusted only if the catalog has it or `svc daemon trust` has added it.
 */
function ofWorkspace(config: Config, { origin, allowInsecure }: WorkspaceServer): RemoteTarget {
  const entries = config.catalog.filter((entry) => entry.origin?.text === origin.text);
  const byCommand = readTrusted(config.home).includes(origin.text);
  const trusted = byCommand || entries.length > 0;
  const isOptedIn = byCommand || entries.some((entry) => entry.allowInsecure);
  const cure = allowInsecure ? trustCommand(origin) : undefined;
  const named = { origin, from: "[server] url", trusted, cure };
  return remoteTarget(config, named, allowInsecure && isOptedIn);
}

function trustCommand({ text }: Origin): string {
  return `svc daemon trust ${text}`;
}

interface NamedOrigin {
  readonly origin: Origin;
  readonly from: string;
  readonly trusted?: boolean;
  readonly cure?: string | undefined;
}

function remoteTarget(
  config: Config,
  { origin, from, trusted = true, cure }: NamedOrigin,
  allowInsecure: boolean,
): RemoteTarget {
  const target: RemoteTarget = {
    kind: "remote",
    source: "configured",
    from,
    origin,
    entry: undefined,
    trusted,
    allowInsecure,
    cure,
  };
  requireAllowed(config, target);
  return target;
}

/** Throws if the target uses plain http and that is not allowed for its address. */
export function requireAllowed({ settings }: Config, target: Target): void {
  if (target.kind === "local" || target.allowInsecure) return;
  const { origin, from, cure } = target;
  requireSafeHttp(origin, { from, cure, trusts: settings.trustPrivateNetwork });
}

/** A bearer token and the setting that it is from, for messages. */
export interface Token {
  readonly text: string;
  readonly from: string;
}

/**
 * Returns the bearer token for the selected daemon, from the first of these sources that has one
 * (docs/contract/command-line.md#41-selection):
 * - SVC_AUTH_TOKEN, if SVC_SERVER selected the daemon, because the two variables are set together, such as for an agent
 *   that has its own token
 * - the selected catalog entry, or else the first catalog entry that has the daemon's origin and a token. If the entry
 *   has `token` or `token_env`, no later source is used.
 * - SVC_AUTH_TOKEN
 * - config.toml, unless a remote catalog entry was selected
 * The token is read at each call, not when the daemon is located. Throws if the token cannot be sent as a header.
 */
export function tokenFor(config: Config, target: Target): Token | undefined {
  requireTrusted(config, target);
  const token = tokenOf(config, target);
  const fault = token && bearerFault(token.text);
  if (fault === undefined) return token;
  throw invalid(
    `the token of ${token?.from} ${fault}`,
    "a token is printable ASCII characters without spaces: set it anew",
  );
}

function tokenOf(config: Config, target: Target): Token | undefined {
  if (target.kind === "remote" && target.token !== undefined) return target.token;
  const { settings, env } = config;
  const variable = tokenVariable(config, target);
  if (variable !== undefined) {
    const token = tokenFrom(env[variable], variable);
    if (token !== undefined) return token;
    throw invalid(
      `the token of ${entryName(config, target)} is to be in ${variable}, which is empty`,
    );
  }
  const entry = entryFor(config, target);
  if (entry?.token !== undefined)
    return tokenFrom(entry.token, `[[daemon]] ${JSON.stringify(entry.name)}`);
  const isRemoteEntry = target.entry?.origin !== undefined;
  return isRemoteEntry ? undefined : tokenFrom(settings.authToken, "[auth] token in config.toml");
}

/**
 * Returns the name of the environment variable that holds the token for the target, or `undefined` if the token comes
 * from config.toml or there is none.
 */
export function tokenVariable(config: Config, target: Target): string | undefined {
  const isInEnv = config.sources.authToken === "env";
  if (isInEnv && target.kind === "remote" && target.from === "SVC_SERVER") return "SVC_AUTH_TOKEN";
  const entry = entryFor(config, target);
  if (entry?.tokenEnv !== undefined) return variableName(config, target, entry.tokenEnv);
  return isInEnv && entry?.token === undefined ? "SVC_AUTH_TOKEN" : undefined;
}

function variableName(config: Config, target: Target, name: string): string {
  if (isSet(config.env[name]) || LIKE_A_VARIABLE.test(name)) return name;
  throw invalid(
    `the token of ${entryName(config, target)} is to be in the variable that its token_env names, and there is none of that name`,
    "token_env takes the name of a variable, such as TEAM_TOKEN; a token itself belongs in token, or in that variable",
  );
}

function entryFor({ catalog }: Config, target: Target): CatalogEntry | undefined {
  return target.entry ?? entryOf(catalog, target);
}

function entryName(config: Config, target: Target): string {
  return `[[daemon]] ${JSON.stringify(entryFor(config, target)?.name)}`;
}

/**
 * A value of the setting `token_env` that matches this pattern is the name of a variable. Any other value may be a
 * token that was written there by mistake, so messages do not repeat it.
 */
const LIKE_A_VARIABLE = /^[A-Z_][A-Z0-9_]*$/;

function tokenFrom(text: string | undefined, from: string): Token | undefined {
  return text === undefined || text === "" ? undefined : { text, from };
}

/**
 * Returns the first catalog entry that has the origin of the target, and a token or the name of a variable for one. It
 * is used for a target that was selected by a URL instead of a catalog entry.
 */
function entryOf(catalog: readonly CatalogEntry[], target: Target): CatalogEntry | undefined {
  if (target.kind === "local") return undefined;
  return catalog.find(({ origin, token, tokenEnv }) => {
    return origin?.text === target.origin.text && (token ?? tokenEnv) !== undefined;
  });
}

/**
 * Throws if a token is set but only a workspace's file names the target. Such a target gets no token, and the call must
 * not be sent without it.
 */
export function requireTrusted({ settings }: Config, target: Target): void {
  if (target.kind === "local" || target.trusted || settings.authToken === undefined) return;
  const { origin, from } = target;
  throw invalid(
    `the token is not sent to ${origin.text}: only the workspace's file names that server (${from})`,
    `if it is yours: ${trustCommand(origin)}`,
  );
}
