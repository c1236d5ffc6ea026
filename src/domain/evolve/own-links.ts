import type { StoredEvent } from "../../contract/events.ts";
import type { LinkEnds, State } from "../state.ts";

/**
 * Whether the event may set or remove the link. If at least one of two projects is federated, a link between them
 * belongs to the issue that it is stored from, and only events of that issue's project change the link
 * (docs/contract/federation.md#84-links-and-parents). Every daemon ignores what other events do to the link, because a
 * daemon that has only one of the two projects does not get those events. Events from before the baselines count, since
 * a snapshot repeats what they did.
 *
 * An event of a federated project also changes no link that is stored from a missing issue. A daemon with the project
 * has all issues of the project that the event can name, so the missing issue is one of another project.
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
