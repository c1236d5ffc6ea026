import { errorCode } from "../base/error-code.ts";
import { SvcError } from "../contract/errors.ts";

/**
 * The refusal for a request whose thread ended with this error. A thread's heap has the same limit as the daemon's, and
 * a thread that runs out of heap ends without ending the daemon.
 */
export function threadFault(error: unknown, whatNow: { message: string; hint: string }): unknown {
  const isOutOfMemory = errorCode(error) === "ERR_WORKER_OUT_OF_MEMORY";
  if (!isOutOfMemory) return error;
  return new SvcError("unavailable", { reason: "out_of_memory" }, { ...whatNow, cause: error });
}
