import { systemClock } from "../base/clock.ts";
import { SvcError } from "../contract/errors.ts";
import type { Backend } from "./backend.ts";
import type { Connection } from "./connection.ts";

/** How long to wait before the lock is asked for again: the loop serves others meanwhile. */
export const RETRY_MS = 20;

/** What opens a database waits so long for another program's write on SQLite; on PostgreSQL it waits its turn. */
const OPENING_MS = 5000;

export function isBusy(error: unknown): boolean {
  return error instanceof SvcError && error.code === "busy";
}

/** Begins a transaction outside of the writer's queue: nobody else writes through this store yet. */
export async function beginAlone(backend: Backend, connection: Connection): Promise<void> {
  const tries = backend.dialect === "sqlite" ? OPENING_MS / RETRY_MS : Number.POSITIVE_INFINITY;
  for (let tried = 1; ; tried++) {
    try {
      return await backend.begin(connection);
    } catch (error) {
      if (!isBusy(error) || tried >= tries) throw error;
    }
    await systemClock.sleep(RETRY_MS);
  }
}
