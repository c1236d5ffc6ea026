import {
  type InboxRequest,
  makesRequest,
  readSlot,
  type SlotWrite,
} from "../../domain/inbox/request.ts";
import { addressOf, slotOf } from "../../domain/inbox/slot.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { SaidBefore } from "../../store/types/work.ts";
import { slotWriters } from "./writers.ts";

/**
 * Returns the requests with their proven senders. A `from` in metadata proves nothing, since any writer may put any
 * name there. So the sender is the actor of the event that wrote the request. There is one exception: if the actor
 * named in `from` made the same request on this issue before, that actor is the sender, because the event then only
 * moved or restored the request.
 *
 * Both maps are by issue uid. A request whose event is missing keeps its `from`, because nothing else is known about
 * it.
 */
export async function withAskers(
  reader: Pick<Reader, "inbox">,
  requests: ReadonlyMap<string, InboxRequest>,
  writers: ReadonlyMap<string, SlotWrite>,
): Promise<ReadonlyMap<string, InboxRequest>> {
  const proven = new Map(requests);
  const lookups: SaidBefore[] = [];
  for (const [issue_uid, request] of requests) {
    const { from, message } = request;
    const writer = writers.get(issue_uid);
    if (writer === undefined || writer.actor === from) continue;
    proven.set(issue_uid, { ...request, from: writer.actor });
    if (!NO_ACTOR.test(from))
      lookups.push({ issue_uid, actor: from, text: message, before: writer.id });
  }
  if (lookups.length === 0) return proven;
  for (const event of await reader.inbox.lastBy(lookups)) {
    const uid = event.issue_uid ?? "";
    const request = requests.get(uid);
    if (request !== undefined && makesRequest(event, request)) proven.set(uid, request);
  }
  return proven;
}

export async function requestOn(
  reader: Pick<Reader, "inbox">,
  issue: StoredIssue,
  to: string,
): Promise<{
  readonly request: InboxRequest | undefined;
  readonly written: SlotWrite | undefined;
}> {
  const key = slotOf(to);
  const value = issue.metadata[key];
  if (value === undefined) return { request: undefined, written: undefined };
  const writers = await slotWriters(reader, [issue], key);
  const { request } = readSlot(value);
  const requests = new Map(request === undefined ? [] : [[issue.uid, request]]);
  const proven = await withAskers(reader, requests, writers);
  return { request: proven.get(issue.uid), written: writers.get(issue.uid) };
}

/** The maximum number of requests whose senders one answer looks up. Each look-up takes several statements. */
const MAX_PROVEN = 100;

/** Returns the first 100 requests on one issue, in the order of their keys, with their proven senders. */
export async function requestsOn(
  reader: Pick<Reader, "inbox">,
  issue: StoredIssue,
): Promise<readonly (InboxRequest & { readonly to: string })[]> {
  const requests: (InboxRequest & { readonly to: string })[] = [];
  for (const key of Object.keys(issue.metadata).sort()) {
    const to = addressOf(key);
    const { request } = to === undefined ? {} : await requestOn(reader, issue, to);
    if (to !== undefined && request !== undefined) requests.push({ to, ...request });
    if (requests.length === MAX_PROVEN) break;
  }
  return requests;
}

/** Characters that no actor's name contains and that PostgreSQL refuses in text. */
const NO_ACTOR = /[\0\p{Surrogate}]/u;
