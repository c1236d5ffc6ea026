import type { getFederationProjectMetadata } from "../contract/federation-transport.ts";
import type { LogMark } from "../contract/log-mark.ts";
import type { Output } from "../contract/route.ts";
import type { SentPage } from "../ops/federation/sent-page.ts";

/**
 * The hub of a replica, as a pass asks it. HTTP to a daemon is the first implementation; others, such as a folder, need
 * no change in what calls this (issue 32, A9).
 */
export interface Hub {
  /** Says where the baseline begins. The hub writes a new one first if something was purged. Throws `HubFault`. */
  metadata(signal: AbortSignal): Promise<HubMetadata>;
  /**
   * Returns the next page of events as JSON (`FederationPollResponse`), unparsed and perhaps compressed: a large page is
   * parsed where it is written, in the write worker. Throws `HubFault`.
   */
  eventsAfter(cursor: HubCursor, signal: AbortSignal): Promise<SentPage>;
  close(): void;
}

export interface HubCursor {
  readonly after: number;
  readonly limit: number;
  /** The hub's log as of the cursor; undefined before the first page. */
  readonly log: LogMark | undefined;
  /** The stamp of the last page; undefined if the copy begins anew. */
  readonly stamp: string | undefined;
}

export type HubMetadata = Output<typeof getFederationProjectMetadata>;

/**
 * Why the hub gave no answer that can be used. It has a code and never a text of the hub: a code of our own error table
 * that the hub named, or one of
 *
 * - `hub_unavailable`: no connection, a timeout, or a status that says that it may work later
 * - `hub_authentication`: the token is not accepted
 * - `hub_validation`: an answer that is not one of a hub
 */
export class HubFault extends Error {
  override readonly name = "HubFault";
  readonly code: string;
  /** For how long the hub does not want to be asked again, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: string,
    options: { readonly retryAfterMs?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(`the hub could not be read: ${code}`, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}
