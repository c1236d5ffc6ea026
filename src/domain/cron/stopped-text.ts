import type { StoppedBy } from "./stopped.ts";

const MAKE_ANEW = "delete the job and create another";

/**
 * What to do about the permanent reasons why a job does not run. Enabling the job does not remove them, nor does
 * reopening or restoring its parent.
 */
const REMEDIES: Partial<Readonly<Record<StoppedBy, string>>> = {
  parent_missing: MAKE_ANEW,
  progress_invalid: MAKE_ANEW,
  definition_invalid: "update its definition",
};

const WORDS: Readonly<Record<StoppedBy, string>> = {
  disabled: "the job is disabled",
  job_deleted: "the job is deleted",
  parent_closed: "its parent is closed",
  parent_deleted: "its parent is deleted",
  project_archived: "its project is archived",
  parent_missing: "its parent was purged",
  progress_invalid: "its checkpoint is gone",
  definition_invalid: "its definition no longer passes the rules",
};

export function stoppedRemedy(stopped: StoppedBy): string | undefined {
  return REMEDIES[stopped];
}

/**
 * Why a job does not run, and the remedy if it is not obvious. `undefined` for an unknown reason, which only a newer
 * daemon sends.
 */
export function stoppedText(stopped: string): string | undefined {
  if (!isKnown(stopped)) return undefined;
  const remedy = stoppedRemedy(stopped);
  return remedy === undefined ? WORDS[stopped] : `${WORDS[stopped]}; ${remedy}`;
}

function isKnown(stopped: string): stopped is StoppedBy {
  return Object.hasOwn(WORDS, stopped);
}
