import { SvcError } from "../../contract/errors.ts";
import type { AdmitFault } from "../types/store.ts";

type Named = { readonly uid: string };

/** The error for an event if the log has another event with the same uid. An event never changes. */
export function otherContent({ uid }: Named): SvcError {
  return refusal("conflict", "remote_event_conflict", uid, "another event has the same uid");
}

/**
 * The error for an event of this database that is missing here and is younger than the database's last join, reset or
 * restore.
 */
export function ownEventMissing({ uid }: Named, hub_event_id: number | undefined): SvcError {
  const message = `this database wrote event ${uid}, but does not have it: it was restored, or it is a copy`;
  return refusal("conflict", "own_event_missing", uid, message, { hub_event_id });
}

/** The error for an event whose clock is wrong. `aheadMs`: how far the clock is ahead of this machine's clock. */
export function clockAhead({ uid }: Named, aheadMs: number): SvcError {
  const hours = Math.floor(aheadMs / 3_600_000);
  const message = `event ${uid}: its clock is ${hours} hours ahead of this machine's; set the clocks of both machines right`;
  return refusal("unavailable", "clock_ahead", uid, message, { ahead_ms: aheadMs });
}

function refusal(
  code: "conflict" | "unavailable",
  fault: AdmitFault,
  event_uid: string,
  message: string,
  data: object = {},
): SvcError {
  return new SvcError(code, { fault, event_uid, ...data }, { message });
}
