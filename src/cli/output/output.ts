import { escapeControls } from "../../base/visible.ts";
import type { Style } from "../render/palette.ts";

/** How a result is printed for people and for agents. With `--json` no view is used. */
export interface View<T> {
  human(body: T, style: Style): string;
  agent(body: T, quiet: boolean): string;
  /** The issues that the result names. With `--quiet`, only their refs are printed for people (docs/agents.md). */
  refs?(body: T): Iterable<NamedIssue>;
}

/** The view of a long result, whose lines are printed while they are made. */
export interface LongView<T> {
  human(body: T, style: Style): Iterable<string>;
  agent(body: T, quiet: boolean): Iterable<string>;
  refs?(body: T): Iterable<NamedIssue>;
}

/** An issue, or a ref as it was typed. */
export type NamedIssue = string | { readonly short_id: string; readonly qualified_id: string };

/** The rows of a list: an array, or rows that are parsed again each time they are read. */
export interface Rows<T> extends Iterable<T> {
  readonly length: number;
  at(place: number): T | undefined;
}

export interface Answer<T> {
  readonly json: string;
  /** The JSON as received, if the daemon sent it. */
  readonly bytes?: Buffer;
  body(): T;
}

/** A result that was computed without a daemon. */
export function answer<T extends object>(body: T): Answer<T> {
  return { json: JSON.stringify(body), body: () => body };
}

const VERSION_KEY = '"svc_api_version"';

/** Adds `svc_api_version` in front of the JSON. Throws if the JSON is no object or has this key already. */
export function withVersion(json: string): string {
  const text = escapeControls(json.trim());
  const isObject = text.startsWith("{") && text.endsWith("}");
  if (!isObject || text.startsWith(`{${VERSION_KEY}`))
    throw new Error("the daemon's answer is not an object that can carry the version");
  const rest = text.slice(1).trimStart();
  return rest === "}" ? `{${VERSION_KEY}:1}` : `{${VERSION_KEY}:1,${rest}`;
}
