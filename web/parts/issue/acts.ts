/** What a person can do to an issue or ask of it from its detail. Without one, the value is only shown. */
export interface IssueActs {
  /** Opens another issue. */
  readonly open: (uid: string) => void;
  /** The address of another issue. Without an address, the link to the issue is a button. */
  readonly hrefOf?: (uid: string) => string | undefined;
  /** Returns the function that lets the person change a fact of the issue; `undefined` if it may not change. */
  readonly changeOf?: (fact: ChangeableFact) => (() => void) | undefined;
  readonly showAuthor?: (name: string) => void;
  readonly showPerson?: (name: string) => void;
  readonly showLabel?: (name: string) => void;
  /** Shows the runs of the issue's project. */
  readonly showRuns?: () => void;
}

export type ChangeableFact = "status" | "priority" | "owner" | "labels" | "dates";
