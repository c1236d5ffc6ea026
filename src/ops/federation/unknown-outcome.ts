import { SvcError } from "../../contract/errors.ts";

/** Whether it is unknown if the write was committed. If so, read what is stored before the next step. */
export function isUnknownOutcome(error: unknown): boolean {
  return error instanceof SvcError && error.code === "outcome_unknown";
}
