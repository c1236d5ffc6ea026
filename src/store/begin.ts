import { systemClock } from "../base/clock.ts";
import { SvcError } from "../contract/errors.ts";
import type { Backend } from "./backend.ts";
import type { Connection } from "./connection.ts";

export const RETRY_MS = 20;

/** The longest wait for another program's write while opening a SQLite database. On PostgreSQL there is no limit. */
const OPENING_MS = 5000;

export function isBusy(error: unknown): boolean {
  return error instanceof SvcError && error.code === "busy";
}

/**
 * Begins a transaction without the writer's queue. Use it only while opening a database, when nothing else writes
 * through this store.
 */
export async function beginAlone(backend: Backend, connection: Connection): Promise<void> {
  const tries = backend.dialect === "sqlite" ? OPENING_MS / RETRY_MS : Number.POSITIVE_INFINITY;
  for (let tried = 1; ; tried++) {
    try {
      return await backend.begin(connection, "bulk");
    } catch (error) {
      if (!isBusy(error) || tried >= tries) throw error;
    }
    await systemClock.sleep(RETRY_MS);
  }
}
