import { escapeControlBytes } from "../../base/visible-bytes.ts";

const OPEN = Buffer.from('{"');
const VERSION = Buffer.from('{"svc_api_version":1,');
const VERSION_KEY = VERSION.subarray(0, -2);
const CLOSING_BRACE = 0x7d;
const LINE_END = Buffer.from("\n");

/**
 * Returns the daemon's JSON object as a line, with `svc_api_version` in front
 * (docs/contract/command-line.md#13-streams-and-failures). Works on bytes, because a list of 100,000 issues as text
 * would not fit into a small heap. Returns `undefined` if the bytes are not an object or already begin with
 * `svc_api_version`.
 */
export function jsonLine(body: Buffer): Buffer | undefined {
  const isPlain = body.subarray(0, 2).equals(OPEN) && body.at(-1) === CLOSING_BRACE;
  if (!isPlain || body.subarray(0, VERSION_KEY.length).equals(VERSION_KEY)) return undefined;
  return Buffer.concat([VERSION, escapeControlBytes(body.subarray(1)), LINE_END]);
}
