import { systemClock } from "../base/clock.ts";
import { openPostgres } from "./postgres.ts";
import { type WritingSession, writingOn } from "./postgres-lock-holder.ts";

/** Finds out who writes to a database, without waiting for the lock. Undefined if nobody does. */
export async function writingSession(place: {
  readonly dsn: string;
  readonly schema: string;
}): Promise<WritingSession | undefined> {
  const backend = await openPostgres({ ...place, clock: systemClock });
  try {
    return await writingOn(await backend.writer(), place.schema);
  } finally {
    await backend.close();
  }
}
