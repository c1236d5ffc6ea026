import { escapeControls } from "../base/visible.ts";
import type { Style } from "./render/palette.ts";

/** A result as each mode of output tells it. JSON needs no view: it is the daemon's own answer. */
export interface View<T> {
  human(body: T, style: Style): string;
  agent(body: T, quiet: boolean): string;
}

/** A result: the JSON text that a program gets, and the same for a view. */
export interface Answer<T> {
  readonly json: string;
  /** The same as the daemon sent it. */
  readonly bytes?: Buffer;
  body(): T;
}

/** A result that no daemon gave. */
export function answer<T extends object>(body: T): Answer<T> {
  return { json: JSON.stringify(body), body: () => body };
}

const VERSION_KEY = '"svc_api_version"';

/** The daemon's bytes with `svc_api_version` in front; what is no object, or has the key already, is a bug. */
export function withVersion(json: string): string {
  const text = escapeControls(json.trim());
  const isObject = text.startsWith("{") && text.endsWith("}");
  if (!isObject || text.startsWith(`{${VERSION_KEY}`))
    throw new Error("the daemon's answer is not an object that can carry the version");
  const rest = text.slice(1).trimStart();
  return rest === "}" ? `{${VERSION_KEY}:1}` : `{${VERSION_KEY}:1,${rest}`;
}
