import { parseJson } from "../../base/json.ts";
import { nestsDeeper } from "../../base/json-depth.ts";
import { EVENT_FEATURES } from "../../contract/capabilities.ts";
import { EVENT_KINDS } from "../../contract/event-kinds.ts";
import {
  FEDERATION_POLL_LIMIT,
  pollFederationProjectEvents,
} from "../../contract/federation-transport.ts";
import type { Output } from "../../contract/route.ts";
import type { Digest } from "../../domain/federation/digest.ts";
import type { ForeignEvent } from "../../store/types/store.ts";
import type { Replica } from "./bound-replica.ts";
import { checkForeignEvent, foreignEventOf } from "./foreign-event.ts";
import { isHeaderText } from "./hub-answer.ts";

type Poll = Output<typeof pollFederationProjectEvents>;

/** A page of the hub's events that may be written. */
export interface HubPage extends Pick<Poll, "next_after_id" | "epoch" | "replica_stamp"> {
  readonly chain: string | null;
  readonly events: readonly ForeignEvent[];
  /** Whether the hub has further events of the project. */
  readonly more: boolean;
  readonly digest: Digest | undefined;
}

/** Thrown for a page of the hub that may not be written. The status of the replica shows its code. */
export class PageRefused extends Error {
  override readonly name = "PageRefused";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const NEWER = "unsupported_event_features";

/**
 * Parses the answer of a hub to a poll. Numbers keep their spelling, since the hashes cover the text. Returns
 * `reset_required` if the hub says so, or if the page comes from another log than the cursor. Throws `PageRefused` if
 * the answer is not an answer of a hub, if it needs features that this daemon lacks, or if its events are not events of
 * the project after the cursor, in the order of their ids.
 */
export function parseHubPage(text: string, replica: Replica): HubPage | "reset_required" {
  const parsed = pollFederationProjectEvents.response().safeParse(jsonOf(text));
  if (!parsed.success) throw refused("the answer is not an answer of a hub");
  const { data } = parsed;
  if (
    ![data.epoch, data.replica_stamp, ...(data.chain === undefined ? [] : [data.chain])].every(
      isHeaderText,
    )
  )
    throw refused("the epoch, the chain or the stamp cannot be sent back in a header");
  const ours: readonly string[] = EVENT_FEATURES;
  if (data.required_event_features.some((feature) => !ours.includes(feature)))
    throw new PageRefused(NEWER, "the page needs features of newer versions");
  const isOtherLog = replica.epoch !== null && data.epoch !== replica.epoch;
  if (data.reset_required || isOtherLog) return "reset_required";
  requireOrder(data, replica);
  const events = data.events.map((event) => foreignEvent(event, replica));
  const { next_after_id, epoch, chain = null, replica_stamp, more, digest } = data;
  const found = { next_after_id, epoch, chain, replica_stamp, events, digest };
  return { ...found, more: more ?? events.length > 0 };
}

/**
 * The maximum nesting of a page: twice the limit for a request, because a page has the JSON of requests a few levels
 * down.
 */
const MAX_DEPTH = 512;

function jsonOf(text: string): unknown {
  if (nestsDeeper(text, MAX_DEPTH)) throw refused("the answer is nested too deeply");
  try {
    return parseJson(text);
  } catch {
    throw refused("the answer is not JSON");
  }
}

function requireOrder({ events, next_after_id }: Poll, { cursor }: Replica): void {
  if (events.length > FEDERATION_POLL_LIMIT) throw refused("the page has too many events");
  let last = cursor;
  for (const { event_id } of events) {
    if (event_id <= last) throw refused("the ids of the events do not rise");
    last = event_id;
  }
  if (next_after_id < last) throw refused("the next cursor is before the last event");
}

function foreignEvent(sent: Poll["events"][number], { hub_project_uid }: Replica): ForeignEvent {
  if (sent.project_uid !== hub_project_uid) throw refused("an event is of another project");
  if (!Object.hasOwn(EVENT_KINDS, sent.type))
    throw new PageRefused(NEWER, `the kind ${sent.type} is one of newer versions`);
  const event = { ...foreignEventOf(sent), hub_event_id: sent.event_id };
  checkForeignEvent(event);
  return event;
}

function refused(message: string): PageRefused {
  return new PageRefused("hub_validation", message);
}
