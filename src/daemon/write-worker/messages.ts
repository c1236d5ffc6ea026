import type { ErrorCode, SvcError } from "../../contract/errors.ts";
import type { OpSettings, Principal } from "../../ops/deps.ts";
import type { Erased } from "../../store/types.ts";

/** What the daemon's thread and the one that carries out large writes tell each other. */

export interface WriteWorkerData {
  readonly database: { readonly dsn: string; readonly schema?: string };
  readonly settings: OpSettings;
}

/** A request before it is parsed: the thread does that too. */
export interface WriteRequest {
  readonly route: string;
  readonly who: Principal;
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  /** By lower-case name; those that the route reads. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fence: string | undefined;
  readonly body: Uint8Array;
}

export interface Refused {
  readonly code: ErrorCode;
  readonly data: SvcError["data"];
  readonly message: string;
  readonly hint: string | undefined;
}

/** `turn`: the thread may write, or why it may not. `erased`: how far what was purged is gone from the files. */
export type ToWorker = { readonly id: number } & (
  | { readonly request: WriteRequest }
  | { readonly turn: "yours" | Refused }
  | { readonly erased: Erased }
);

/**
 * `wants` a turn to write, or that what was purged is erased; `wrote` ends the turn, with the last event id if there
 * was a commit.
 */
export type FromWorker = { readonly id: number } & (
  | { readonly wants: "turn" | "erasure" }
  | { readonly wrote: number | null }
  | { readonly body: Uint8Array }
  | { readonly refused: Refused }
  | { readonly fault: string }
);
