export interface LoadingState {
  readonly stage: "nothing" | "first" | "rest" | "done";
  /** The uids on the pages of this reading so far. */
  readonly pages: readonly string[];
  readonly truncated: boolean;
  /** Answers with an older number belong to an earlier reading. */
  readonly serial: number;
}

export const NOT_LOADED: LoadingState = {
  stage: "nothing",
  pages: [],
  truncated: false,
  serial: 0,
};
