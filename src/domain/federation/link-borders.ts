import type { EventKind, StoredEvent } from "../../contract/events.ts";
import { addedEnds, endsOf, linkEnds } from "../evolve/links.ts";
import type { Peer } from "../links.ts";
import { qualifiedId } from "../refs.ts";
import type { LinkEnds } from "../state.ts";

/** The kinds of events that set links. */
export const LINKING_KINDS = [
  "issue.created",
  "issue.snapshot",
  "issue.linked",
  "issue.links_changed",
] as const satisfies readonly EventKind[];

/** Returns the keys (`linkKey`) of the links that events of this daemon have set. Skipped events do not count. */
export function linksMadeBy(
  instance_uid: string,
  events: Iterable<StoredEvent>,
): ReadonlySet<string> {
  const made = new Set<string>();
  for (const event of events)
    if (event.origin_instance_uid === instance_uid && event.skipped_at === undefined)
      for (const ends of linksSetBy(event)) made.add(linkKey(ends));
  return made;
}

export function linkKey({ from_uid, to_uid, type }: LinkEnds): string {
  return `${from_uid} ${type} ${to_uid}`;
}

/**
 * The warning about a link between an issue of a copy and an issue that the copy's hub does not have. The second issue
 * is in one of this daemon's own projects, or in a copy of another hub's project
 * (docs/contract/federation.md#84-links-and-parents).
 */
export interface BorderWarning {
  readonly code: "link_stays_here";
  readonly message: string;
}

/** The links that the event sets. */
export function linksSetBy(event: StoredEvent): readonly LinkEnds[] {
  switch (event.type) {
    case "issue.snapshot": {
      const { uid, links = [] } = event.payload;
      return links.map(({ type, to_issue_uid }) => linkEnds(type, uid, to_issue_uid));
    }
    case "issue.created": {
      const { uid, links = [] } = event.payload;
      return links.map(({ type, to_issue_uid, incoming }) =>
        linkEnds(type, uid, to_issue_uid, incoming),
      );
    }
    case "issue.linked":
      return [endsOf(event.payload)];
    case "issue.links_changed":
      return addedEnds(event);
    default:
      return [];
  }
}

/**
 * Returns the warning for whoever sets a link that only this daemon shows. Returns `undefined` if both issues are in
 * one project or on one hub, or if neither is in a copy. `hubs` has the hub of each project of which this daemon has a
 * copy. If the link is stored from an issue of a copy (`from`), its event is sent to the hub. There the link waits,
 * because the hub lacks the other issue.
 */
export function borderWarning(
  from: Peer,
  to: Peer,
  hubs: ReadonlyMap<string, string>,
): BorderWarning | undefined {
  const [ours, theirs] = [hubs.get(from.project_uid), hubs.get(to.project_uid)];
  if (from.project_uid === to.project_uid || ours === theirs) return undefined;
  if (ours === undefined)
    return {
      code: "link_stays_here",
      message: `${nameOf(from)} is not on the hub of ${to.project_name} (${theirs}): its link to ${nameOf(to)} stays on this daemon`,
    };
  return {
    code: "link_stays_here",
    message: `${nameOf(to)} is not on the hub of ${from.project_name} (${ours}): the link from ${nameOf(from)} to it is shown on this daemon only, and waits on the hub`,
  };
}

function nameOf({ project_name, short_id }: Peer): string {
  return qualifiedId(project_name, short_id);
}
