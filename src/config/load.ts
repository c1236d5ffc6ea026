import { join } from "node:path";
import { invalid } from "../contract/errors.ts";
import { type CatalogEntry, readCatalog, requireEntry } from "./catalog.ts";
import { readConfigFile } from "./config-file.ts";
import type { ConnectorEntry } from "./connectors.ts";
import { type Dsn, hasPassword, parseDsn } from "./dsn.ts";
import { type Env, isSet } from "./env.ts";
import type { FederationMapping } from "./federation-mappings.ts";
import type { Kind } from "./kinds.ts";
import {
  CONNECTORS_KEY,
  type IgnoredSettings,
  lostFrom,
  MAPPINGS_KEY,
  requireKept,
} from "./lost-settings.ts";
import type { PathFault } from "./path-fault.ts";
import { homeOf } from "./paths.ts";
import { homeFault } from "./private-path.ts";
import type { SettingDefinition } from "./setting.ts";
import { SETTINGS, type SettingName, type SettingSource, type Settings } from "./settings.ts";
import { fileError, isTable, leavesOf, type TomlTable } from "./toml.ts";

export interface Config {
  readonly home: string;
  readonly settings: Settings;
  readonly sources: Readonly<Record<SettingName, SettingSource>>;
  readonly catalog: readonly CatalogEntry[];
  /** The copies of hubs' projects that a daemon is to keep, in the order of config.toml. */
  readonly mappings: readonly FederationMapping[];
  /** The connectors to other trackers, in the order of config.toml. */
  readonly connectors: readonly ConnectorEntry[];
  readonly dsn: Dsn;
  /** The settings in config.toml that are ignored; absent if none is. */
  readonly lost?: IgnoredSettings;
  /** Commands for people print these on stderr. */
  readonly warnings: readonly string[];
  /** Warnings about `[tui]`, shown on the terminal screen only. */
  readonly screenWarnings: readonly string[];
  readonly env: Env;
}

export interface ConfigInput {
  readonly env: Env;
  readonly cwd: string;
  readonly flags?: Partial<Readonly<Record<SettingName, string>>>;
}

export async function loadConfig({ env, cwd, flags = {} }: ConfigInput): Promise<Config> {
  const home = homeOf(env, cwd);
  const { path, table, fault } = await readConfigFile(home);
  const file = leavesOf(table);
  const unknown = unknownKeys(file, path);

  const found = Object.entries(
    SETTINGS as Readonly<Record<string, SettingDefinition<unknown>>>,
  ).map(
    ([name, definition]) =>
      [
        name,
        readSetting(definition, { env, flag: flags[name as SettingName], file, path, fault }),
      ] as const,
  );
  // The cast is safe: each value was parsed by its own setting's parser.
  const settings = Object.fromEntries(found.map(([name, { value }]) => [name, value])) as Settings;
  const sources = Object.fromEntries(found.map(([name, { source }]) => [name, source]));
  const catalog = fault === undefined ? readCatalog(table["daemon"], path) : [];
  const wanted = mappingsIn(table);
  const mappings = fault === undefined ? await readWanted(wanted, catalog, path) : [];
  const connectors = fault === undefined ? await readListed(table["connector"], path) : [];
  const lost = lostFrom(path, fault, [
    ...found.flatMap(([, { key, isLost }]) => (isLost === true && key !== undefined ? [key] : [])),
    ...(fault !== undefined && table["daemon"] !== undefined ? ["[[daemon]]"] : []),
    ...(fault !== undefined && wanted !== undefined ? [MAPPINGS_KEY] : []),
    ...(fault !== undefined && table["connector"] !== undefined ? [CONNECTORS_KEY] : []),
  ]);
  if (settings.activeDaemon !== undefined)
    requireEntry(catalog, settings.activeDaemon, "active_daemon");
  requireTrustedListeners(settings);
  // Throw if `storage.dsn` was ignored, because the command would use the default database instead.
  requireKept(lost, "storage.dsn");
  const dsn = dsnOf(settings, sources["dsn"], home, cwd);
  const secrets = [
    ...(file.has("auth.token") ? ["[auth] token"] : []),
    ...(catalog.some(({ token }) => token !== undefined) ? ["the token of a [[daemon]]"] : []),
    ...(file.has("search.embeddings.api_key") ? ["[search.embeddings] api_key"] : []),
    ...(sources["dsn"] === "file" && hasPassword(dsn) ? ["the password of [storage] dsn"] : []),
  ];
  if (secrets.length > 0) requirePrivate(home, path, secrets.join(", "));
  return {
    home,
    settings,
    sources: sources as Config["sources"],
    catalog,
    mappings,
    connectors,
    dsn,
    ...(lost === undefined ? {} : { lost }),
    warnings: [
      ...(lost === undefined ? [] : [`${lost.what}; ${lost.hint}`]),
      ...found.flatMap(([, { warnings, key }]) => (isOfScreen(key) ? [] : warnings)),
    ],
    screenWarnings: [
      ...unknown,
      ...found.flatMap(([, { warnings, key }]) => (isOfScreen(key) ? warnings : [])),
    ],
    env,
  };
}

function mappingsIn({ federation }: TomlTable): unknown {
  return isTable(federation) ? federation["project"] : federation;
}

/** The reader of mappings is loaded only if the file has some, since few files do. */
async function readWanted(
  wanted: unknown,
  catalog: readonly CatalogEntry[],
  path: string,
): Promise<readonly FederationMapping[]> {
  if (wanted === undefined) return [];
  const { readMappings } = await import("./federation-mappings.ts");
  return readMappings(wanted, catalog, path);
}

/** The reader of connectors is loaded only if the file has some, since few files do. */
async function readListed(listed: unknown, path: string): Promise<readonly ConnectorEntry[]> {
  if (listed === undefined) return [];
  const { readConnectors } = await import("./connector-list.ts");
  return readConnectors(listed, path);
}

/**
 * Throws if the settings name the header of a trusted proxy, but no listener for it. The header would be trusted
 * nowhere, and nobody would notice (docs/contract/network-and-access.md#13-trusted-proxies).
 */
function requireTrustedListeners({ trustedActorHeader, trustedProxyListeners }: Settings): void {
  if (trustedActorHeader === "" || trustedProxyListeners.length > 0) return;
  throw invalid(
    "[auth.proxy] trusted_actor_header (SVC_TRUSTED_ACTOR_HEADER) is set, and trusted_proxy_listeners names no listener",
    "name in trusted_proxy_listeners the addresses of listen that only the proxy can reach, or remove the header",
  );
}

/** Refuses secrets in a folder that other users can enter or write to. */
function requirePrivate(home: string, path: string, secrets: string): void {
  const fault = homeFault(home);
  if (fault === undefined) return;
  const problem = `holds ${secrets}, and its folder ${fault.what}`;
  throw fileError(path, problem, undefined, fault.hint);
}

const KEYS: readonly string[] = Object.values(
  SETTINGS as Readonly<Record<string, SettingDefinition<unknown>>>,
).flatMap(({ key }) => key ?? []);

/**
 * Keys that are not checked here. catalog.ts checks those of `[[daemon]]`, federation-mappings.ts those of
 * `[[federation.project]]`, connectors.ts those of `[[connector]]`. `[display]` may contain keys of other versions
 * (docs/contract/command-line.md#31-configtoml).
 */
const KEYS_CHECKED_ELSEWHERE =
  /^(?:daemon|connector)(?:\.|$)|^federation(?:\.project(?:\.|$)|$)|^display\./;

/** Tables of the configuration file whose keys the user chooses. */
const TABLES: readonly string[] = Object.values(
  SETTINGS as Readonly<Record<string, SettingDefinition<unknown>>>,
).flatMap(({ key, kind }) => (key === undefined || kind.entry === undefined ? [] : [key]));

/** Keys of earlier versions, each with the key that replaced it. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["listen_certificate", "cert in [tls]"],
  ["listen_key", "key in [tls]"],
]);

/**
 * Finds unknown keys, since a misspelt key would have no effect and nobody would notice. Unknown keys of `[tui]` only
 * cause warnings, because a setting of another version must not stop anybody's work.
 */
function unknownKeys(file: ReadonlyMap<string, unknown>, path: string): readonly string[] {
  const warnings: string[] = [];
  for (const [key, value] of file) {
    if (
      KEYS.includes(key) ||
      KEYS_CHECKED_ELSEWHERE.test(key) ||
      TABLES.some((table) => isIn(table, key))
    )
      continue;
    const emptyTable = isTable(value) && KEYS.some((known) => known.startsWith(`${key}.`));
    if (emptyTable) continue;
    const now = RENAMED.get(key);
    if (now !== undefined) throw fileError(path, `has ${key}, which is now ${now}`);
    const problem = `has the unknown key ${JSON.stringify(key)}`;
    if (!isOfScreen(key)) throw fileError(path, problem);
    warnings.push(`${path} ${problem}, which does nothing`);
  }
  return warnings;
}

function isOfScreen(key: string | undefined): boolean {
  return key !== undefined && (key === "tui" || isIn("tui", key));
}

function isIn(table: string, key: string): boolean {
  return key.startsWith(`${table}.`);
}

interface FoundValue {
  readonly value: unknown;
  readonly source: SettingSource;
  readonly warnings: readonly string[];
  readonly key: string | undefined;
  /** True if the file contains the setting, but the setting is ignored because other users could have written it. */
  readonly isLost?: boolean;
}

interface SettingPlaces {
  readonly env: Env;
  readonly flag: string | undefined;
  readonly file: ReadonlyMap<string, unknown>;
  readonly path: string;
  readonly fault: PathFault | undefined;
}

function readSetting(
  definition: SettingDefinition<unknown>,
  { env, flag, file, path, fault }: SettingPlaces,
): FoundValue {
  const { key } = definition;
  const found = { key, warnings: [] };
  if (flag !== undefined)
    return { ...found, value: fromText(definition, flag, `--${definition.flag}`), source: "flag" };
  // An empty variable means "no override" (docs/contract/network-and-access.md#13-trusted-proxies).
  const variable = definition.env?.find((name) => isSet(env[name]));
  if (variable !== undefined) return fromEnv(definition, variable, env[variable] ?? "");
  if (key !== undefined && definition.guarded !== undefined && fault !== undefined) {
    const isLost = [...file.keys()].some((name) => name === key || isIn(key, name));
    return { ...found, value: definition.default, source: "default", isLost };
  }
  if (key !== undefined && definition.kind.entry !== undefined)
    return { ...found, ...readEntries(key, definition.kind.entry, file) };
  const raw = key === undefined ? undefined : file.get(key);
  if (key === undefined || raw === undefined)
    return { ...found, value: definition.default, source: "default" };
  const value = definition.kind.fromToml(raw);
  if (value !== undefined) return { ...found, value, source: "file" };
  if (definition.lenient !== true)
    throw fileError(path, `must have ${definition.kind.expects} as ${key}`);
  const warnings = [wrongValue(key, raw, definition.kind.expects)];
  return { key, value: definition.default, source: "default", warnings };
}

function readEntries(
  table: string,
  { fromToml, expects }: Kind<unknown>,
  file: ReadonlyMap<string, unknown>,
): Omit<FoundValue, "key"> {
  const entries: [string, unknown][] = [];
  const warnings: string[] = [];
  for (const [key, raw] of file) {
    if (key === table && !isTable(raw)) warnings.push(wrongValue(key, raw, "a table"));
    if (!isIn(table, key)) continue;
    const value = fromToml(raw);
    if (value === undefined) warnings.push(wrongValue(key, raw, expects));
    else entries.push([key.slice(table.length + 1), value]);
  }
  const source = entries.length === 0 ? "default" : "file";
  return { value: Object.fromEntries(entries), source, warnings };
}

const MAX_SHOWN = 60;

function wrongValue(key: string, raw: unknown, expects: string): string {
  const text = typeof raw === "bigint" ? String(raw) : (JSON.stringify(raw) ?? "nothing");
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
  return `${key} is ${shown} and must be ${expects}; the default holds`;
}

function fromEnv(
  definition: SettingDefinition<unknown>,
  variable: string,
  text: string,
): FoundValue {
  const { key } = definition;
  const value = definition.kind.fromText(text);
  if (value !== undefined) return { key, value, source: "env", warnings: [] };
  const message = `${variable} must be ${definition.kind.expects}`;
  if (definition.lenient !== true) throw invalid(message);
  const warnings = [`${message}; the default holds`];
  return { key, value: definition.default, source: "default", warnings };
}

function fromText(definition: SettingDefinition<unknown>, text: string, name: string): unknown {
  const value = definition.kind.fromText(text);
  if (value === undefined) {
    throw invalid(`${name} must be ${definition.kind.expects}`);
  }
  return value;
}

/**
 * Parses the address of the database. A relative path is resolved against the home if config.toml contains it,
 * otherwise against the caller's folder.
 */
function dsnOf(
  settings: Settings,
  source: SettingSource | undefined,
  home: string,
  cwd: string,
): Dsn {
  const base = source === "file" ? home : cwd;
  return parseDsn(settings.dsn ?? join(home, "svc.db"), base, settings.postgresSchema);
}
