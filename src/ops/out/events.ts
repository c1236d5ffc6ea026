import type { JsonObject } from "../../base/json.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { feedOf } from "../../domain/event-filter.ts";
import type { IssuePeer } from "../../store/types/issues.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";

/**
 * The issues of an event as they are now. A purged issue is absent. If the related issue was purged, the answer does
 * not show its uid either (docs/contract/http-api.md#61-life-of-an-issue).
 */
export interface EventIssues {
  readonly issue?: IssuePeer | undefined;
  readonly related?: IssuePeer | undefined;
}

type EventProject = Pick<StoredProject, "id" | "uid" | "name">;

/** An event in the answer to a write, with its payload as JSON text (docs/contract/http-api.md#30-shared-objects). */
export function eventOut(event: StoredEvent, project: EventProject, issues: EventIssues = {}) {
  return {
    id: event.id,
    uid: event.uid,
    ...commonFields(event, project, issues),
    payload: JSON.stringify(event.payload),
    ...clockFields(event),
  };
}

/**
 * Returns the event that a request about `issue` has written. If the event belongs to the other issue of a link, it is
 * shown with the project of that issue.
 */
export async function writtenEventOut(
  reader: Reader,
  event: StoredEvent,
  { project, ...issues }: EventIssues & { readonly project: EventProject },
) {
  if (event.issue_uid === issues.issue?.uid) return eventOut(event, project, issues);
  const [shown = eventOut(event, project)] = await eventsOut(reader, [event]);
  return shown;
}

/** An event in a poll or stream, with its payload as an object. */
function envelopeOut(event: StoredEvent, project: StoredProject, issues: EventIssues = {}) {
  return {
    event_id: event.id,
    event_uid: event.uid,
    ...commonFields(event, project, issues),
    payload: event.payload as JsonObject,
    ...clockFields(event),
    ...(event.skipped_at === undefined ? {} : { skipped_at: event.skipped_at }),
    // Readers find the chain at the end of the text without parsing the payload (`shared/follow.ts`).
    chain: event.chain,
  };
}

export async function envelopesOut(reader: Reader, events: readonly StoredEvent[]) {
  const contexts = await contextsOf(reader, events);
  return contexts.map(({ event, project, issues }) => envelopeOut(event, project, issues));
}

/** Events, as answers contain them. */
export async function eventsOut(reader: Reader, events: readonly StoredEvent[]) {
  const contexts = await contextsOf(reader, events);
  return contexts.map(({ event, project, issues }) => eventOut(event, project, issues));
}

export async function originalEventOut(reader: Reader, event: StoredEvent) {
  return (await eventsOut(reader, [event]))[0];
}

interface EventContext {
  readonly event: StoredEvent;
  readonly project: StoredProject;
  readonly issues: EventIssues;
}

/**
 * Returns each event with its project and its issues as they are now, so that an answer can show current names and
 * short ids. Events of purged projects are left out.
 */
async function contextsOf(
  reader: Reader,
  events: readonly StoredEvent[],
): Promise<readonly EventContext[]> {
  const uids = events.flatMap((event) => [event.issue_uid, event.related_issue_uid]);
  const wanted = [...new Set(uids)].filter((uid) => uid !== undefined);
  const issues = wanted.length === 0 ? undefined : await reader.issues.peers(wanted);
  const issueOf = (uid: string | undefined) => (uid === undefined ? undefined : issues?.get(uid));
  const projects = new Map<string, StoredProject>();
  for (const uid of new Set(events.map(feedOf))) {
    const project = await reader.projects.find(uid);
    if (project !== undefined) projects.set(uid, project);
  }
  return events.flatMap((event) => {
    const project = projects.get(feedOf(event));
    if (project === undefined) return [];
    const [issue, related] = [issueOf(event.issue_uid), issueOf(event.related_issue_uid)];
    return [{ event, project, issues: { issue, related } }];
  });
}

function commonFields(event: StoredEvent, project: EventProject, { issue, related }: EventIssues) {
  return {
    origin_instance_uid: event.origin_instance_uid,
    project_id: project.id,
    project_uid: project.uid,
    project_name: project.name,
    ...(issue === undefined ? {} : { issue_id: issue.id }),
    ...(event.issue_uid === undefined ? {} : { issue_uid: event.issue_uid }),
    ...(issue === undefined ? {} : { issue_short_id: issue.short_id }),
    ...(related === undefined ? {} : { related_issue_id: related.id }),
    ...(related === undefined
      ? {}
      : { related_issue_uid: related.uid, related_issue_short_id: related.short_id }),
    type: event.type,
    actor: event.actor,
  };
}

function clockFields(event: StoredEvent) {
  return {
    hlc_physical_ms: event.hlc_physical_ms,
    hlc_counter: event.hlc_counter,
    content_hash: event.content_hash,
    created_at: event.created_at,
  };
}
