import { NeedsWorker } from "../../base/budget.ts";
import { jsonBytes } from "../../base/json-bytes.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { SvcError } from "../../contract/errors.ts";
import type { StoredEvent } from "../../contract/events.ts";
import {
  type pollFederationProjectEvents as contract,
  FEDERATION_POLL_LIMIT,
} from "../../contract/federation-transport.ts";
import type { LogMark } from "../../contract/log-mark.ts";
import type { Input, Output } from "../../contract/route.ts";
import { nextStamps } from "../../domain/federation/stamps.ts";
import { wireOf } from "../../domain/federation/wire.ts";
import type { Reader } from "../../store/types/store.ts";
import type { Deps, Principal, ReadDeps } from "../deps.ts";
import { isOtherLog, sentLog } from "../events/reset.ts";
import { envelopesOut } from "../out/events.ts";
import { type Enrolled, requireEnrolled, requireFeatures } from "./enrolled.ts";
import { advanceCount, hubDigest } from "./hub-digest.ts";

type Request = Input<typeof contract>;
type Page = Pick<
  Output<typeof contract>,
  | "reset_required"
  | "reset_after_id"
  | "events"
  | "next_after_id"
  | "more"
  | "required_event_features"
  | "epoch"
  | "chain"
  | "digest"
>;

/**
 * The limits of one part: the number of its events, and the bytes of their payloads. A single event may have any size.
 */
interface PartSize {
  readonly events: number;
  readonly bytes: number;
}

/** The most parts of a page: about 2 MiB, and one event of any size at the end. */
const MOST_PARTS = 8;
const PART: PartSize = { events: FEDERATION_POLL_LIMIT, bytes: 256 * 1024 };
/** What the daemon's own thread reads at most: about 2 ms of work. */
const LITTLE_PART: PartSize = { events: 50, bytes: 32 * 1024 };

/** The part of the answer that comes from a write. Only the daemon's own thread makes this write. */
export interface BegunPoll {
  readonly replica_stamp: string;
  readonly required_event_features: readonly string[];
}

/**
 * Returns the events of the project after the cursor that are sent to other daemons, but none from before the horizon
 * (docs/contract/federation.md#71-a-pass). `begun` is the result of `beginPoll` for this request.
 */
export async function pollFederationProjectEvents(
  deps: ReadDeps,
  who: Principal,
  { begun, ...request }: Request & { readonly begun: BegunPoll },
): Promise<Output<typeof contract>> {
  const page = await readPage(deps, who, request);
  return { ...page, replica_stamp: begun.replica_stamp };
}

function accessOf({ params: { project_id }, headers }: Pick<Request, "params" | "headers">) {
  return { project_id, instance: headers["x-svc-instance"], capability: "pull" } as const;
}

interface Cursor {
  readonly after: number;
  readonly log: LogMark | undefined;
}

async function readPage(
  { store, clock, smallWorkOnly }: Pick<ReadDeps, "store" | "clock" | "smallWorkOnly">,
  who: Principal,
  { params, query, headers }: Request,
): Promise<Page> {
  const limit = Math.min(query.limit ?? FEDERATION_POLL_LIMIT, FEDERATION_POLL_LIMIT);
  const features = headers["x-svc-event-features"];
  const size = smallWorkOnly === true ? LITTLE_PART : PART;
  const events: Page["events"] = [];
  let cursor: Cursor = { after: query.after_id ?? 0, log: sentLog(headers["x-svc-log"]) };
  for (let parts = 1; ; parts += 1) {
    const { page, last } = await store.read(async (reader) => {
      const enrolled = await requireEnrolled(reader, who, accessOf({ params, headers }));
      const required = await requireFeatures(reader, enrolled.project, features);
      const part = await readPart(reader, enrolled, required, cursor, {
        ...size,
        events: Math.min(size.events, limit - events.length),
      });
      return part.last ? await withDigest(reader, enrolled, part, clock.now()) : part;
    });
    if (page.reset_required) return page;
    events.push(...page.events);
    const isFull = parts === MOST_PARTS || events.length >= limit || isLong(page.events);
    if (last || isFull) return { ...page, events };
    // On the daemon's own thread, one part is read at most.
    if (smallWorkOnly === true) throw new NeedsWorker();
    cursor = { after: page.next_after_id, log: { epoch: page.epoch } };
    await yieldToLoop();
  }
}

/**
 * Whether a part is one event that exceeds the size of a part. Such an event ends its page: readers limit the size of a
 * page, and could never read a page with several such events.
 */
function isLong(events: Page["events"]): boolean {
  const [only, ...others] = events;
  return only !== undefined && others.length === 0 && jsonBytes(only.payload) > PART.bytes;
}

async function readPart(
  reader: Reader,
  { project, binding }: Enrolled,
  required: readonly string[],
  { after, log }: Cursor,
  size: PartSize,
): Promise<{ readonly page: Page; readonly last: boolean }> {
  const { events, federation } = reader;
  const place = await events.place(after);
  // A reader that continues from a cursor may have read events that were purged later. A newer baseline after the
  // cursor does not change that.
  const startAfter = Math.max(after, binding.replay_horizon_event_id - 1);
  const seenUpTo = after === 0 ? startAfter : after;
  const common = { required_event_features: [...required], epoch: place.epoch };
  const isOther = isOtherLog(place, { cursor: after, log });
  const purged = await events.resetAfter([project.uid]);
  if (isOther || seenUpTo < purged) {
    const reset = isOther ? place.last_event_id : purged;
    const ids = { reset_after_id: reset, next_after_id: reset };
    return { page: { ...common, reset_required: true, events: [], ...ids }, last: true };
  }
  const found = await federation.eventsOf(project.uid, startAfter, size.events, size.bytes);
  const sent = found.events.filter(({ type }) => wireOf(type) !== undefined);
  const { chain } = await events.place(found.upTo);
  const page = {
    ...common,
    reset_required: false,
    events: await foreignEnvelopes(reader, sent),
    next_after_id: found.upTo,
    more: !found.last,
    ...(chain === null ? {} : { chain }),
  };
  return { page, last: found.last };
}

/** Adds the digest of all events up to the end of the page. Called for a page that reaches the end of the log. */
async function withDigest(
  reader: Reader,
  { binding }: Enrolled,
  { page, last }: { readonly page: Page; readonly last: boolean },
  now: string,
) {
  if (page.reset_required) return { page, last };
  const { epoch, next_after_id: through } = page;
  const digest = await hubDigest(reader, binding, { epoch, through, now });
  return { page: digest === undefined ? page : { ...page, digest }, last };
}

/**
 * Returns the events as readers of this daemon see them, but with the uid of the related issue even if that issue is
 * purged: the hash of the event covers the uid.
 */
async function foreignEnvelopes(
  reader: Reader,
  events: readonly StoredEvent[],
): Promise<Page["events"]> {
  const related = new Map(events.map((event) => [event.uid, event.related_issue_uid]));
  return (await envelopesOut(reader, events)).map((envelope) => {
    const uid = related.get(envelope.event_uid);
    return uid === undefined ? envelope : { ...envelope, related_issue_uid: uid };
  });
}

/**
 * Begins a poll: stores how far the replica has read, and returns the stamp of its next poll. Refuses a replica that
 * was copied or restored. If reading the page fails after that, the replica polls again with its old stamp, which is
 * still accepted.
 */
export async function beginPoll(
  { store, ids }: Pick<Deps, "store" | "ids">,
  who: Principal,
  { params, query, headers }: Request,
): Promise<BegunPoll> {
  return await store.write(async (tx) => {
    const enrolled = await requireEnrolled(tx, who, accessOf({ params, headers }));
    const { enrollment, project, binding } = enrolled;
    const features = headers["x-svc-event-features"];
    const required_event_features = await requireFeatures(tx, project, features);
    const key = { enrollment_id: enrollment.id, project_uid: project.uid };
    const known = await tx.unfolded.find("federation_replica", key);
    const fresh = ids.ulid();
    const stamps = nextStamps(known, headers["x-svc-replica-stamp"], fresh);
    if (stamps === "stale") throw new SvcError("federation_replica_stale");
    const seen = { after_event_id: query.after_id ?? 0, seen_at: tx.now };
    await tx.unfolded.put("federation_replica", { ...key, ...stamps, ...seen });
    await advanceCount(tx, binding);
    return { replica_stamp: fresh, required_event_features };
  });
}
