import type { ErrorCode, SvcError } from "../../contract/errors.ts";
import type { OpSettings, Principal } from "../../ops/deps.ts";

/** What the daemon's thread and the one beside it tell each other. */

export interface ReadWorkerData {
  readonly database: {
    readonly dsn: string;
    readonly schema?: string;
    /** The daemon has it open. */
    readonly served?: boolean;
  };
  readonly settings: OpSettings;
}

export interface ReadTask {
  readonly id: number;
  readonly route: string;
  readonly who: Principal;
  /** As `bind` parsed it. */
  readonly input: unknown;
}

/** `taken`: a piece of the answer went on to the client. `left`: nobody waits for the rest. */
export type ReadRequest = ReadTask | { readonly id: number; readonly now: "taken" | "left" };

/** Pieces of one answer that are under way to the client or wait for it: the thread makes no more than these ahead. */
export const WINDOW = 4;
/** The largest piece. */
export const PIECE_BYTES = 256 * 1024;

export type ReadOutcome = { readonly id: number } & (
  | { readonly piece: Uint8Array; readonly last: boolean }
  | {
      readonly refused: {
        readonly code: ErrorCode;
        readonly data: SvcError["data"];
        readonly message: string;
      };
    }
  | { readonly fault: string }
);
