import type { ScoringPlace } from "../types/vectors.ts";

/** What the scoring thread gets at its start. */
export interface ScoringData {
  readonly place: ScoringPlace;
}

/** Asks for the issues that are nearest to a vector. `among`: only these issues. */
export interface ScoringAsk {
  readonly generation: number;
  readonly dims: number;
  readonly project_uid: string;
  /** Has the length 1. */
  readonly vector: Float32Array;
  /** The maximum number of issues. */
  readonly limit: number;
  readonly among?: readonly string[];
}

/** `left`: nobody waits for the answer any more. `forget`: vectors of these issues are dropped from memory. `reopen`: another index is at the place. */
export type ScoringRequest =
  | { readonly id: number; readonly ask: ScoringAsk }
  | { readonly left: number }
  | { readonly forget: readonly string[] }
  | { readonly forgetProject: string }
  | { readonly reopen: true };

export interface NearestIssues {
  /** Issues whose best chunk has a cosine of at least 0.3, best first. */
  readonly hits: readonly { readonly issue_uid: string; readonly cosine: number }[];
  /** True if a larger limit gives no further hit. */
  readonly exhausted: boolean;
}

/** `damaged`: a stored vector is no vector. `unreadable`: the index cannot be read now. */
export type ScoringFault = "damaged" | "unreadable";

export type ScoringOutcome = { readonly id: number } & (
  | NearestIssues
  | { readonly fault: ScoringFault; readonly detail: string }
);
