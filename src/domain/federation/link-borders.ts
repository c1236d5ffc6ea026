import type { StoredEvent } from "../../contract/events.ts";
import { addedEnds, endsOf, linkEnds } from "../evolve/links.ts";
import type { Peer } from "../links.ts";
import { qualifiedId } from "../refs.ts";
import type { LinkEnds } from "../state.ts";

/**
 * A link between an issue of a copy and one that the hub of the copy does not have: one of this daemon's own projects, or
 * a copy of another hub (facts federation, section 8, "Links across projects").
 */
export interface BorderWarning {
  readonly code: "link_stays_here" | "link_waits";
  readonly message: string;
}

/** The links that the event sets. */
export function linksSetBy(event: StoredEvent): readonly LinkEnds[] {
  switch (event.type) {
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
 * Tells whoever set the link that it stays at home. `hubs` has the hub of each project of which this daemon has a copy.
 * Whether it is shown here depends on the issue that it is stored from (`LinkChanges`).
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
    code: "link_waits",
    message: `${nameOf(to)} is not on the hub of ${from.project_name} (${ours}): the link from ${nameOf(from)} to it waits, and is not shown while ${from.project_name} is a copy`,
  };
}

function nameOf({ project_name, short_id }: Peer): string {
  return qualifiedId(project_name, short_id);
}
