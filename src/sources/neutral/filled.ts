import { NO_AUTHOR } from "../../domain/imports/storable-actor.ts";
import type { Tally } from "./account.ts";
import { NO_TITLE } from "./fields.ts";
import type { MappedIssue, SourceIssue } from "./record.ts";

/** Counts the required values that the issue did not have and that the import filled in. */
export function countFilled(issue: SourceIssue, mapped: MappedIssue, counts: Tally): void {
  if (mapped.author === undefined) fill(counts, "author", NO_AUTHOR);
  if (mapped.title === undefined) fill(counts, "title", NO_TITLE);
  for (const [name, from] of Object.entries(issue.filled ?? {})) fill(counts, name, from);
  if (mapped.status !== "closed") return;
  if (mapped.closedAt === undefined) fill(counts, "closed_at", "updated_at");
  if (mapped.closedReason === undefined) {
    const key = `${mapped.prefix}.close_reason`;
    const words = mapped.metadata[key] === undefined ? "" : `; the words stay in metadata ${key}`;
    fill(counts, "closed_reason", "done", `the source names none of svc's reasons${words}`);
  }
}

export function fill(counts: Tally, name: string, to: string, why = "the file has none"): void {
  counts.add("filled", name, { kind: "mapped", to, why });
}
