import type { Issue } from "../issues/issues.ts";
import type { SentWrite } from "./done.ts";
import type { Act, Write } from "./writes.ts";

/** What kind of thing a write changes. Each screen decides by this kind which data it reads again. */
export type ChangedKind = "issue" | "requests" | "holders" | "job" | "series";

const CHANGED: Readonly<Partial<Record<Act, ChangedKind>>> = {
  notify: "requests",
  clear: "requests",
  release: "holders",
  steal: "holders",
  toggle: "job",
  "create-series": "series",
  "edit-series": "series",
  "delete-series": "series",
};

export function changedKindOf({ act }: Write): ChangedKind {
  return CHANGED[act] ?? "issue";
}

/** The last accepted write of a batch. */
export interface AcceptedWrite extends Pick<SentWrite, "write" | "batch"> {
  readonly changed: ChangedKind;
  /** The issue in the daemon's answer to the write. */
  readonly issue: Issue | undefined;
}
