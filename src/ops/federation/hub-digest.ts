import { type Digest, FOLD_VERSION, sumText } from "../../domain/federation/digest.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import type { BindingRow } from "./binding.ts";
import {
  countedSoFar,
  countOn,
  EVENTS_PER_READ,
  MIN_EVENTS_TO_STORE,
  rowOf,
} from "./event-count.ts";

/** How many portions of events one poll counts at most, so that other writes wait for a few ms only. */
const MOST_PORTIONS = 5;

/** Counts further events of the hub, in the write of a poll. Most polls find few new events and write nothing. */
export async function advanceCount(tx: Tx, binding: BindingRow): Promise<void> {
  const { last_event_id, epoch } = await tx.events.head();
  const { counted: before, row } = await countedSoFar(tx, binding, epoch, tx.now);
  if (last_event_id - before.through < MIN_EVENTS_TO_STORE) return;
  let { counted, last } = await countOn(tx, before, last_event_id);
  if (counted.sum.count - before.sum.count < MIN_EVENTS_TO_STORE) return;
  for (let portions = 1; !last && portions < MOST_PORTIONS; portions += 1)
    ({ counted, last } = await countOn(tx, counted, last_event_id));
  await tx.unfolded.put("federation_digest", rowOf(counted, row));
}

/**
 * Returns the digest of the hub's events up to the end of its log, `through`. Returns undefined if more than one
 * portion of events has yet to be counted, as after an upgrade; the next polls go on counting.
 */
export async function hubDigest(
  reader: Reader,
  binding: BindingRow,
  {
    epoch,
    through,
    now,
  }: { readonly epoch: string; readonly through: number; readonly now: string },
): Promise<Digest | undefined> {
  const { counted: before } = await countedSoFar(reader, binding, epoch, now);
  const { counted, last } = await countOn(reader, before, through, EVENTS_PER_READ);
  if (!last) return undefined;
  const { count, sum } = counted.sum;
  return {
    from: binding.replay_horizon_event_id,
    through,
    count,
    sum: sumText(sum),
    fold_version: FOLD_VERSION,
  };
}
