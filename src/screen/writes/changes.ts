import type { Issue } from "../issues/issues.ts";
import type { Done } from "./done.ts";
import type { Act, Write } from "./writes.ts";

/** What kind of thing a write changes. Each screen decides by this what it reads again. */
export type Changed = "issue" | "requests" | "holders" | "job" | "series";

const CHANGED: Readonly<Partial<Record<Act, Changed>>> = {
  notify: "requests",
  clear: "requests",
  release: "holders",
  steal: "holders",
  toggle: "job",
  "create-series": "series",
  "edit-series": "series",
  "delete-series": "series",
};

export function changedBy({ act }: Write): Changed {
  return CHANGED[act] ?? "issue";
}

/** The last write of a batch that was accepted. */
export interface AcceptedWrite extends Pick<Done, "write" | "batch"> {
  readonly changed: Changed;
  /** The issue in the daemon's answer to the write. */
  readonly issue: Issue | undefined;
}
