import type { EventDraft, StoredEvent } from "../contract/events.ts";
import {
  type LinkedIssues,
  linksByOwner,
  newLinksByOwner,
  otherOwner,
} from "../domain/federation/link-owners.ts";
import type { Peer } from "../domain/links.ts";
import type { LinkEnds } from "../domain/state.ts";
import type { Reader, Tx } from "../store/types/store.ts";

/**
 * Writes an event that changes several links of `subject`. Links that belong to a peer in another project are written
 * as events of that peer (`domain/federation/link-owners.ts`). `peers` are the issues at the other ends of the links.
 */
export async function appendLinks(
  tx: Tx,
  draft: EventDraft<"issue.links_changed">,
  subject: Peer,
  peers: readonly Peer[],
): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (const one of await linkDrafts(tx, draft, subject, peers)) events.push(await tx.append(one));
  return events;
}

/** The events that `appendLinks` would write. */
export async function linkDrafts(
  reader: Reader,
  draft: EventDraft<"issue.links_changed">,
  subject: Peer,
  peers: readonly Peer[],
): Promise<readonly EventDraft<"issue.links_changed">[]> {
  const issues = await sharedIssues(reader, subject, peers);
  return issues === undefined ? [draft] : linksByOwner(draft, issues);
}

/**
 * Returns the event that creates the issue `subject`, and then the events of the peers that own links of the new issue.
 */
export async function creationDrafts(
  reader: Reader,
  draft: EventDraft<"issue.created">,
  subject: Peer,
  peers: readonly Peer[],
): Promise<readonly EventDraft[]> {
  const issues = await sharedIssues(reader, subject, peers);
  return issues === undefined ? [draft] : newLinksByOwner(draft, issues);
}

/**
 * Whether events of this link belong to the issue at its other end (`peer`), not to the issue that a command names
 * (`subject`).
 */
export async function belongsToPeer(
  reader: Reader,
  ends: LinkEnds,
  subject: Peer,
  peer: Peer,
): Promise<boolean> {
  const issues = await sharedIssues(reader, subject, [peer]);
  return issues !== undefined && otherOwner(ends, issues) !== undefined;
}

/**
 * Returns `subject`, its peers in other projects, and which of their projects are federated. Returns `undefined` if
 * there are no such peers, which costs no query, or if none of these projects is federated.
 */
async function sharedIssues(
  reader: Pick<Reader, "federation">,
  subject: Peer,
  peers: readonly Peer[],
): Promise<LinkedIssues | undefined> {
  const abroad = peers.filter(({ project_uid }) => project_uid !== subject.project_uid);
  if (abroad.length === 0) return undefined;
  const projects = new Set([subject, ...abroad].map(({ project_uid }) => project_uid));
  const federated = await reader.federation.federatedAmong([...projects]);
  return federated.size === 0 ? undefined : { subject, peers: abroad, federated };
}
