import { errorCode } from "../base/error-code.ts";
import { SvcError } from "../contract/errors.ts";

/**
 * The error for a request if the thread that carried it out has ended with `error`. A thread's heap has the same limit
 * as the daemon's; a thread that exceeds it ends, but the daemon goes on.
 */
export function threadFault(error: unknown, whatNow: { message: string; hint: string }): unknown {
  const isOutOfMemory = errorCode(error) === "ERR_WORKER_OUT_OF_MEMORY";
  if (!isOutOfMemory) return error;
  return new SvcError("unavailable", { reason: "out_of_memory" }, { ...whatNow, cause: error });
}
