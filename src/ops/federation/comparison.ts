import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { type Digest, isEqualSum } from "../../domain/federation/digest.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import type { OpStore } from "../deps.ts";
import type { BindingRow } from "./binding.ts";
import { countedRow, countedSoFar, countOn, type EventCount, rowOf } from "./event-count.ts";

/** What a pass has found: the counted events of the copy, and the digest of the hub with which they are compared. */
export interface Comparison {
  readonly counted: EventCount;
  readonly digest: Digest;
}

/**
 * Counts the events of a copy that its hub has too, to compare them with the digest at the end of the hub's answer.
 * Returns undefined if the digest covers another range of events than the copy has, so that the two cannot be compared.
 */
export async function countCopy(
  { read }: Pick<OpStore, "read">,
  project_uid: string,
  digest: Digest,
  now: string,
): Promise<Comparison | undefined> {
  let counted = await read(async (reader) => await beginCount(reader, project_uid, digest, now));
  while (counted !== undefined) {
    const before = counted;
    const next = await read(async (reader) => await countOn(reader, before, digest.through));
    counted = next.counted;
    if (next.last) return { counted, digest };
    await yieldToLoop();
  }
  return undefined;
}

async function beginCount(
  reader: Reader,
  project_uid: string,
  digest: Digest,
  now: string,
): Promise<EventCount | undefined> {
  const binding = await reader.unfolded.find("federation_binding", { project_uid });
  if (binding === undefined || binding.hub_epoch === null || !isOf(digest, binding))
    return undefined;
  return (await countedSoFar(reader, binding, binding.hub_epoch, now)).counted;
}

function isOf({ from, through }: Digest, binding: BindingRow): boolean {
  return (
    binding.role === "spoke" &&
    binding.replay_horizon_event_id === from &&
    binding.pull_cursor_event_id === through
  );
}

/**
 * Stores whether copy and hub are equal, unless the copy was reset, bound again or read further since its events were
 * counted.
 */
export async function noteComparison(
  tx: Tx,
  binding: BindingRow,
  { counted, digest }: Comparison,
): Promise<void> {
  if (binding.hub_epoch === null || !isOf(digest, binding)) return;
  const now = await countedSoFar(tx, binding, binding.hub_epoch, tx.now);
  const { subject } = now.counted;
  if (subject.reset_after_event_id !== counted.subject.reset_after_event_id) return;
  if (subject.bound_at !== counted.subject.bound_at) return;
  const isEqual = isEqualSum(counted.sum, digest);
  await tx.unfolded.put("federation_digest", {
    ...rowOf(counted, now.row),
    compared_at: tx.now,
    compared_through_event_id: digest.through,
    unequal_passes: isEqual ? 0 : (now.row?.unequal_passes ?? 0) + 1,
    hub_fold_version: digest.fold_version,
  });
}

/**
 * The result of the last comparison of a copy with its hub; undefined for a hub. `unknown`: no pass could compare them
 * yet, because the hub gives no digest, or the copy has not read to the end of the hub's log.
 */
export async function comparisonOf(
  reader: Pick<Reader, "events" | "unfolded">,
  binding: BindingRow,
) {
  if (binding.role !== "spoke") return undefined;
  const { hub_epoch: epoch } = binding;
  const row = epoch === null ? undefined : (await countedRow(reader, binding, epoch)).row;
  if (row?.compared_at == null) return { state: "unknown" } as const;
  const { compared_at, compared_through_event_id: through, unequal_passes } = row;
  return {
    state: unequal_passes === 0 ? "equal" : "different",
    compared_at,
    ...(through === null ? {} : { through_event_id: through }),
    unequal_passes,
  } as const;
}
