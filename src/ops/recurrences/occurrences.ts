import type * as Occurrences from "../../domain/recurrences/occurrences.ts";

let loaded: typeof Occurrences | undefined;

/** Thrown inside a write that turns out to need what is not loaded: nothing may be waited for there. */
class NotLoaded extends Error {}

/**
 * What computes the days of series is loaded when the first one is used: few projects have any. The code is not known
 * to be needed before a write has looked at its issue, so such a write is given up and done again.
 */
export async function withOccurrences<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof NotLoaded)) throw error;
    loaded = await import("../../domain/recurrences/occurrences.ts");
    return await write();
  }
}

/** Inside `withOccurrences` only. */
export function occurrences(): typeof Occurrences {
  if (loaded === undefined) throw new NotLoaded("occurrences are loaded outside of the write");
  return loaded;
}
