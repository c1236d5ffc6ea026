import type { enableProjectFederation } from "../../contract/federation.ts";
import type { Output } from "../../contract/route.ts";

type Metadata = Output<typeof enableProjectFederation>;

/**
 * The form of what a copy sends back to its hub in a header: the epoch and the chain of the hub's log, and the stamp.
 */
const HEADER_TEXT = /^[!-~]{1,200}$/;

/** Whether the text can be stored, and sent back in a header: printable ASCII without spaces. */
export function isHeaderText(text: string): boolean {
  return HEADER_TEXT.test(text);
}

/** Whether a copy can begin where the metadata says: the baseline is in the hub's log. */
export function isUsableMetadata(metadata: Metadata): boolean {
  const { replay_horizon_event_id: from, baseline_through_event_id: through } = metadata;
  const { last_event_id, epoch, chain } = metadata;
  const isInLog = 1 <= from && from <= through && through <= last_event_id;
  return isInLog && isHeaderText(epoch) && (chain === undefined || isHeaderText(chain));
}
