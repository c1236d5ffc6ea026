import type { HybridClock } from "../order.ts";
import type { Row } from "../tables/tables.ts";
import type { PushedEvent } from "./pushed.ts";

/**
 * If its enrollment permits it, a spoke may once hand over to the hub a project that it had before. It sends the issues
 * as snapshots with their authors, in as many requests as it needs (docs/contract/federation.md#73-what-a-hub-accepts).
 */

/** What the enrollment says about the adoption. */
export type AdoptionGrant = Pick<
  Row<"federation_enrollment">,
  | "allow_adoption_snapshot_authors"
  | "adoption_baseline_open"
  | "adoption_baseline_next_source_event_id"
  | "adoption_baseline_end_source_event_id"
>;

/** The fields of a request that is a part of an adoption. */
export interface AdoptionMarker {
  readonly adoption_baseline: "open" | "complete";
  /** The `event_id` of the last event of the last part. */
  readonly end: number;
}

export type AdoptedEvent = PushedEvent & HybridClock & { readonly event_id: number };

interface Batch {
  readonly events: readonly AdoptedEvent[];
  /** How many of the events the hub does not have. */
  readonly fresh: number;
  readonly marker: AdoptionMarker | undefined;
  /** The clock of the previous part; `undefined` before the first part. */
  readonly lastClock: HybridClock | undefined;
}

export type AdoptionStep =
  /** `grant`: the batch may be added, and the enrollment then gets these values. `refused`: the reason. */
  { readonly grant: AdoptionGrant } | { readonly refused: string };

/** Whether a quarantined batch of a copy is a part of the adoption of its project. */
export function isOfAdoption(
  { first_event_id }: Pick<Row<"federation_quarantine">, "first_event_id">,
  binding: Pick<Row<"federation_binding">, "adopted_through_event_id"> | undefined,
): boolean {
  return first_event_id <= (binding?.adopted_through_event_id ?? 0);
}

/**
 * Returns a hint for a person whose hub refused a part of an adoption. `retry` is the command that sends the part
 * again.
 */
export function adoptionHint(retry: string): string {
  return `let the hub permit it (svc federation enroll --adopt-existing there), join with that token, then ${retry}; or end the copying: svc federation leave`;
}

/** Whether the events may name other authors than the actor of the enrollment. */
export function permitsAuthors({
  allow_adoption_snapshot_authors: permits,
}: AdoptionGrant): boolean {
  return permits === 1;
}

/**
 * Decides whether the batch fits the adoption that the enrollment permits, and what the enrollment permits afterwards.
 * If the hub has all events of the batch, the batch is a repetition and changes nothing.
 */
export function adoptionStep(grant: AdoptionGrant, batch: Batch): AdoptionStep {
  const { marker, fresh, events } = batch;
  if (fresh === 0) return { grant };
  if (marker === undefined) return stepWithoutMarker(grant, events);
  if (!permitsAuthors(grant)) return { refused: "the enrollment permits no adoption, or no more" };
  const refused = misfit(grant, events, marker) ?? misshapen(batch, isFirst(grant));
  if (refused !== undefined) return { refused };
  const isOpen = marker.adoption_baseline === "open";
  return {
    grant: {
      allow_adoption_snapshot_authors: isOpen ? 1 : 0,
      adoption_baseline_open: isOpen ? 1 : 0,
      adoption_baseline_next_source_event_id: lastId(events) + 1,
      adoption_baseline_end_source_event_id: marker.end,
    },
  };
}

/**
 * Decides about a batch without a marker. A batch with snapshots of issues is the whole adoption, which ends with this
 * batch. A batch without snapshots changes nothing. While an adoption in parts is unfinished, both are refused.
 */
function stepWithoutMarker(grant: AdoptionGrant, events: readonly PushedEvent[]): AdoptionStep {
  if (grant.adoption_baseline_open === 1)
    return { refused: "an adoption has begun, and the request is no part of it" };
  const isBaseline = events.some(({ type }) => type === "issue.snapshot");
  return { grant: isBaseline ? { ...grant, allow_adoption_snapshot_authors: 0 } : grant };
}

function isFirst({ adoption_baseline_open: isOpen }: AdoptionGrant): boolean {
  return isOpen === 0;
}

/** Returns why the batch is not the next part of the adoption, or `undefined` if it is. */
function misfit(
  grant: AdoptionGrant,
  events: readonly AdoptedEvent[],
  { adoption_baseline, end }: AdoptionMarker,
): string | undefined {
  const first = events[0]?.event_id ?? 0;
  const next = isFirst(grant) ? first : grant.adoption_baseline_next_source_event_id;
  if (first !== next) return `the next part begins with event_id ${next}`;
  if (!isFirst(grant) && end !== grant.adoption_baseline_end_source_event_id)
    return `the adoption ends with event_id ${grant.adoption_baseline_end_source_event_id}`;
  const last = lastId(events);
  if (adoption_baseline === "open" && last >= end)
    return "a part that is not the last one ends before adoption_baseline_end_event_id";
  if (adoption_baseline === "complete" && last !== end)
    return "the last part ends with adoption_baseline_end_event_id";
  return undefined;
}

/**
 * Returns why the events are no part of an adoption, or `undefined` if they are. The first event of the first part may
 * be the metadata of the project. All other events are snapshots of issues. All events have the same clock.
 */
function misshapen({ events, lastClock }: Batch, isFirstPart: boolean): string | undefined {
  const clock = lastClock !== undefined && !isFirstPart ? lastClock : events[0];
  for (const [at, event] of events.entries()) {
    if (event.event_id !== (events[0]?.event_id ?? 0) + at)
      return "the event_ids of a part of an adoption have no gaps";
    const mayBeMetadata = isFirstPart && at === 0 && event.type === "project.metadata_updated";
    if (event.type !== "issue.snapshot" && !mayBeMetadata)
      return `a part of an adoption has snapshots of issues, and not ${event.type}`;
    if (event.hlc_physical_ms !== clock?.hlc_physical_ms || event.hlc_counter !== clock.hlc_counter)
      return "the events of an adoption have one clock";
  }
  return undefined;
}

function lastId(events: readonly AdoptedEvent[]): number {
  return events.at(-1)?.event_id ?? 0;
}
