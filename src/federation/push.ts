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
import { metadataOf } from "./metadata.ts";
import type { PassDeps } from "./pass-deps.ts";

/**
 * - `drained`: the hub has every event that was there when the pass began, which are those up to the id `upTo`.
 * - `more`: it has a part of them; other projects come first.
 * - `gone`: the project is no longer one to send events of.
 */
export type PushOutcome =
  | { readonly outcome: "drained"; readonly replica: Replica; readonly upTo: number }
  | { readonly outcome: "more"; readonly batches: number; readonly events: number }
  | { readonly outcome: "gone" };

/** The most batches of one pass: then other projects have their turn. */
const MOST_BATCHES = 50;
const UNSUPPORTED = "unsupported_event_features";
/** Refusals that end by themselves once the hub is upgraded, so no batch is set aside for them. */
const PASSING: ReadonlySet<string> = new Set([UNSUPPORTED, "unsupported_federation_schema"]);

/**
 * Sends the hub what was written here, batch after batch (facts federation 7.1). The hub adds a batch or refuses all of it.
 * The cursor moves behind a batch once the hub has answered, so a batch whose answer is lost is sent again. Throws
 * `HubFault` if the hub refuses a batch or gives no answer. If the hub would refuse it again, the batch is put into
 * quarantine first.
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
  let events = 0;
  for (let batches = 0; ; batches += 1) {
    const next = await nextBatch(store, replica, { after: replica.push_cursor, upTo });
    if (next.batch === "too_large") throw new HubFault("payload_too_large");
    if (next.batch === undefined) return { outcome: "drained", replica, upTo };
    if (batches === MOST_BATCHES) return { outcome: "more", batches, events };
    if (batches === 0) await beginPush(store, replica);
    const cursor = await send(deps, hub, { replica, batch: next.batch }, signal);
    const stored = await storePushed(store, replica, cursor);
    if (stored === undefined) return { outcome: "gone" };
    replica = stored;
    events += next.batch.events.length;
  }
}

/** Sends one batch. Returns the cursor of the hub's answer. */
async function send(
  { store }: PassDeps,
  hub: Hub,
  { replica, batch }: { readonly replica: Replica; readonly batch: PushBatch },
  signal: AbortSignal,
): Promise<number> {
  await requireFeatures(hub, { replica, batch }, signal);
  try {
    const { push_cursor_event_id: cursor } = await hub.submit(batch, signal);
    if (cursor <= replica.push_cursor || cursor > batch.lastId)
      throw new HubFault("hub_validation");
    return cursor;
  } catch (error) {
    if (error instanceof HubFault && isFinal(error))
      await quarantineBatch(store, replica, batch, error);
    throw error;
  }
}

/** A hub gets an event that needs a feature only after it has said that it has the feature (facts federation 3.3). */
async function requireFeatures(
  hub: Hub,
  { replica, batch }: { readonly replica: Replica; readonly batch: PushBatch },
  signal: AbortSignal,
): Promise<void> {
  if (batch.features.length === 0) return;
  const { supported_event_features: supported } = await metadataOf(hub, replica, signal);
  if (batch.features.some((feature) => !supported.includes(feature)))
    throw new HubFault(UNSUPPORTED);
}

/** Whether the hub would refuse the batch again. */
function isFinal({ status, code }: HubFault): boolean {
  return (status === 400 || status === 409) && !PASSING.has(code);
}
