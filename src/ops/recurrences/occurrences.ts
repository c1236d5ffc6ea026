import type * as Occurrences from "../../domain/recurrences/occurrences.ts";

let loaded: typeof Occurrences | undefined;

/** Thrown inside a write that needs code which is not loaded, since a write must not wait for loading. */
class NotLoaded extends Error {}

/**
 * Loads the code that computes the days of a series on first use, because few projects have series. A write finds out
 * only after reading its issue that it needs this code. Such a write is rolled back and repeated.
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

/**
 * Returns the code that computes the days of a series. Call this only inside `withOccurrences`, which loads that code.
 */
export function occurrences(): typeof Occurrences {
  if (loaded === undefined) throw new NotLoaded("occurrences are loaded outside of the write");
  return loaded;
}
