import type { FreeShortIds } from "../load/free-short-ids.ts";
import type { Issues } from "../types/issues.ts";

/**
 * Notes short ids that an operation finds to be free, so that they need not be looked up again when they are assigned.
 */
export function notedIssues(found: Issues, free: FreeShortIds): Issues {
  return {
    ...found,
    shortIdTaken: async (projectUid, shortId, except) => {
      const isTaken = await found.shortIdTaken(projectUid, shortId, except);
      if (!isTaken) free.note(projectUid, shortId, except);
      return isTaken;
    },
    takenShortIds: async (projectUids, shortIds) => {
      const taken = await found.takenShortIds(projectUids, shortIds);
      for (const id of shortIds)
        if (!taken.has(id)) for (const uid of projectUids) free.note(uid, id);
      return taken;
    },
  };
}
