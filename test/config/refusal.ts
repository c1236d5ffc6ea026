import { SvcError } from "../../src/contract/errors.ts";

/** Returns the error that `work` throws. */
export function refusalOf(work: () => unknown): SvcError {
  try {
    work();
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

export function throws(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error instanceof SvcError) return true;
    throw error;
  }
}
