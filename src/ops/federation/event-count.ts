import { instantToMs } from "../../base/clock.ts";
import {
  type HashSum,
  joinSums,
  NO_HASHES,
  parseSum,
  sumText,
  withHashes,
} from "../../domain/federation/digest.ts";
import type { Row } from "../../domain/tables/tables.ts";
import type { HashedEvent } from "../../store/types/federation.ts";
import type { Reader } from "../../store/types/store.ts";
import type { BindingRow } from "./binding.ts";

/*
 * A hub and its copies count the events that both have, and add up their content hashes, so that a copy can see in each
 * pass whether it has what the hub has. Nothing is counted when an event is written. A hub counts when
 * it is polled, a copy at the end of a pass; each continues from the count in its row of `federation_digest`.
 *
 * The row is in the same database as the events, and covers only events that were committed before it. These events
 * never change, and no event is added between them, since ids on the hub rise in the order of commits and a copy gets
 * events in that order. So the row is correct even after a crash. Only a purge, a reset or a new baseline removes
 * counted events. Each of them changes a field that `isRowOf` compares, and then everything is counted again. This is
 * also done once a day, because an event that is lost after it was counted would otherwise go unnoticed.
 */

export type CountedRow = Row<"federation_digest">;

/** Which events a row counts. */
type Subject = Pick<
  CountedRow,
  "project_uid" | "bound_at" | "log_epoch" | "from_event_id" | "reset_after_event_id"
>;

/** Events that were counted: which ones, and the sum of their hashes. */
export interface EventCount {
  readonly subject: Subject;
  readonly side: BindingRow["role"];
  readonly begun_at: string;
  /** Events up to this id of the hub's log are counted. */
  readonly through: number;
  readonly sum: HashSum;
}

/**
 * A hub updates its row only when at least this many events are new, and no row keeps a count of this many events or
 * fewer. Events that no row counts are counted again each time, so that the loss of one of them is noticed at once.
 */
export const MIN_EVENTS_TO_STORE = 200;
/** How many events are read in one statement. */
export const EVENTS_PER_READ = 1000;
const DAY_MS = 86_400_000;

/**
 * Returns the count from which counting continues, and the row of the binding. The count is empty if there is no row,
 * or if its count began a day ago. `epoch` is the epoch of the hub's log.
 */
export async function countedSoFar(
  reader: Pick<Reader, "events" | "unfolded">,
  binding: BindingRow,
  epoch: string,
  now: string,
): Promise<{ readonly counted: EventCount; readonly row: CountedRow | undefined }> {
  const { subject, row } = await countedRow(reader, binding, epoch);
  const { role: side, replay_horizon_event_id } = binding;
  const nothing = {
    ...{ subject, side, begun_at: now },
    through: replay_horizon_event_id - 1,
    sum: NO_HASHES,
  };
  if (row === undefined || row.event_count === 0) return { counted: nothing, row };
  if (instantToMs(now) - instantToMs(row.begun_at) >= DAY_MS) return { counted: nothing, row };
  const sum = { count: row.event_count, sum: parseSum(row.hash_sum) };
  const { through_event_id: through, begun_at } = row;
  return { counted: { subject, side, begun_at, through, sum }, row };
}

/** Returns which events are to be counted for the binding now, and the stored row if it counts the same events. */
export async function countedRow(
  { events, unfolded }: Pick<Reader, "events" | "unfolded">,
  { project_uid, created_at, replay_horizon_event_id }: BindingRow,
  epoch: string,
): Promise<{ readonly subject: Subject; readonly row: CountedRow | undefined }> {
  const subject: Subject = {
    project_uid,
    bound_at: created_at,
    log_epoch: epoch,
    from_event_id: replay_horizon_event_id,
    reset_after_event_id: await events.resetAfter([project_uid]),
  };
  const found = await unfolded.find("federation_digest", { project_uid });
  return { subject, row: found !== undefined && isRowOf(found, subject) ? found : undefined };
}

function isRowOf(row: CountedRow, subject: Subject): boolean {
  return (Object.keys(subject) as (keyof Subject)[]).every(
    (field) => row[field] === subject[field],
  );
}

/**
 * Counts the next events, at most `limit`, up to the id `through`. `last`: there are no more events up to `through`.
 */
export async function countOn(
  { federation }: Pick<Reader, "federation">,
  counted: EventCount,
  through: number,
  limit: number = EVENTS_PER_READ,
): Promise<{ readonly counted: EventCount; readonly last: boolean }> {
  const { subject, side, through: after } = counted;
  const range = { project: subject.project_uid, side, after, through, limit };
  const events = await federation.hubHashes(range);
  const last = events.length < limit;
  const upTo = last ? Math.max(through, after) : (events.at(-1)?.event_id ?? after);
  const sum = joinSums(counted.sum, sumOfEvents(events));
  return { counted: { ...counted, through: upTo, sum }, last };
}

export function sumOfEvents(events: readonly HashedEvent[]): HashSum {
  return withHashes(
    NO_HASHES,
    events.map(({ content_hash }) => content_hash),
  );
}

const NOT_COMPARED = {
  compared_at: null,
  compared_through_event_id: null,
  unequal_passes: 0,
  hub_fold_version: null,
} as const;

/**
 * Returns the row to store. If at most `MIN_EVENTS_TO_STORE` events were counted, the row has an empty count, so that
 * these events are counted again. `before` is the stored row of the same subject; the result of its comparison is kept.
 */
export function rowOf(
  { subject, through, sum, begun_at }: EventCount,
  before: CountedRow | undefined,
): CountedRow {
  const isKept = sum.count > MIN_EVENTS_TO_STORE;
  return {
    ...NOT_COMPARED,
    ...before,
    ...subject,
    through_event_id: isKept ? through : Math.max(0, subject.from_event_id - 1),
    event_count: isKept ? sum.count : 0,
    hash_sum: sumText(isKept ? sum.sum : 0n),
    begun_at,
  };
}
