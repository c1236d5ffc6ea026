import { SvcError } from "../../contract/errors.ts";
import type { ingestFederationProjectEvents as contract } from "../../contract/federation-transport.ts";
import type { Input } from "../../contract/route.ts";
import { type AdoptionMarker, adoptionStep } from "../../domain/federation/adoption.ts";
import type { EnrollmentRow } from "../../store/types/federation.ts";
import type { Tx } from "../../store/types/store.ts";
import type { ReceivedEvent } from "./pushed-events.ts";

/**
 * Returns the two fields that make a request a part of an adoption; undefined if the request has neither. Throws
 * `invalid_adoption_baseline` if it has only one of them.
 */
export function markerOf({
  adoption_baseline,
  adoption_baseline_end_event_id: end,
}: Input<typeof contract>["body"]): AdoptionMarker | undefined {
  if (adoption_baseline !== undefined && end !== undefined) return { adoption_baseline, end };
  if (adoption_baseline === undefined && end === undefined) return undefined;
  const message = "adoption_baseline and adoption_baseline_end_event_id belong together";
  throw new SvcError("invalid_adoption_baseline", {}, { message });
}

interface Part {
  readonly events: readonly ReceivedEvent[];
  /** The number of these events that the hub does not have yet. */
  readonly fresh: number;
  readonly marker: AdoptionMarker | undefined;
}

/**
 * Checks that the request fits the adoption that the enrollment permits, and stores how far the adoption has come
 * (docs/contract/federation.md#73-what-a-hub-accepts). Called in the transaction that adds the events.
 */
export async function takeAdoptionPart(
  tx: Tx,
  enrollment: EnrollmentRow,
  part: Part,
): Promise<void> {
  const lastClock =
    enrollment.adoption_baseline_open === 1
      ? await tx.federation.lastClockFrom(
          enrollment.spoke_instance_uid,
          enrollment.project_uid ?? "",
        )
      : undefined;
  const step = adoptionStep(enrollment, { ...part, lastClock });
  if ("refused" in step)
    throw new SvcError("invalid_adoption_baseline", {}, { message: step.refused });
  const isSame = Object.entries(step.grant).every(
    ([name, value]) => enrollment[name as keyof typeof step.grant] === value,
  );
  if (isSame) return;
  await tx.unfolded.put("federation_enrollment", {
    ...enrollment,
    ...step.grant,
    updated_at: tx.now,
  });
}
