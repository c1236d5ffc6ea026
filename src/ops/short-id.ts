import { invariant } from "../base/invariant.ts";
import { shortIds } from "../domain/short-id.ts";
import type { IssueRow } from "../domain/state.ts";
import type { Reader } from "../store/types/store.ts";

/**
 * Returns the shortest short id that no issue of the project ever had. The issue `except` may get its own short id back
 * (docs/contract/http-api.md#45-refs-and-ids).
 */
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

/**
 * Returns a short id for each of many new issues. The short ids are all different, and each is free in all of the
 * projects.
 */
export async function freeShortIds(
  reader: Reader,
  projectUids: readonly string[],
  uids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const chosen = new Map<string, string>();
  const used = new Set<string>();
  let waiting = uids.map((uid) => ({ uid, candidates: shortIds(uid), candidate: "" }));
  while (waiting.length > 0) {
    for (const one of waiting) one.candidate = nextOf(one.candidates);
    const candidates = waiting.map(({ candidate }) => candidate);
    const taken = await reader.issues.takenShortIds(projectUids, [...new Set(candidates)]);
    waiting = waiting.filter(({ uid, candidate }) => {
      if (taken.has(candidate) || used.has(candidate)) return true;
      used.add(candidate);
      chosen.set(uid, candidate);
      return false;
    });
  }
  return chosen;
}

function nextOf(candidates: Generator<string>): string {
  const { value, done } = candidates.next();
  invariant(done !== true, "a whole uid is free as a short id");
  return value;
}

/**
 * Returns the short id of an issue that moves to the project: its current short id if no other issue of the project
 * ever had the same, otherwise a free one.
 */
export async function shortIdIn(
  reader: Reader,
  projectUid: string,
  { uid, short_id }: Pick<IssueRow, "uid" | "short_id">,
): Promise<string> {
  const taken = await reader.issues.shortIdTaken(projectUid, short_id, uid);
  return taken ? await freeShortId(reader, projectUid, uid, uid) : short_id;
}
