import { systemClock } from "../../base/clock.ts";
import { type WritingSession, writingOn } from "../write-lock/holder.ts";
import { openPostgres } from "./open.ts";

/** Finds out which session is writing to a database, without waiting for the lock. Returns `undefined` if none is. */
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
