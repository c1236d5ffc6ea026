import type { Issue } from "../issues/issues.ts";
import type { Done } from "./done.ts";
import type { Act, Write } from "./writes.ts";

/** What a write changes. Each screen says by this what it reads again. */
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
export interface Made extends Pick<Done, "write" | "batch"> {
  readonly changed: Changed;
  /** The issue as the daemon has answered it. */
  readonly issue: Issue | undefined;
}
