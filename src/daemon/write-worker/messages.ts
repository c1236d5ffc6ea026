import type { BulkRequest } from "../../engines/bulk-write.ts";
import type { OpSettings, Principal } from "../../ops/deps.ts";
import type { CommitProof } from "../../store/backend.ts";
import type { EraseResult } from "../../store/types/store.ts";
import type { WorkerError } from "../threads/worker-error.ts";

export interface WriteWorkerData {
  readonly database: { readonly dsn: string; readonly schema?: string };
  readonly settings: OpSettings;
}

export interface WriteRequest {
  readonly route: string;
  readonly who: Principal;
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  /** The headers that the route reads, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fence: string | undefined;
  readonly body: Uint8Array;
}

/**
 * `pause`: the daemon has paused its own writes, or `error` says why it could not. `erased`: the result of the erasure.
 */
export type ToWorker = { readonly id: number } & (
  | { readonly request: WriteRequest }
  | { readonly sweep: BulkRequest }
  | { readonly pause: "granted" | WorkerError }
  | { readonly erased: EraseResult }
);

/**
 * `wants` asks the daemon for one of two things: to pause its own writes so that the worker can write (`pause`), or to
 * erase what was purged (`erasure`). `commits` comes right before the commit of a write: if the worker ends without a
 * further message, the proof shows whether the write was committed. `wrote` ends the pause; it has the last event id,
 * null if nothing was committed, or "unknown".
 */
export type FromWorker = { readonly id: number } & (
  | { readonly wants: "pause" | "erasure" }
  | { readonly commits: CommitProof }
  | { readonly wrote: number | null | "unknown" }
  | { readonly body: Uint8Array }
  | { readonly termOver: true }
  | WorkerError
);
