import { isPlainObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { nestsDeeper } from "../base/json-depth.ts";
import { utf8Text } from "../base/utf8.ts";
import { REDACTED } from "../domain/bridges/redaction.ts";
import type { RuleId } from "./rules.ts";

export const PROTOCOL = "svc.connector.v1";

export type Method =
  | "describe"
  | "resolve_root"
  | "read_root"
  | "list_comments"
  | "complete_root"
  | "publish_comment"
  | "list_fields"
  | "read_fields"
  | "write_fields";

export interface Ask {
  readonly protocol: string;
  /** 32 hex digits. */
  readonly id: string;
  readonly method: string;
  readonly instance: string;
  readonly settings: JsonObject;
  readonly params: JsonObject;
}

/** The request of a call: one line of JSON. */
export function requestOf({ protocol, id, method, instance, settings, params }: Ask): string {
  return `${JSON.stringify({ protocol, id, method, instance, settings, params })}\n`;
}

export type Answered =
  | { readonly result: JsonObject }
  | { readonly error: { readonly code: string; readonly message: string } }
  | { readonly broken: RuleId };

const MOST_DEPTH = 512;

/** Reads what a connector has printed. `broken` names the rule that the answer breaks. */
export function answerOf(
  bytes: Uint8Array,
  { protocol, id }: Pick<Ask, "protocol" | "id">,
): Answered {
  const document = documentOf(bytes);
  if (!isPlainObject(document)) return { broken: "answer.document" };
  if (document["protocol"] !== protocol) return { broken: "answer.protocol" };
  if (document["id"] !== id) return { broken: "answer.id" };
  const { result, error } = document;
  if ((result === undefined) === (error === undefined)) return { broken: "answer.one" };
  if (error !== undefined) return errorOf(error);
  return isPlainObject(result) ? { result } : { broken: "answer.one" };
}

function documentOf(bytes: Uint8Array): JsonValue | undefined {
  const text = utf8Text(bytes);
  if (text === undefined || nestsDeeper(text, MOST_DEPTH)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

const CODE = /^[a-z][a-z0-9_]{0,63}$/;
const MOST_MESSAGE_BYTES = 512;
/** Control characters, and surrogates without their other half. */
const CONTROL = /[\p{Cc}\p{Cs}]/u;

function errorOf(error: JsonValue): Answered {
  if (!isPlainObject(error)) return { broken: "error.form" };
  const { code, message } = error;
  if (typeof code !== "string" || !CODE.test(code)) return { broken: "error.form" };
  if (typeof message !== "string" || !isMessage(message)) return { broken: "error.form" };
  return { error: { code, message } };
}

function isMessage(text: string): boolean {
  const isLine = text !== "" && text.trim() === text && !CONTROL.test(text);
  return isLine && Buffer.byteLength(text) <= MOST_MESSAGE_BYTES;
}

/** The codes that svc acts on. They stay, even if a secret occurs in one. */
const KEPT_CODES = ["not_found", "root_not_found", "deleted", "gone", "field_conflict"];

/** Removes secrets from a connector's error. A code with a secret becomes `connector_error`. */
export function redactedError(
  { code, message }: { readonly code: string; readonly message: string },
  redact: (text: string) => string,
): { readonly code: string; readonly message: string } {
  const shown = redact(message);
  return {
    code: KEPT_CODES.includes(code) || redact(code) === code ? code : "connector_error",
    // Replaced secrets can make the message too long.
    message: isMessage(shown) ? shown : REDACTED,
  };
}
