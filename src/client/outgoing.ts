import type { Config } from "../config/load.ts";
import type { HttpRequest } from "./http/request.ts";

export interface Outgoing extends HttpRequest {
  readonly id: string;
  /** True for a write: if its answer is lost, nobody knows whether the change was made. */
  readonly changes: boolean;
  /** True if the request may be sent twice: a read, or a write with an idempotency key. */
  readonly repeatable: boolean;
  /** Whether the answer may take minutes, or as long as it likes (`Route.lengthy`). */
  readonly lengthy?: boolean | "unbounded";
  /** Whether to start a missing daemon. Default: true, or false after a call of `Client.startNoMore`. */
  readonly start?: boolean;
  readonly signal?: AbortSignal;
}

/** The time limit of a lengthy request, which may handle tens of thousands of issues on a slow machine. */
const LENGTHY_MS = 600_000;

/** Stands for no time limit: the longest time that a timer of Node can wait, about 24 days. */
const UNBOUNDED_MS = 2 ** 31 - 1;

/** Returns a text that is the same for two requests if the answer to one can be used for the other. */
export function nameOf({ method, target, body = "" }: Outgoing): string {
  return `${method} ${target} ${body}`;
}

/** The time limit of a request in ms. A limit that the user has set applies to every request, even to a lengthy one. */
export function timeoutOf(
  { lengthy }: Pick<Outgoing, "lengthy">,
  { settings, sources }: Pick<Config, "settings" | "sources">,
): number {
  const isSet = sources.httpTimeoutMs !== "default";
  if (isSet || lengthy === undefined || lengthy === false) return settings.httpTimeoutMs;
  return lengthy === "unbounded" ? UNBOUNDED_MS : LENGTHY_MS;
}
