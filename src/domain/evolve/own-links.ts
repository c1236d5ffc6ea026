import type { StoredEvent } from "../../contract/events.ts";
import type { LinkEnds, State } from "../state.ts";

/**
 * Whether the event may set or remove the link. A link between two projects, one of which is federated, belongs to the
 * issue that it is stored from, and only events of that issue's project change it (facts federation, section 0). Others
 * are ignored, on every daemon alike: a daemon that has one of the two projects does not get them. Events from before the
 * baselines count, since a snapshot repeats what they did.
 *
 * An event of a federated project also changes no link that is stored from an issue which is not there. A daemon with the
 * project has all of its issues that the event can name, so that issue is one of another project.
 */
export function isOwnLink(state: State, event: StoredEvent, { from_uid }: LinkEnds): boolean {
  const { issue_uid = "" } = event;
  if (from_uid === issue_uid) return true;
  const home = state.issue(issue_uid)?.project_uid ?? event.project_uid;
  const owner = state.issue(from_uid)?.project_uid;
  if (owner === home) return true;
  return ![home, owner].some(
    (project) => project !== undefined && state.isFederatedBefore(project, event),
  );
}
