import type { Replica } from "../ops/federation/bound-replica.ts";
import {
  beginPush,
  endOfLog,
  nextBatch,
  type PushBatch,
  quarantineBatch,
  storePushed,
} from "../ops/federation/push.ts";
import { type Hub, HubFault } from "./hub.ts";
import { requireHubMetadata } from "./metadata.ts";
import type { PassDeps } from "./pass-deps.ts";
import { judgeStale, STALE } from "./stale.ts";

/**
 * - `drained`: the hub has all events up to the id `upTo`, which was the end of this daemon's log when the pass began.
 * - `more`: the hub has a part of these events; other projects come first.
 * - `gone`: the project can no longer send events.
 */
export type PushOutcome =
  | { readonly outcome: "drained"; readonly replica: Replica; readonly upTo: number }
  | { readonly outcome: "more"; readonly batches: number; readonly events: number }
  | { readonly outcome: "gone" };

/** The maximum number of batches of one pass. After these, other projects have their turn. */
const MOST_BATCHES = 50;
const UNSUPPORTED = "unsupported_event_features";
/**
 * Refusals that are not about the contents of the batch, so the batch is not set aside: the hub is too old, or this
 * database was copied.
 */
const PASSING: ReadonlySet<string> = new Set([UNSUPPORTED, "unsupported_federation_schema", STALE]);

/**
 * Sends the hub what was written here, batch after batch (docs/contract/federation.md#71-a-pass). The hub adds a batch
 * or refuses all of it. The cursor moves behind a batch once the hub has answered, so a batch whose answer is lost is
 * sent again. Throws `HubFault` if the hub refuses a batch or gives no answer. If the hub would refuse it again, the
 * batch is put into quarantine first. Each batch carries the stamp of the last page: of two copies of one database, the
 * one that the other has replaced is disabled before it sends anything.
 */
export async function push(
  deps: PassDeps,
  hub: Hub,
  begun: Replica,
  signal: AbortSignal,
): Promise<PushOutcome> {
  if (!begun.pushes) return { outcome: "drained", replica: begun, upTo: 0 };
  const { store } = deps;
  const upTo = await endOfLog(store);
  let replica = begun;
  let stamp = begun.stamp ?? undefined;
  let events = 0;
  for (let batches = 0; ; batches += 1) {
    const next = await nextBatch(store, replica, { after: replica.push_cursor, upTo });
    if (next.batch === "too_large") throw new HubFault("payload_too_large");
    if (next.batch === undefined) return { outcome: "drained", replica, upTo };
    if (batches === MOST_BATCHES) return { outcome: "more", batches, events };
    if (batches === 0) await beginPush(store, replica);
    const sent = await send(deps, hub, { replica, batch: { ...next.batch, stamp } }, signal);
    if (sent === "disabled") return { outcome: "gone" };
    if (sent.isOtherLog) stamp = undefined;
    const { cursor } = sent;
    const stored = await storePushed(store, replica, cursor);
    if (stored === undefined) return { outcome: "gone" };
    replica = stored;
    events += next.batch.events.length;
  }
}

interface Sending {
  readonly replica: Replica;
  readonly batch: PushBatch & { readonly stamp: string | undefined };
}

/**
 * Sends one batch. Returns the cursor of the hub's answer, or `disabled` if another copy reads in the place of this
 * one. A hub that was restored does not accept the stamp. But it must get what was written here before the copy begins
 * again, so the batch is then sent without a stamp.
 */
async function send(
  deps: PassDeps,
  hub: Hub,
  { replica, batch }: Sending,
  signal: AbortSignal,
): Promise<"disabled" | { readonly cursor: number; readonly isOtherLog: boolean }> {
  await requireFeatures(hub, { replica, batch }, signal);
  try {
    return { cursor: await submit(deps, hub, { replica, batch }, signal), isOtherLog: false };
  } catch (error) {
    if (!(error instanceof HubFault) || error.code !== STALE) throw error;
    const metadata = await judgeStale(deps, hub, replica, signal);
    if (metadata === undefined) return "disabled";
    const unstamped = { replica, batch: { ...batch, stamp: undefined } };
    return { cursor: await submit(deps, hub, unstamped, signal), isOtherLog: true };
  }
}

async function submit(
  { store }: PassDeps,
  hub: Hub,
  { replica, batch }: Sending,
  signal: AbortSignal,
): Promise<number> {
  try {
    const { push_cursor_event_id: cursor } = await hub.submit(batch, signal);
    // The hub has the whole batch, and answers with the number of the batch's last event.
    if (cursor === batch.lastSentId) return batch.lastId;
    if (batch.adoption !== undefined || cursor <= replica.push_cursor || cursor > batch.lastId)
      throw new HubFault("hub_validation");
    return cursor;
  } catch (error) {
    if (error instanceof HubFault && isFinal(error))
      await quarantineBatch(store, replica, batch, error);
    throw error;
  }
}

/**
 * Throws unless the hub has said that it supports the features of the batch (docs/contract/federation.md#35-features).
 */
async function requireFeatures(
  hub: Hub,
  { replica, batch }: { readonly replica: Replica; readonly batch: PushBatch },
  signal: AbortSignal,
): Promise<void> {
  if (batch.features.length === 0) return;
  const { supported_event_features: supported } = await requireHubMetadata(hub, replica, signal);
  if (batch.features.some((feature) => !supported.includes(feature)))
    throw new HubFault(UNSUPPORTED);
}

/** Whether the hub would refuse the batch again. */
function isFinal({ status, code }: HubFault): boolean {
  return (status === 400 || status === 409) && !PASSING.has(code);
}
