import { invalid, type SvcError } from "../contract/errors.ts";
import { parseBaseUrl } from "./base-url.ts";
import type { Origin } from "./origins.ts";
import { fileError, isTable } from "./toml.ts";

/**
 * One `[[daemon]]` of config.toml: a name for a daemon that commands can use
 * (docs/contract/command-line.md#31-configtoml).
 */
export interface CatalogEntry {
  readonly name: string;
  /** The address of the daemon; `undefined` for this machine's own daemon. */
  readonly origin: Origin | undefined;
  /** The path that a proxy puts before the paths of the API, if there is one. */
  readonly path?: string;
  readonly token?: string;
  /** The environment variable that holds the token; read only when a token is needed. */
  readonly tokenEnv?: string;
  readonly allowInsecure: boolean;
}

/** An entry that is not this machine's own daemon. */
export interface RemoteEntry extends CatalogEntry {
  readonly origin: Origin;
}

const KEYS = new Set(["name", "local", "url", "token", "token_env", "allow_insecure"]);

export function readCatalog(value: unknown, path: string): readonly CatalogEntry[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isTable)) {
    throw fileError(path, "must write a daemon as [[daemon]]");
  }
  const entries = value.map((table, place) => readEntry(table, place, path));
  const twice = entries.find(({ name }, place) => {
    return entries.findIndex((other) => other.name === name) !== place;
  });
  if (twice !== undefined)
    throw fileError(path, `names two [[daemon]] entries ${quoted(twice.name)}`);
  return entries;
}

function readEntry(
  table: Readonly<Record<string, unknown>>,
  place: number,
  path: string,
): CatalogEntry {
  const name = table["name"];
  if (typeof name !== "string" || name.trim() === "") {
    throw fileError(path, `has a [[daemon]] without a name (number ${place + 1})`);
  }
  const fail = (what: string): SvcError => fileError(path, `in [[daemon]] ${quoted(name)} ${what}`);
  const unknown = Object.keys(table).find((key) => !KEYS.has(key));
  if (unknown !== undefined) throw fail(`has the unknown key ${quoted(unknown)}`);

  const url = textOf(table, "url", fail);
  const local = flagOf(table, "local", fail);
  if ((url !== undefined) === local) throw fail("must have either local = true or url");
  const token = textOf(table, "token", fail);
  const tokenEnv = textOf(table, "token_env", fail);
  if (token !== undefined && tokenEnv !== undefined) throw fail("has both token and token_env");
  const base =
    url === undefined ? undefined : parseBaseUrl(url, `url of [[daemon]] ${quoted(name)}`);
  return {
    name,
    origin: base?.origin,
    ...(base === undefined || base.path === "" ? {} : { path: base.path }),
    allowInsecure: flagOf(table, "allow_insecure", fail),
    ...(token === undefined ? {} : { token }),
    ...(tokenEnv === undefined ? {} : { tokenEnv }),
  };
}

type Fail = (what: string) => SvcError;

function textOf(
  table: Readonly<Record<string, unknown>>,
  key: string,
  fail: Fail,
): string | undefined {
  const value = table[key];
  if (value === undefined) return undefined;
  if (typeof value === "string" && value !== "") return value;
  throw fail(`has a ${key} that is not text`);
}

function flagOf(table: Readonly<Record<string, unknown>>, key: string, fail: Fail): boolean {
  const value = table[key] ?? false;
  if (typeof value === "boolean") return value;
  throw fail(`has a value of ${key} other than true and false`);
}

/** The address of the entry's daemon, with its path. */
export function addressOf(entry: RemoteEntry): string;
export function addressOf(entry: CatalogEntry): string | undefined;
export function addressOf({ origin, path = "" }: CatalogEntry): string | undefined {
  return origin === undefined ? undefined : `${origin.text}${path}`;
}

export function requireEntry(
  catalog: readonly CatalogEntry[],
  name: string,
  whose: string,
): CatalogEntry {
  const entry = catalog.find((candidate) => candidate.name === name);
  if (entry !== undefined) return entry;
  const names = catalog.map((candidate) => candidate.name).join(", ");
  const hint = names === "" ? "config.toml has no [[daemon]] entries" : `config.toml has: ${names}`;
  throw invalid(`${whose} names no daemon: ${quoted(name)}`, hint);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
