import type { EventKind, Payload, StoredEvent } from "../../src/contract/events.ts";
import { MemoryState } from "../../src/domain/memory.ts";
import type { IssueRow, LinkRow, LinkType, ProjectRow } from "../../src/domain/state.ts";

const T0 = "2026-01-01T00:00:00.000Z";

export function projectRow(fields: Partial<ProjectRow> = {}): ProjectRow {
  return {
    uid: "P",
    name: "web",
    metadata: {},
    revision: 1,
    created_at: T0,
    deleted_at: null,
    ...fields,
  };
}

export function issueRow(uid: string, fields: Partial<IssueRow> = {}): IssueRow {
  return {
    uid,
    project_uid: "P",
    short_id: uid.toLowerCase(),
    title: uid,
    body: "",
    status: "open",
    closed_reason: null,
    owner: null,
    priority: null,
    author: "ann",
    metadata: {},
    revision: 1,
    created_at: T0,
    updated_at: T0,
    closed_at: null,
    deleted_at: null,
    recurrence_uid: null,
    occurrence_key: null,
    ...fields,
  };
}

export function linkRow(from_uid: string, type: LinkType, to_uid: string): LinkRow {
  return { from_uid, to_uid, type, author: "ann", created_at: T0 };
}

/** Makes the state of these issues and the links between them. Issues are in one project unless they name another. */
export function stateOf(
  issues: readonly IssueRow[],
  links: readonly LinkRow[] = [],
  projects: readonly ProjectRow[] = [projectRow()],
): MemoryState {
  const state = new MemoryState();
  for (const project of projects) state.put("project", project);
  for (const issue of issues) state.put("issue", issue);
  for (const link of links) state.put("link", link);
  return state;
}

let events = 0;

/** Makes an event with values for its place in the log, which tests do not look at. */
export function eventOf<K extends EventKind>(
  type: K,
  payload: Payload<K>,
  fields: Partial<Pick<StoredEvent, "actor" | "project_uid" | "issue_uid" | "created_at">> = {},
): StoredEvent<K> {
  events += 1;
  const event = {
    id: events,
    uid: `E${events}`,
    origin_instance_uid: "I",
    hlc_physical_ms: events,
    hlc_counter: 0,
    content_hash: "",
    created_at: "2026-02-02T00:00:00.000Z",
    actor: "bea",
    project_uid: "P",
    ...fields,
    type,
    payload,
  };
  // The parameters pair the kind with its payload; TypeScript cannot infer that for the union.
  return event as unknown as StoredEvent<K>;
}
