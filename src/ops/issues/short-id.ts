import { invariant } from "../../base/invariant.ts";
import { shortIds } from "../../domain/short-id.ts";
import type { IssueRow } from "../../domain/state.ts";
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

/** The short id of an issue that comes to the project: its own where that is free or was its own there. */
export async function shortIdIn(
  reader: Reader,
  projectUid: string,
  { uid, short_id }: Pick<IssueRow, "uid" | "short_id">,
): Promise<string> {
  const taken = await reader.issues.shortIdTaken(projectUid, short_id, uid);
  return taken ? await freeShortId(reader, projectUid, uid, uid) : short_id;
}
