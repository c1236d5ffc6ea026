import { isAbsolute } from "node:path";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { SvcError } from "../contract/errors.ts";
import { fileError, isTable, parseToml, readIfThere, type TomlTable } from "./toml.ts";

/** One `[[connector]]` of config.toml: a program that speaks for another tracker (docs/connectors.md). */
export interface ConnectorEntry {
  readonly id: string;
  /** An absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  /** The name of a variable of the program -> the name of the daemon's variable with its value. */
  readonly env: Readonly<Record<string, string>>;
  readonly settings: JsonObject;
}

/** What `svc connector test` needs besides the connector. */
export interface ConnectorTest {
  /** What names the root to test with, for a connector without fixture. */
  readonly root?: string;
  /** The program that changes the provider for the test, with its arguments. */
  readonly fixture?: readonly string[];
}

const KEYS = ["id", "command", "args", "timeout_seconds", "env", "settings"];
const MOST_ARGS = 64;
const MOST_SECONDS = 300;
const DEFAULT_SECONDS = 30;
const MOST_DEPTH = 64;

type Fail = (what: string) => SvcError;

/** Checks an entry. `fail` makes the error of what is wrong with it. */
export function readEntry(table: TomlTable, fail: Fail): ConnectorEntry {
  return { id: idOf(table["id"], fail), ...readProgram(table, KEYS, fail) };
}

function readProgram(
  table: TomlTable,
  keys: readonly string[],
  fail: Fail,
): Omit<ConnectorEntry, "id"> {
  const unknown = Object.keys(table).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw fail(`has the unknown key ${JSON.stringify(unknown)}`);
  return {
    command: commandOf(table["command"], fail),
    args: argsOf(table["args"], fail),
    timeoutMs: timeoutOf(table["timeout_seconds"], fail),
    env: envOf(table["env"], fail),
    settings: settingsOf(table["settings"], fail),
  };
}

/**
 * Reads the file of `svc connector test --settings`: the keys of a `[[connector]]`, directly or in one `[[connector]]`,
 * and a table `[test]`. `command` is the one to test, so the file needs none. Without a path there are no settings. Throws
 * `validation`.
 */
export async function readConnectorFile(
  path: string | undefined,
  command: string,
): Promise<ConnectorEntry & { readonly test: ConnectorTest }> {
  if (path === undefined)
    return {
      ...readEntry({ id: "test", command }, (what) => fileError("the command", what)),
      test: {},
    };
  const text = readIfThere(path);
  if (text === undefined) throw fileError(path, "is not there");
  const { connector, test, ...rest } = await parseToml(text, path);
  const fail: Fail = (what) => fileError(path, what);
  const entries = connector === undefined ? [rest] : connector;
  if (!Array.isArray(entries) || entries.length !== 1 || !isTable(entries[0]))
    throw fail("has not exactly one [[connector]]");
  if (connector !== undefined && Object.keys(rest).length > 0)
    throw fail(`has the unknown key ${JSON.stringify(Object.keys(rest)[0])}`);
  const entry = readEntry({ id: "test", ...entries[0], command }, fail);
  return { ...entry, test: testOf(test, fail) };
}

function testOf(given: unknown, fail: Fail): ConnectorTest {
  if (given === undefined) return {};
  if (!isTable(given)) throw fail("must have [test] as a table");
  const { root, fixture, ...rest } = given;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw fail(`has the unknown key ${JSON.stringify(`test.${unknown}`)}`);
  if (root !== undefined && (typeof root !== "string" || root.trim() === ""))
    throw fail("must have text as root in [test]");
  if (fixture !== undefined && !(isTexts(fixture) && isAbsolute(fixture[0] ?? "")))
    throw fail("must have as fixture in [test] a list of words, the first an absolute path");
  return { ...(root === undefined ? {} : { root }), ...(fixture === undefined ? {} : { fixture }) };
}

const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;

function idOf(given: unknown, fail: Fail): string {
  if (given === undefined) throw fail("has no id: id is required");
  const id = typeof given === "string" ? given.trim().toLowerCase() : "";
  if (ID.test(id)) return id;
  throw fail(
    "has an invalid id: it is 1 to 64 of a to z, 0 to 9, . _ and -, the first a letter or digit",
  );
}

function commandOf(given: unknown, fail: Fail): string {
  const command = typeof given === "string" ? given.trim() : "";
  if (isAbsolute(command) && !command.includes("\0")) return command;
  throw fail("has another command than an absolute path: command must be absolute");
}

function argsOf(given: unknown, fail: Fail): readonly string[] {
  if (given === undefined) return [];
  if (!isTexts(given)) throw fail("must have a list of texts as args");
  if (given.length > MOST_ARGS) throw fail(`may have at most ${MOST_ARGS} args`);
  return given;
}

function timeoutOf(given: unknown, fail: Fail): number {
  if (given === undefined || given === 0) return DEFAULT_SECONDS * 1000;
  if (typeof given === "number" && given > 0 && given <= MOST_SECONDS) return given * 1000;
  throw fail(`has a timeout_seconds that it cannot have: it must be between 0 and ${MOST_SECONDS}`);
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

function envOf(given: unknown, fail: Fail): Readonly<Record<string, string>> {
  if (given === undefined) return {};
  if (!isTable(given)) throw fail("must have a table as env");
  for (const [name, source] of Object.entries(given))
    if (!VARIABLE.test(name) || typeof source !== "string" || !VARIABLE.test(source))
      throw fail("has an invalid environment name in env: letters, digits and _, no digit first");
  return given as Readonly<Record<string, string>>;
}

function settingsOf(given: unknown, fail: Fail): JsonObject {
  if (given === undefined) return {};
  if (isTable(given) && isJson(given, 1)) return given as JsonObject;
  throw fail(
    `has settings that are no JSON: settings must be JSON-compatible, a table of texts, finite numbers, booleans, lists and tables, nested at most ${MOST_DEPTH} levels`,
  );
}

/** TOML also has dates, integers beyond 2^53, infinity and NaN. */
function isJson(value: unknown, depth: number): value is JsonValue {
  if (typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (depth > MOST_DEPTH) return false;
  if (!Array.isArray(value) && !isTable(value)) return false;
  return Object.values(value).every((inner) => isJson(inner, depth + 1));
}

function isTexts(given: unknown): given is readonly string[] {
  return (
    Array.isArray(given) && given.every((one) => typeof one === "string" && !one.includes("\0"))
  );
}
