import { canonicalJson, type JsonObject } from "../base/json.ts";
import { invalid } from "../contract/errors.ts";
import type { StoredEvent } from "../contract/events.ts";
import { feedOf } from "../domain/event-filter.ts";
import { compareClocks, type FoldOrder } from "../domain/order.ts";
import { checkClocks } from "./admit/check-clocks.ts";
import { checkSubjects } from "./admit/check-subjects.ts";
import { carryOutPurges } from "./admit/hub-purges.ts";
import { lateEvents } from "./admit/late-events.ts";
import { classifyEvents } from "./admit/new-events.ts";
import { refoldAfter } from "./admit/refold-after.ts";
import { issuesSharingKeys } from "./admit/shared-keys.ts";
import { type Appending, eventInsertion, existingIn, indexEvent } from "./append.ts";
import { applyPage } from "./fold/apply-page.ts";
import { rebuildCommitsOf } from "./fold/closing-commits.ts";
import { foldOrder } from "./load/fold-order.ts";
import { chainOf } from "./log/chain.ts";
import { contentHash } from "./log/content-hash.ts";
import { resetReaders } from "./purge/purge.ts";
import { eventValues } from "./rows/rows.ts";
import { ALL_EVENTS } from "./types/events.ts";
import type { AdmitOptions, AdmitResult, ForeignEvent } from "./types/store.ts";

/**
 * Adds events of another daemon to the log, and folds each of them at its place in the order of the fold
 * (docs/contract/federation.md#81-order). The caller has checked the form of the events
 * (`ops/federation/foreign-event.ts`). Throws if one of the events is refused (`Tx.admit`); the caller then rolls back
 * the whole write. If the log already has an event, only the event's id on the hub is stored; if the event was skipped,
 * it counts again. An event of a purged issue is dropped. The issues that a baseline of the hub lists as purged are
 * purged here too.
 *
 * An event that comes after all events about the issues that it touches is folded as if it were written here. For any
 * other event, all events of its issue and of the issues whose links it sets are folded again. The same holds for the
 * rows of projects, jobs, workflows and runs.
 */
export async function admit(
  to: Appending,
  events: readonly ForeignEvent[],
  options: AdmitOptions,
  nowMs: number,
): Promise<AdmitResult> {
  const payloads = new Map(events.map((event) => [event.uid, hashedPayload(event)]));
  const purged = await carryOutPurges(to, events, options, nowMs);
  const { fresh, echoes, unskipped, duplicates, dropped, issuesToRefold } = await classifyEvents(
    to,
    events,
    options,
  );
  const projects = new Set(fresh.map(({ project_uid }) => project_uid));
  await to.clocks.load(to.connection);
  if (options.fromHub) for (const uid of projects) await to.clocks.begin(to.connection, uid);
  const before = new Map([...projects].map((uid) => [uid, to.clocks.of(uid) ?? { ...to.head }]));
  if (!options.fromHub) await checkClocks(to.connection, fresh, { nowMs, before });
  await checkSubjects(to, fresh, options);
  const stored = fresh.map((event) => placedEvent(to, event, options));
  await eventInsertion.run(
    to.connection,
    stored.map((event) => eventValues(event, payloads.get(event.uid))),
  );
  await to.clocks.write(to.connection);
  const order = await foldOrder(to.connection, ALL_EVENTS);
  to.loaded.order = order;
  const late = await lateEvents(to.connection, order, stored, before);
  const shared = await issuesSharingKeys(to.connection, [...unskipped, ...echoes, ...stored]);
  await foldAgain(to, unskipped, stored[0]?.id ?? to.head.last_event_id + 1);
  const existing: ReadonlySet<string>[] = [];
  await applyPage(to, stored, (event) => existing.push(existingIn(to, event)));
  for (const [at, event] of stored.entries())
    await indexEvent(to, event, existing[at] ?? new Set());
  await refoldAfter(
    to,
    stored,
    [...late, ...unskipped, ...movedByBaseline(order, echoes)],
    [...purged, ...issuesToRefold, ...shared],
  );
  return { accepted: fresh.length, duplicates, dropped };
}

/**
 * Folds events that were skipped and now count again, so an issue that they created appears. The caller finds their
 * places in the order of the fold afterwards. No new event announces the change, so readers of the project must start
 * again.
 */
async function foldAgain(
  to: Appending,
  events: readonly StoredEvent[],
  unfoldedFrom: number,
): Promise<void> {
  if (events.length === 0) return;
  const { connection, loaded, timezone, texts } = to;
  await applyPage({ connection, loaded, timezone, texts, unfoldedFrom }, events, () => undefined);
  await rebuildCommitsOf(to.connection, events);
  await resetReaders(to, events.map(feedOf));
}

/** Returns the payload as the log stores it, after comparing the event with its hash. */
function hashedPayload(event: ForeignEvent): string {
  const payload = canonicalJson(event.payload as unknown as JsonObject);
  if (contentHash(event, payload) !== event.content_hash.toLowerCase())
    throw invalid(`event ${event.uid}: its content does not match its hash`);
  return payload;
}

/**
 * Gives the event the next id and chain of this log. If the event's clock is later than the clock of its project, the
 * project's clock is set to it. A project without a clock of its own uses the clock of the database.
 */
function placedEvent(to: Appending, event: ForeignEvent, options: AdmitOptions): StoredEvent {
  const { project_uid, hlc_physical_ms, hlc_counter } = event;
  const hasOwnClock = to.clocks.of(project_uid) !== undefined;
  if (hasOwnClock) to.clocks.witness(project_uid, event);
  const isAhead = !hasOwnClock && compareClocks(to.head, event) < 0;
  const clock = isAhead ? { hlc_physical_ms, hlc_counter } : to.head;
  const chain = chainOf(to.head.chain, event.content_hash.toLowerCase());
  const id = to.head.last_event_id + 1;
  to.head = {
    ...to.head,
    last_event_id: id,
    hlc_physical_ms: clock.hlc_physical_ms,
    hlc_counter: clock.hlc_counter,
    chain,
  };
  return { ...sentFields(event, options), id, chain } as StoredEvent;
}

/**
 * Returns only the fields with which an event is sent. Other fields, such as assigned short ids or the feed, are
 * decided here.
 */
function sentFields(event: ForeignEvent, { fromHub }: AdmitOptions): ForeignEvent {
  const { issue_uid, related_issue_uid } = event;
  const hub_event_id = fromHub ? event.hub_event_id : undefined;
  return {
    uid: event.uid,
    origin_instance_uid: event.origin_instance_uid,
    project_uid: event.project_uid,
    ...(issue_uid === undefined ? {} : { issue_uid }),
    ...(related_issue_uid === undefined ? {} : { related_issue_uid }),
    type: event.type,
    actor: event.actor,
    payload: event.payload,
    hlc_physical_ms: event.hlc_physical_ms,
    hlc_counter: event.hlc_counter,
    content_hash: event.content_hash.toLowerCase(),
    created_at: event.created_at,
    ...(hub_event_id === undefined ? {} : { hub_event_id }),
  } as ForeignEvent;
}

/**
 * Returns the events among `echoes` that the hub got before a baseline in this log. Until now these events counted as
 * not sent, so they were folded after the baseline. The ids of the result are not used.
 */
function movedByBaseline(
  order: FoldOrder,
  echoes: readonly ForeignEvent[],
): readonly StoredEvent[] {
  return echoes
    .filter((event) => order.hasBaselineAfter(event))
    .map((event) => ({ ...event, id: 0, chain: "" }) as StoredEvent);
}
