import type { HeldBy } from "./held.ts";

/** Explains to people why a job does not run, with the remedy if it is not obvious. */
const WORDS: Readonly<Record<HeldBy, string>> = {
  disabled: "the job is disabled",
  job_deleted: "the job is deleted",
  parent_closed: "its parent is closed",
  parent_deleted: "its parent is deleted",
  project_archived: "its project is archived",
  parent_missing: "its parent was purged; delete the job and create another",
  progress_invalid: "its checkpoint is gone; delete the job and create another",
  definition_invalid: "its definition no longer passes the rules; update it",
};

/** `undefined` for a reason that only a newer daemon knows. */
export function heldWords(held: string): string | undefined {
  return Object.entries(WORDS).find(([name]) => name === held)?.[1];
}
