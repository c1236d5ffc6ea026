import { errorCode } from "../../base/error-code.ts";
import { SvcError } from "../../contract/errors.ts";

/**
 * Returns the error for a request whose thread has ended with `error`. A thread may use as much memory as the daemon.
 * If it needs more, only the thread ends, and the client gets the message and hint of `whatNow`.
 */
export function threadFault(error: unknown, whatNow: { message: string; hint: string }): unknown {
  const isOutOfMemory = errorCode(error) === "ERR_WORKER_OUT_OF_MEMORY";
  if (!isOutOfMemory) return error;
  return new SvcError("unavailable", { reason: "out_of_memory" }, { ...whatNow, cause: error });
}
