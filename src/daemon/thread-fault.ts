import { SvcError } from "../contract/errors.ts";

/**
 * What a request is told whose thread ended with this error: the heap of a thread is limited as the daemon's own is,
 * and only the thread dies of it.
 */
export function threadFault(error: unknown, whatNow: { message: string; hint: string }): unknown {
  const isOutOfMemory =
    error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  if (!isOutOfMemory) return error;
  return new SvcError("unavailable", { reason: "out_of_memory" }, { ...whatNow, cause: error });
}
