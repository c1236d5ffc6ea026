import { invariant } from "../../base/invariant.ts";
import { shortIds } from "../../domain/short-id.ts";
import type { Reader } from "../../store/types.ts";

/** The shortest handle that no issue of the project ever had, but for `except`, which may have its own again (4.5). */
export async function freeShortId(
  reader: Reader,
  projectUid: string,
  uid: string,
  except?: string,
): Promise<string> {
  for (const candidate of shortIds(uid)) {
    if (!(await reader.issues.shortIdTaken(projectUid, candidate, except))) return candidate;
  }
  invariant(false, "a uid, which is new, is free as a short id");
}
