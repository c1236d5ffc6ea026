import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { invalidField } from "../../contract/errors.ts";
import { type Fields } from "./fields.ts";

/**
 * Keys for credentials and machine paths, which must not be shared (docs/contract/cron-and-inbox.md#26-the-whole-job).
 */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set([
  "token",
  "api_token",
  "api_key",
  "password",
  "secret",
  "credentials",
  "authorization",
  "cwd",
  "path",
  "checkout_path",
  "local_path",
]);

/**
 * Reads adapter options: any JSON without a banned key at any depth. Unlike elsewhere in a definition, `null` is a
 * value.
 */
export function readOptions(fields: Fields): JsonObject | undefined {
  const options = fields.raw("options");
  if (options === undefined) return undefined;
  if (!isPlainObject(options)) throw fields.invalidField("options", "must be an object");
  refuseBanned(options, `${fields.path}.options`);
  return options;
}

function refuseBanned(value: JsonValue, path: string): void {
  if (Array.isArray(value)) {
    for (const [at, inner] of value.entries()) refuseBanned(inner, `${path}[${at}]`);
    return;
  }
  if (!isPlainObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (FORBIDDEN_KEYS.has(key.toLowerCase()))
      throw invalidField(`${path}.${key}`, "is a key that options must not have");
    refuseBanned(inner, `${path}.${key}`);
  }
}
