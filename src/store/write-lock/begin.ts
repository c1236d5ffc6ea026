import { stopwatch, systemClock } from "../../base/clock.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Backend } from "../backend.ts";
import type { Connection } from "../connection.ts";
import { sessionText } from "./holder.ts";

export const RETRY_MS = 20;

/** The longest wait for another program's write while a database is opened. */
const OPENING_MS = { sqlite: 5000, postgres: 10_000 } as const;

export function isBusy(error: unknown): boolean {
  return error instanceof SvcError && error.code === "busy";
}

/**
 * Begins a transaction without the writer's queue. Use it only while opening a database, when nothing else writes
 * through this store. Throws `busy` if another program writes for too long, and names that program if it is known.
 */
export async function beginAlone(
  backend: Backend,
  connection: Connection,
  longestMs: number = OPENING_MS[backend.dialect],
): Promise<void> {
  const waitedMs = stopwatch();
  for (;;) {
    try {
      return await backend.begin(connection, "bulk");
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (waitedMs() >= longestMs) throw await lockHeldError(backend, connection, error);
    }
    await systemClock.sleep(RETRY_MS);
  }
}

/** The error for a database in which another program has been writing for the whole time that this program waited. */
async function lockHeldError(
  backend: Backend,
  connection: Connection,
  cause: unknown,
): Promise<unknown> {
  const writing = await backend.writing(connection).catch(() => undefined);
  if (writing === undefined) return cause;
  const { pid, working, seconds } = writing;
  const doing = working ? "is writing" : "holds the lock for writes and does nothing";
  const message = `${sessionText(writing)} ${doing}, for ${seconds} seconds by now; nothing was written`;
  const hint = working
    ? "wait for its end if it is an import, a merge or an upgrade, then try again"
    : `its program hangs or lost its connection; end the session on the server: select pg_terminate_backend(${pid})`;
  return new SvcError("busy", { reason: "lock", pid }, { message, hint, cause });
}
