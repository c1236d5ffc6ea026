import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from "node:fs";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { SvcError } from "../contract/errors.ts";

export type TomlTable = Readonly<Record<string, unknown>>;

/**
 * Reads a file that may not exist. Most of these files do not exist, and a check is ten times faster than an exception.
 * `judge` may throw to refuse the file. It gets the status of the opened file, which another process can no longer
 * exchange.
 */
export function readIfThere(path: string, judge?: (found: Stats) => void): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? undefined : readOpened(path, judge);
  } catch (cause) {
    if (cause instanceof SvcError) throw cause;
    if (isMissing(cause)) return undefined;
    throw fileError(path, "cannot be read", cause);
  }
}

function readOpened(path: string, judge: ((found: Stats) => void) | undefined): string {
  // Opening a named pipe without O_NONBLOCK would wait for a writer. Windows has no such flag; `undefined` counts as 0.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    judge?.(fstatSync(file));
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

export async function parseToml(text: string, path: string): Promise<TomlTable> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    // The parser's error is not kept as the cause: it quotes the file, which can hold a token, and causes are logged.
    throw fileError(path, `is not valid TOML (line ${cause.line}, column ${cause.column})`);
  }
}

export async function readTomlOrJson(path: string): Promise<JsonValue> {
  const text = readIfThere(path)?.replace(/^\uFEFF/, "");
  if (text === undefined) throw fileError(path, "is not there");
  if (!text.trimStart().startsWith("{")) return (await parseToml(text, path)) as JsonObject;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // The parser's error quotes the file, like that of TOML.
    throw fileError(path, "is not valid JSON");
  }
}

export async function formatToml(table: TomlTable): Promise<string> {
  const { stringify } = await import("smol-toml");
  return `${stringify(table).trimEnd()}\n`;
}

/** Formats a text as a TOML string. TOML escapes like JSON, and also escapes DEL. */
export function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll("\u007F", "\\u007f");
}

export function fileError(path: string, what: string, cause?: unknown, hint?: string): SvcError {
  const message = `${path} ${what}`;
  return new SvcError(
    "validation",
    {},
    { message, cause, ...(hint === undefined ? {} : { hint }) },
  );
}

/** Every leaf value by its `prefix.key` path. Empty tables and lists of tables count as values. */
export function leavesOf(table: TomlTable, prefix = ""): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>();
  for (const [name, value] of Object.entries(table)) {
    const key = prefix === "" ? name : `${prefix}.${name}`;
    if (!isTable(value) || Object.keys(value).length === 0) leaves.set(key, value);
    else for (const [inner, leaf] of leavesOf(value, key)) leaves.set(inner, leaf);
  }
  return leaves;
}

export function isTable(value: unknown): value is TomlTable {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOENT" || error.code === "ENOTDIR")
  );
}
