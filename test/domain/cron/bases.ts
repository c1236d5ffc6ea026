/** The valid documents from which the vectors of docs/contract/cron-and-inbox.md#3-cases-of-documents start. */
export const ISSUE = "01K4M0000000000000000000A1";
export const FLOW = "01K4M0000000000000000000B1";
export const PARENT = "01K4M0000000000000000000D1";

/** A job with an execute action. */
export const X = {
  version: 1,
  kind: "job",
  trigger: { kind: "manual" },
  action: { kind: "execute", prompt: "check" },
  issue: { kind: "existing", uid: ISSUE },
  overlap: "forbid",
  catchup: "skip",
};

/** A job with a notify action. */
export const N = {
  ...X,
  action: { kind: "notify", recipient: "worker", message: "look" },
};

/** A job that notifies at a date of the issue. */
export const D = {
  version: 1,
  kind: "job",
  trigger: { kind: "issue-deadline", issue_uid: ISSUE },
  action: { kind: "notify", recipient: "current-owner-or-author" },
  overlap: "forbid",
  catchup: "skip",
};

/** A native recurring job. */
export const R = {
  version: 1,
  kind: "job",
  enabled: true,
  trigger: { kind: "cron", cron: "0 9 * * 1-5", timezone: "America/New_York" },
  action: { kind: "notify", recipient: "current-owner-or-author" },
  issue: { kind: "per-run", parent_uid: PARENT, title: "Weekday check" },
  overlap: "allow",
  catchup: "latest",
};

/** A workflow. */
export const W = {
  version: 1,
  steps: [
    { key: "build", kind: "command", command: "make" },
    { key: "review", kind: "prompt", prompt: "read it", after: ["build"] },
  ],
};

/** Returns the document with some members replaced; `undefined` removes a member. */
export function but(base: object, change: object): object {
  const merged = Object.entries({ ...base, ...change });
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}
