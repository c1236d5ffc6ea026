import type { JsonObject } from "../../base/json.ts";
import {
  type EventFields,
  type EventFilter,
  followed,
  isWanted,
} from "../../domain/event-filter.ts";
import { StreamChunk } from "./chunk.ts";
import type { StreamClient } from "./client.ts";

export interface Envelope extends Omit<EventFields, "merged_uid"> {
  readonly event_id: number;
  readonly payload: JsonObject;
}

export interface Frame {
  readonly id: number;
  readonly event: EventFields;
  /** The lines `id`, `event` and `data`, and the blank line after them. */
  readonly text: string;
}

/**
 * A purge. Readers of this project whose cursor is before `after_event_id` must load everything again
 * (docs/contract/http-api.md#53-purge-and-reset).
 */
export interface Reset {
  readonly project_uid: string;
  readonly after_event_id: number;
}

export function toFrame(envelope: Envelope): Frame {
  const { event_id: id, type, actor, project_uid, issue_uid, related_issue_uid } = envelope;
  const text = `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(envelope)}\n\n`;
  const { source_uid: source } = envelope.payload;
  const merged_uid = type === "project.merged" && typeof source === "string" ? source : undefined;
  const event = { type, actor, project_uid, issue_uid, related_issue_uid, merged_uid };
  return { id, event, text };
}

/** What the readers with the same filter receive of a page of events. */
export interface Selection {
  readonly chunk: StreamChunk | undefined;
  readonly lastId: number;
  /** The filter after these events: an event can change it, for example when a project is merged. */
  readonly filter: EventFilter;
  readonly ends: boolean;
}

export function selectionFor(client: StreamClient, frames: readonly Frame[]): Selection {
  const wanted: Frame[] = [];
  let { filter } = client;
  let ends = false;
  for (const frame of frames) {
    if (frame.id <= client.cursor) continue;
    if (isWanted(filter, frame.event)) wanted.push(frame);
    filter = followed(filter, frame.event);
    ends ||= endsFilter(filter, frame.event);
  }
  const text = wanted.map((frame) => frame.text).join("");
  const chunk = text === "" ? undefined : new StreamChunk(text);
  return { chunk, lastId: wanted.at(-1)?.id ?? client.cursor, filter, ends };
}

/**
 * Returns the id after which the client must resume when it has loaded everything again. This is the highest
 * `after_event_id` of the purges in the projects of the client's filter. Returns `undefined` if no such purge is beyond
 * the client's cursor.
 */
export function lastResetAfter(
  resets: readonly Reset[],
  { cursor, filter: { projects } }: StreamClient,
) {
  const ids = resets
    .filter(({ project_uid }) => projects === undefined || projects.includes(project_uid))
    .map(({ after_event_id }) => after_event_id)
    .filter((id) => id > cursor);
  return ids.length === 0 ? undefined : Math.max(...ids);
}

/**
 * True if the filter's project was archived or merged: no further event can match the filter
 * (docs/contract/http-api.md#54-the-stream).
 */
function endsFilter({ projects }: EventFilter, { type, project_uid, merged_uid }: EventFields) {
  if (projects === undefined) return false;
  if (type === "project.removed" && projects.includes(project_uid)) return true;
  return merged_uid !== undefined && projects.includes(merged_uid);
}
