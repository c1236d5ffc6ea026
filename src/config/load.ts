import { join } from "node:path";
import { SvcError } from "../contract/errors.ts";
import { type CatalogEntry, readCatalog, requireEntry } from "./catalog.ts";
import { type Dsn, parseDsn } from "./dsn.ts";
import type { Env } from "./env.ts";
import { configPath, homeOf } from "./paths.ts";
import {
  type Row,
  SETTINGS,
  type SettingName,
  type SettingSource,
  type Settings,
} from "./settings.ts";
import { fileError, isTable, leavesOf, parseToml, readIfThere, type TomlTable } from "./toml.ts";

/** Everything that is set, with where it came from. */
export interface Config {
  readonly home: string;
  readonly settings: Settings;
  readonly sources: Readonly<Record<SettingName, SettingSource>>;
  readonly catalog: readonly CatalogEntry[];
  readonly dsn: Dsn;
  /** Said on stderr by whoever loads it for a person. */
  readonly warnings: readonly string[];
  readonly env: Env;
}

export interface ConfigInput {
  readonly env: Env;
  readonly cwd: string;
  /** By setting; what a command's flags say. */
  readonly flags?: Partial<Readonly<Record<SettingName, string>>>;
}

export async function loadConfig({ env, cwd, flags = {} }: ConfigInput): Promise<Config> {
  const home = homeOf(env, cwd);
  const path = configPath(home);
  const table = await readConfigFile(path);
  const file = leavesOf(table);
  refuseUnknownKeys(file, path);

  const found = Object.entries(SETTINGS as Readonly<Record<string, Row<unknown>>>).map(
    ([name, row]) =>
      [name, readSetting(row, { env, flag: flags[name as SettingName], file, path })] as const,
  );
  // Each value was read by the kind of its own row.
  const settings = Object.fromEntries(found.map(([name, { value }]) => [name, value])) as Settings;
  const sources = Object.fromEntries(found.map(([name, { source }]) => [name, source]));
  const catalog = readCatalog(table["daemon"], path);
  if (settings.activeDaemon !== undefined)
    requireEntry(catalog, settings.activeDaemon, "active_daemon");
  return {
    home,
    settings,
    sources: sources as Config["sources"],
    catalog,
    dsn: dsnOf(settings, sources["dsn"], home, cwd),
    warnings: found.flatMap(([, { warning }]) => (warning === undefined ? [] : [warning])),
    env,
  };
}

async function readConfigFile(path: string): Promise<TomlTable> {
  const text = readIfThere(path);
  return text === undefined ? {} : await parseToml(text, path);
}

const KEYS: readonly string[] = Object.values(
  SETTINGS as Readonly<Record<string, Row<unknown>>>,
).flatMap(({ key }) => key ?? []);

/** The catalog and the views of the screen look at their own tables. */
const ELSEWHERE = /^(?:daemon|tui\.views)(?:\.|$)/;

/** A misspelt key would be a setting that silently does not hold. */
function refuseUnknownKeys(file: ReadonlyMap<string, unknown>, path: string): void {
  for (const [key, value] of file) {
    if (KEYS.includes(key) || ELSEWHERE.test(key)) continue;
    const emptyTable = isTable(value) && KEYS.some((known) => known.startsWith(`${key}.`));
    if (!emptyTable) throw fileError(path, `has the unknown key ${JSON.stringify(key)}`);
  }
}

interface Found {
  readonly value: unknown;
  readonly source: SettingSource;
  readonly warning?: string;
}

interface Places {
  readonly env: Env;
  readonly flag: string | undefined;
  readonly file: ReadonlyMap<string, unknown>;
  readonly path: string;
}

function readSetting(row: Row<unknown>, { env, flag, file, path }: Places): Found {
  if (flag !== undefined) return { value: fromText(row, flag, `--${row.flag}`), source: "flag" };
  // An empty variable means "no override" (doc 3, Trusted-proxy actor header 1).
  const variable = row.env?.find((name) => (env[name] ?? "") !== "");
  if (variable !== undefined) return fromEnv(row, variable, env[variable] ?? "");
  const given = row.key === undefined ? undefined : file.get(row.key);
  if (given === undefined) return { value: row.default, source: "default" };
  const value = row.kind.fromToml(given);
  if (value === undefined) throw fileError(path, `must have ${row.kind.expects} as ${row.key}`);
  return { value, source: "file" };
}

function fromEnv(row: Row<unknown>, variable: string, text: string): Found {
  const value = row.kind.fromText(text);
  if (value !== undefined) return { value, source: "env" };
  const message = `${variable} must be ${row.kind.expects}`;
  if (row.lenient !== true) throw new SvcError("validation", {}, { message });
  return { value: row.default, source: "default", warning: `${message}; the default holds` };
}

function fromText(row: Row<unknown>, text: string, name: string): unknown {
  const value = row.kind.fromText(text);
  if (value === undefined) {
    throw new SvcError("validation", {}, { message: `${name} must be ${row.kind.expects}` });
  }
  return value;
}

/** A relative path is meant from where it was written: the caller's folder, or the home of config.toml. */
function dsnOf(
  settings: Settings,
  source: SettingSource | undefined,
  home: string,
  cwd: string,
): Dsn {
  const base = source === "file" ? home : cwd;
  return parseDsn(settings.dsn ?? join(home, "svc.db"), base, settings.postgresSchema);
}
