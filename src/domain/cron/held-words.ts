import type { HeldBy } from "./held.ts";

const MAKE_ANEW = "delete the job and create another";

/** What to do about a reason that neither enabling, reopening nor restoring removes. */
const REMEDIES: Partial<Readonly<Record<HeldBy, string>>> = {
  parent_missing: MAKE_ANEW,
  progress_invalid: MAKE_ANEW,
  definition_invalid: "update its definition",
};

const WORDS: Readonly<Record<HeldBy, string>> = {
  disabled: "the job is disabled",
  job_deleted: "the job is deleted",
  parent_closed: "its parent is closed",
  parent_deleted: "its parent is deleted",
  project_archived: "its project is archived",
  parent_missing: "its parent was purged",
  progress_invalid: "its checkpoint is gone",
  definition_invalid: "its definition no longer passes the rules",
};

export function heldRemedy(held: HeldBy): string | undefined {
  return REMEDIES[held];
}

/** Why a job does not run, and the remedy if it is not obvious. `undefined` for a reason that only a newer daemon knows. */
export function heldWords(held: string): string | undefined {
  if (!isKnown(held)) return undefined;
  const remedy = heldRemedy(held);
  return remedy === undefined ? WORDS[held] : `${WORDS[held]}; ${remedy}`;
}

function isKnown(held: string): held is HeldBy {
  return Object.hasOwn(WORDS, held);
}
