import type { StoredEvent } from "../contract/events.ts";
import {
  type BorderWarning,
  borderWarning,
  linksSetBy,
} from "../domain/federation/link-borders.ts";
import type { Peer } from "../domain/links.ts";
import type { Reader } from "../store/types/store.ts";

/**
 * Warns of each link that these events set and that stays on this daemon: one end is in a copy of a hub's project, and
 * that hub does not have the other end. `issues` are the ends of the links. Costs no query if all of them are in one
 * project.
 */
export async function borderWarnings(
  reader: Pick<Reader, "federation">,
  events: readonly StoredEvent[],
  issues: readonly Peer[],
): Promise<readonly BorderWarning[]> {
  if (new Set(issues.map(({ project_uid }) => project_uid)).size < 2) return [];
  const hubs = await reader.federation.hubs();
  if (hubs.size === 0) return [];
  const byUid = new Map(issues.map((issue) => [issue.uid, issue]));
  return events.flatMap(linksSetBy).flatMap(({ from_uid, to_uid }) => {
    const [from, to] = [byUid.get(from_uid), byUid.get(to_uid)];
    return from === undefined || to === undefined ? [] : (borderWarning(from, to, hubs) ?? []);
  });
}
