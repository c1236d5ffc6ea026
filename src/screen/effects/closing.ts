import { EVIDENCE_FIELDS, EVIDENCE_TYPES, isEvidenceType } from "../../contract/evidence.ts";
import { type Evidence, evidenceItems } from "../../shared/evidence.ts";
import type { Transport } from "../../shared/transport.ts";
import { type Closing, QUICK, type Write } from "../writes/writes.ts";

/**
 * The body of a close request. A close without message and evidence needs the source `tui`, which the daemon accepts
 * only from the owner of the machine.
 */
export function closeRequest(
  { reason, message, evidence }: Closing,
  actor: string,
  guarded: boolean,
) {
  const isQuick = message === undefined && evidence.length === 0;
  return {
    reason,
    message,
    evidence: evidence.length === 0 ? undefined : evidenceItems(inOrder(evidence)),
    source: isQuick ? ("tui" as const) : undefined,
    retry_protocol: guarded ? ("close-v1" as const) : undefined,
    actor,
  };
}

/** Sorts the evidence by type, as `svc close` does. */
function inOrder(evidence: readonly Evidence[]): readonly Evidence[] {
  return EVIDENCE_TYPES.flatMap((type) => evidence.filter((one) => one.type === type));
}

/** How the issue was closed last, so that undoing a reopen closes it in the same way. */
export async function lastClose(
  daemon: Transport,
  { at }: Extract<Write, { act: "reopen" }>,
): Promise<Closing> {
  const query = { issue: [at.uid], type: ["issue.closed"], limit: 1000 };
  const { events } = await daemon.call("pollEvents", { query });
  const payload = events.findLast(({ issue_uid }) => issue_uid === at.uid)?.payload;
  if (payload === undefined) return QUICK;
  const { reason, message, evidence } = payload as Partial<Closing>;
  return {
    reason,
    message: message === "" ? undefined : message,
    evidence: (evidence ?? []).flatMap(givenAs),
  };
}

function givenAs(item: { readonly type: string }): readonly Evidence[] {
  const { type } = item;
  if (!isEvidenceType(type)) return [];
  const value = (item as Readonly<Record<string, unknown>>)[EVIDENCE_FIELDS[type]];
  return [value].flat().map((one) => ({ type, value: String(one) }));
}
