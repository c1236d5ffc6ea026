import type { OpSettings, Principal } from "../../ops/deps.ts";
import type { WorkerError } from "../threads/worker-error.ts";

export interface ReadWorkerData {
  readonly database: {
    readonly dsn: string;
    readonly schema?: string;
    readonly served?: boolean;
  };
  readonly settings: OpSettings;
}

export interface ReadTask {
  readonly id: number;
  readonly route: string;
  readonly who: Principal;
  readonly input: unknown;
}

/** `taken`: the client took a piece of the answer. `left`: the client does not want the rest of it. */
export type ReadRequest = ReadTask | { readonly id: number; readonly now: "taken" | "left" };

/** How many pieces of one answer may be on their way to the client. */
export const WINDOW = 4;
export const PIECE_BYTES = 256 * 1024;

export type ReadOutcome = { readonly id: number } & (
  | {
      readonly piece: Uint8Array;
      readonly last: boolean;
      /** The headers that only the operation can compute; they come with the first piece. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | WorkerError
);
