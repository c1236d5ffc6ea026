import { msToInstant } from "../base/clock.ts";
import { canonicalJson, type JsonObject } from "../base/json.ts";
import type { EventDraft } from "../contract/events.ts";
import type { Snapshot } from "../domain/federation/baseline.ts";
import { compareClocks } from "../domain/order.ts";
import type { Inserts } from "../domain/tables/tables.ts";
import { type Appending, eventInsertion, nextHead } from "./append.ts";
import { cronEvent } from "./fold/cron-events.ts";
import { mention } from "./fold/mentions.ts";
import { chainOf } from "./log/chain.ts";
import { contentHash } from "./log/content-hash.ts";
import type { Baseline } from "./types/store.ts";

/** Number of events whose rows are in memory at once. */
const SLICE = 500;

/**
 * Writes the first event of a baseline. The snapshots after it get the same clock and time
 * (docs/contract/federation.md#13-outcomes, row 59). This clock is later than the clocks of all events before it,
 * except events of other projects that are read from hubs.
 */
export async function beginBaseline(
  to: Appending,
  first: EventDraft<"project.federation_enabled">,
  nowMs: number,
): Promise<Baseline> {
  await to.clocks.load(to.connection);
  const own = to.clocks.of(first.project_uid);
  const isAhead = own !== undefined && compareClocks(own, to.head) > 0;
  const clock = nextHead(isAhead ? { ...to.head, ...own } : to.head, nowMs);
  if (own === undefined) to.head = { ...clock, last_event_id: to.head.last_event_id };
  else to.clocks.witness(first.project_uid, clock);
  await to.clocks.write(to.connection);
  const baseline = {
    project_uid: first.project_uid,
    actor: first.actor,
    hlc_physical_ms: clock.hlc_physical_ms,
    hlc_counter: clock.hlc_counter,
    created_at: msToInstant(nowMs),
    horizon: clock.last_event_id,
  };
  const payload = canonicalJson(first.payload as unknown as JsonObject);
  await eventInsertion.run(to.connection, [eventRow(to, baseline, { type: first.type, payload })]);
  to.loaded.order = undefined;
  return baseline;
}

/**
 * Writes snapshots of a baseline. They are not folded: in the order of the fold they come directly after the first
 * event of the baseline, and they contain what the rows contained at that event. Returns the id of the last event in
 * the log.
 */
export async function appendSnapshots(
  to: Appending,
  baseline: Baseline,
  snapshots: readonly Snapshot[],
): Promise<number> {
  for (let at = 0; at < snapshots.length; at += SLICE) {
    const slice = snapshots.slice(at, at + SLICE);
    const rows = slice.map((snapshot) => eventRow(to, baseline, snapshot));
    await eventInsertion.run(to.connection, rows);
    const mentions = slice.flatMap(({ names }, of) =>
      names.map((issue_uid) => ({ issue_uid, event_id: rows[of]?.id ?? 0 })),
    );
    await mention.run(to.connection, mentions);
    const notes = slice.flatMap(({ row_uid }, of) =>
      row_uid === undefined ? [] : { row_uid, event_id: rows[of]?.id ?? 0 },
    );
    await cronEvent.run(to.connection, notes);
  }
  return to.head.last_event_id;
}

/** Returns the row of an event of the baseline, with the next id of the log. */
export function eventRow(
  to: Appending,
  baseline: Baseline,
  {
    type,
    issue_uid,
    payload,
  }: Omit<Snapshot, "type" | "names" | "row_uid"> & { readonly type: string },
): Inserts["event"] {
  const event = {
    uid: to.ids.ulid(),
    origin_instance_uid: to.instanceUid,
    project_uid: baseline.project_uid,
    issue_uid: issue_uid ?? null,
    related_issue_uid: null,
    type,
    actor: baseline.actor,
    hlc_physical_ms: baseline.hlc_physical_ms,
    hlc_counter: baseline.hlc_counter,
    created_at: baseline.created_at,
  };
  const content_hash = contentHash(event, payload);
  const chain = chainOf(to.head.chain, content_hash);
  const id = to.head.last_event_id + 1;
  to.head = { ...to.head, last_event_id: id, chain };
  return { ...event, ...HERE, id, feed_uid: baseline.project_uid, payload, content_hash, chain };
}

/** Columns that have values only in events of other daemons and in events that are sent to another daemon. */
const HERE = {
  assigned_ids: null,
  hub_event_id: null,
  local_actor: null,
  skipped_at: null,
} as const;
