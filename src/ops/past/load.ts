import type { StoredEvent } from "../../contract/events.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import { foldPart, type MemoryState } from "../../domain/memory.ts";
import type { Reader } from "../../store/types/store.ts";

/**
 * Folds an issue, and the other issues that are shown with it, from the events that had arrived up to the event
 * `through`. Reads only the events of these issues and of projects, so the length of the log does not matter.
 */
export async function issueThrough(
  { past, folds, federation }: Pick<Reader, "past" | "folds" | "federation">,
  uid: string,
  through: number,
): Promise<MemoryState> {
  const projects = await past.ofProjects(through);
  const order = await past.order(through);
  const borders = await federation.borders();
  const eventsFor = async (uids: readonly string[]) => await folds.eventsFor(uids, through);
  const foldOf = async (uids: readonly string[]) =>
    foldPart(order.sorted([...projects, ...(await eventsFor(uids))]), order, borders);
  const near = [uid, ...namedIn(await eventsFor([uid]))];
  const alone = await foldOf(near);
  const children = childrenOf(alone, uid);
  if (children.length === 0) return alone;
  return await foldOf([...near, ...namedIn(await eventsFor(children))]);
}

/** Returns the uids of the issues that the events name. A uid may occur several times. */
function namedIn(events: readonly StoredEvent[]): readonly string[] {
  return events.flatMap((event) => touches(event).issues ?? []);
}

export function childrenOf(state: MemoryState, uid: string): readonly string[] {
  return state
    .linksOf(uid)
    .filter(({ type, to_uid }) => type === "parent" && to_uid === uid)
    .map(({ from_uid }) => from_uid);
}
