import { type JsonValue, parseJson } from "../base/json.ts";
import { invalid, SvcError } from "../contract/errors.ts";

/** Parses `key=value` pairs, split at the first `=`; `undefined` if there are none. */
export function readMetadata(
  pairs: readonly string[] = [],
): Readonly<Record<string, string>> | undefined {
  if (pairs.length === 0) return undefined;
  const entries = pairs.map((pair) => {
    const at = pair.indexOf("=");
    if (at <= 0) throw invalid(`--meta needs key=value, not ${JSON.stringify(pair)}`);
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Returns a metadata value: the text itself or, with `isJson`, the parsed JSON. Refuses `null`, which would remove the
 * key.
 */
export function metadataValue(text: string, isJson: boolean): JsonValue {
  if (!isJson) return text;
  const value = jsonOf(text);
  if (value === null) throw invalid("null is no value", "unset takes a key away");
  return value;
}

/** Suggests --json-value if a value that was refused as text is valid JSON. */
export function withJsonAdvice(error: unknown, text: string, isJson: boolean): unknown {
  if (isJson || !(error instanceof SvcError) || error.code !== "invalid_metadata_value")
    return error;
  if (!isOtherThanText(text)) return error;
  const hint = `give --json-value: without it the value is the text ${JSON.stringify(text)}`;
  return new SvcError(error.code, error.data, { message: error.message, hint, cause: error });
}

function isOtherThanText(text: string): boolean {
  try {
    return typeof parseJson(text) !== "string";
  } catch {
    return false;
  }
}

function jsonOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    throw invalid(`${JSON.stringify(text)} is not JSON`);
  }
}
