import type { StoredEvent } from "../../contract/events.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import { foldLog, type MemoryState } from "../../domain/memory.ts";
import { inOrder } from "../../domain/order.ts";
import type { Reader } from "../../store/types/store.ts";

/**
 * Folds an issue, and the other issues that are shown with it, from the events that had arrived up to the event
 * `through`. Reads only the events of these issues and of projects, so the length of the log does not matter.
 */
export async function issueThrough(
  reader: Reader,
  uid: string,
  through: number,
): Promise<MemoryState> {
  const events: StoredEvent[] = [];
  const read = new Set<string>();
  const addStreams = async (uids: readonly string[]): Promise<void> => {
    const fresh = uids.filter((each) => !read.has(each));
    for (const each of fresh) read.add(each);
    events.push(...(await reader.past.ofIssues(fresh, through)));
  };
  const addWhole = async (uids: readonly string[]): Promise<void> => {
    await addStreams(uids);
    events.push(...(await reader.past.mentioning(uids, through)));
    await addStreams([...new Set(events.flatMap((event) => touches(event).issues ?? []))]);
  };
  events.push(...(await reader.past.ofProjects(through)));
  await addWhole([uid]);
  const alone = foldLog(inOrder(events));
  const children = childrenOf(alone, uid);
  if (children.length === 0) return alone;
  await addWhole(children);
  return foldLog(inOrder(events));
}

export function childrenOf(state: MemoryState, uid: string): readonly string[] {
  return state
    .linksOf(uid)
    .filter(({ type, to_uid }) => type === "parent" && to_uid === uid)
    .map(({ from_uid }) => from_uid);
}
