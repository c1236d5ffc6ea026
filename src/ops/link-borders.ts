import type { StoredEvent } from "../contract/events.ts";
import {
  type BorderWarning,
  borderWarning,
  linksSetBy,
} from "../domain/federation/link-borders.ts";
import type { Peer } from "../domain/links.ts";
import type { Reader } from "../store/types/store.ts";

/**
 * Warns of each link set by these events that stays on this daemon, since the hub of one of its issues does not have the
 * other. `issues` are those that the events link. Costs no query if all are in one project.
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
