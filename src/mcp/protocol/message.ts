import {
  CLIENT_CAPABILITIES_META_KEY,
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  PROTOCOL_VERSION_META_KEY,
  parseJSONRPCMessage,
} from "@modelcontextprotocol/server";
import { isPlainObject, parseExact } from "../../base/json.ts";
import { MAX_MESSAGE_BYTES } from "./line-reader.ts";

/** The protocol version of clients that name the version in each request (docs/contract/tools.md#10-versions). */
export const STATELESS_VERSION = "2026-07-28";

/** The error for a message that cannot be read. The id of such a message is unknown, so the answer has the id null. */
export interface Unreadable {
  readonly code: number;
  readonly message: string;
}

const TOO_LONG: Unreadable = {
  code: INVALID_REQUEST,
  message: `the message is longer than ${MAX_MESSAGE_BYTES} bytes`,
};
const BATCH_REFUSED: Unreadable = {
  code: INVALID_REQUEST,
  message: "JSON-RPC batches are not supported",
};
const NOT_JSON: Unreadable = { code: PARSE_ERROR, message: "the message is not JSON" };
const NO_REQUEST: Unreadable = {
  code: INVALID_REQUEST,
  message: "the message is no JSON-RPC request",
};

/**
 * The text of the error -32603, which is sent instead of an answer that is too long
 * (docs/contract/tools.md#22-errors-of-the-protocol).
 */
export const TOO_LONG_ANSWER = `the answer is longer than ${MAX_MESSAGE_BYTES} bytes`;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads one message (docs/contract/tools.md#22-errors-of-the-protocol). `bytes` is `undefined` for a line that was too
 * long.
 */
export function readMessage(bytes: Buffer | undefined): JSONRPCMessage | Unreadable {
  if (bytes === undefined) return TOO_LONG;
  let value: unknown;
  try {
    value = parseMessage(utf8.decode(bytes));
  } catch {
    return NOT_JSON;
  }
  if (Array.isArray(value)) return BATCH_REFUSED;
  nameReserved(value);
  dropEmpty(value);
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return NO_REQUEST;
  }
}

/** Parses a message. Numbers in the arguments of a tool that JavaScript cannot hold are raw JSON values. */
function parseMessage(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const exact = parseExact(text);
  const params = isPlainObject(exact) ? exact["params"] : undefined;
  if (!isPlainObject(params) || params["arguments"] === undefined) return value;
  return { ...(value as object), params: { ...params, arguments: params["arguments"] } };
}

/**
 * Renames an argument `__proto__` to a name that is no argument of any tool, so that the call is refused because of an
 * unknown argument. The MCP library would leave out `__proto__` without an error.
 */
function nameReserved(message: unknown): void {
  const sent = (message as { params?: { arguments?: unknown } } | null)?.params?.arguments;
  if (typeof sent !== "object" || sent === null || !Object.hasOwn(sent, "__proto__")) return;
  delete (sent as Record<string, unknown>)["__proto__"];
  Object.assign(sent, { "__proto__ (reserved)": true });
}

/**
 * Removes a cursor that is null or empty, and arguments that are null. Clients send these instead of leaving them out,
 * and the MCP library would answer with an internal error.
 */
function dropEmpty(message: unknown): void {
  const params: unknown = (message as { params?: unknown } | null)?.params;
  if (typeof params !== "object" || params === null) return;
  const sent = params as Record<string, unknown>;
  if (sent["cursor"] === null || sent["cursor"] === "") delete sent["cursor"];
  if (sent["arguments"] === null) delete sent["arguments"];
}

/**
 * Returns the error for a message that names a protocol version that is not spoken here. The MCP library checks only
 * the first message of a connection.
 */
export function versionError(message: JSONRPCMessage) {
  const requested = versionIn(message);
  if (typeof requested !== "string" || requested === STATELESS_VERSION) return undefined;
  const text = `protocol version ${JSON.stringify(requested.slice(0, 64))} is not supported`;
  const data = { supported: [STATELESS_VERSION], requested };
  return { code: UNSUPPORTED_VERSION, message: text, data };
}

/** The error code of a protocol version that is not supported (docs/contract/tools.md#22-errors-of-the-protocol). */
const UNSUPPORTED_VERSION = -32_022;

function versionIn(message: JSONRPCMessage): unknown {
  if (!("method" in message)) return undefined;
  const meta: unknown = message.params?.["_meta"];
  return typeof meta === "object" && meta !== null && PROTOCOL_VERSION_META_KEY in meta
    ? meta[PROTOCOL_VERSION_META_KEY]
    : undefined;
}

/** True if the message itself names its protocol version, as clients since 2026-07-28 do. */
export function namesVersion(message: JSONRPCMessage): boolean {
  return versionIn(message) !== undefined;
}

export function withVersion(message: JSONRPCMessage): JSONRPCMessage {
  if (!("method" in message)) return message;
  const params = message.params ?? {};
  const meta = {
    ...params["_meta"],
    [PROTOCOL_VERSION_META_KEY]: STATELESS_VERSION,
    [CLIENT_CAPABILITIES_META_KEY]: {},
  };
  return { ...message, params: { ...params, _meta: meta } };
}
