import type {
  getFederationProjectMetadata,
  ingestFederationProjectEvents,
} from "../contract/federation-transport.ts";
import type { LogMark } from "../contract/log-mark.ts";
import type { Output } from "../contract/route.ts";
import type {
  HubRowHashes,
  HubSums,
  RowHashRange,
  SumRange,
} from "../ops/federation/hub-questions.ts";
import type { AdoptionPart } from "../ops/federation/push.ts";
import type { SentPage } from "../ops/federation/sent-page.ts";
import type { AnsweredByHub, HubLeaseAnswer, HubLeaseRequest } from "../ops/leases/hub-leases.ts";

/**
 * The hub of a replica, as a pass of the engine uses it. The callers do not depend on HTTP: a hub that is reached in
 * another way, such as through a folder, needs no change of them.
 */
export interface Hub {
  /**
   * Says where the baseline begins. If something was purged, the hub writes a new baseline first. Throws `HubFault`.
   */
  metadata(signal: AbortSignal): Promise<HubMetadata>;
  /**
   * Returns the next page of events as JSON (`FederationPollResponse`), unparsed and perhaps compressed: a large page
   * is parsed where it is written, in the write worker. Throws `HubFault`.
   */
  eventsAfter(cursor: HubCursor, signal: AbortSignal): Promise<SentPage>;
  /**
   * Sends events of this daemon, once. The hub adds all of them or none. Throws `HubFault`. If the fault has no status,
   * the hub may nevertheless have added the events; the caller sends such a batch again.
   */
  submit(batch: SentBatch, signal: AbortSignal): Promise<HubReceipt>;
  /**
   * Asks about the lease of an issue. Throws `HubFault` if there is no usable answer; the hub may nevertheless have
   * carried out the request.
   */
  lease(request: HubLeaseRequest, signal: AbortSignal): Promise<HubLeaseReply>;
  /** Adds up the content hashes of a range of the project's events. Throws `HubFault`. */
  sums(range: SumRange, signal: AbortSignal): Promise<HubSums>;
  /** Computes hashes of issues, or of other rows. Throws `HubFault`. */
  rowHashes(range: RowHashRange, signal: AbortSignal): Promise<HubRowHashes>;
  close(): void;
}

/** Events in the form in which they are sent to a hub. */
export interface SentBatch {
  readonly schema_version: number;
  /** Each event as JSON text. */
  readonly events: readonly string[];
  /** Set if the events are a part of an adoption (docs/contract/federation.md#72-the-batch). */
  readonly adoption?: AdoptionPart | undefined;
  /** The stamp of the last page; undefined if the copy has read none. */
  readonly stamp?: string | undefined;
}

export type HubReceipt = Pick<Output<typeof ingestFederationProjectEvents>, "push_cursor_event_id">;

/** What the hub says about a lease, without the time that its answer took. */
export type HubLeaseReply =
  | Omit<AnsweredByHub, "waited_ms">
  | Extract<HubLeaseAnswer, { readonly outcome: "refused" }>;

export interface HubCursor {
  readonly after: number;
  readonly limit: number;
  /** The hub's log as of the cursor; undefined before the first page. */
  readonly log: LogMark | undefined;
  /** The stamp of the last page; undefined if the copy begins again. */
  readonly stamp: string | undefined;
}

export interface HubMetadata extends Output<typeof getFederationProjectMetadata> {
  /** The features that the hub says it supports; empty if it says nothing. */
  readonly supported_event_features: readonly string[];
}

/**
 * Thrown if the hub gave no usable answer. `code` is a code of our own error table that the hub named, or one of these:
 *
 * - `hub_unavailable`: no connection, a timeout, or a status that says that a later request may succeed
 * - `hub_authentication`: the token is not accepted
 * - `hub_validation`: an answer that no hub gives
 *
 * Logs and the status of the project show only the code. The hub's own message is in `words`, which no log prints.
 */
export class HubFault extends Error {
  override readonly name = "HubFault";
  readonly code: string;
  /** The HTTP status of a refusal; undefined if there was no answer that can be used. */
  readonly status: number | undefined;
  /** The time in ms for which the hub wants no further request. */
  readonly retryAfterMs: number | undefined;
  readonly #words: string | undefined;

  constructor(code: string, options: HubFaultOptions = {}) {
    super(`the hub could not be read: ${code}`, { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.#words = options.words;
  }

  /** What the hub said about its refusal, without secrets and invisible characters; at most 4096 bytes. */
  get words(): string | undefined {
    return this.#words;
  }
}

interface HubFaultOptions {
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly words?: string | undefined;
  readonly cause?: unknown;
}
