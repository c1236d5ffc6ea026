import { SvcError } from "../../contract/errors.ts";

/** Whether nobody knows if the write was committed. Look before the next step. */
export function isUnknownOutcome(error: unknown): boolean {
  return error instanceof SvcError && error.code === "outcome_unknown";
}
