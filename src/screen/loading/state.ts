export interface LoadingState {
  readonly stage: "nothing" | "first" | "rest" | "done";
  /** The uids on the pages that the current reading of the list has returned so far. */
  readonly pages: readonly string[];
  readonly truncated: boolean;
  /** Whether the issues that are read replace newer versions too, because an older copy of the data was restored. */
  readonly replaces: boolean;
  /** The number of the current reading of the list. Answers with a smaller number belong to an earlier reading. */
  readonly serial: number;
}

export const NOT_LOADED: LoadingState = {
  stage: "nothing",
  pages: [],
  truncated: false,
  replaces: false,
  serial: 0,
};
