import { sha256Hex } from "../../base/hash.ts";
import type { Input, Output, Route } from "../../contract/route.ts";
import { UI_CONTRACT_VERSION } from "../../contract/ui-objects.ts";
import type { LogHead } from "../../store/types/events.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import type { Streamed } from "../streamed-rows.ts";
import type { Tagged } from "../tagged.ts";
import type { WrittenJson } from "../written-json.ts";

/**
 * What a page may do, and the origin of the daemon's pages. The daemon knows these values; they are not in the
 * database.
 */
export interface Envelope {
  readonly capabilities: {
    readonly writable: boolean;
    readonly updates: "sse" | "poll";
    readonly actor_policy: "request" | "identity";
  };
  readonly origin: string;
  readonly origin_stable: boolean;
}

export type PageInput<T extends Route> = Input<T> & { readonly envelope: Envelope };

/** A read operation for pages, whose answer has an ETag. */
export type PageOp<T extends Route> = (
  deps: ReadDeps,
  who: Principal,
  input: PageInput<T>,
) => Promise<Tagged<Streamed<Output<T>> | WrittenJson>>;

export function enveloped({ capabilities, origin, origin_stable }: Envelope, head: LogHead) {
  return {
    contract_version: UI_CONTRACT_VERSION,
    cursor: head.last_event_id,
    capabilities,
    origin,
    origin_stable,
  };
}

/**
 * The strong ETag of an answer (docs/contract/network-and-access.md#4-the-snapshot). The answer depends on the log, on
 * the envelope and on `request`: the request in normal form, with the values that the route adds to it.
 */
export function answerTag(request: object, head: LogHead, envelope: Envelope): string {
  return `"${sha256Hex(JSON.stringify([request, enveloped(envelope, head), head]))}"`;
}
