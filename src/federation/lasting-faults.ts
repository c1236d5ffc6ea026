import type { OutgoingFaultKind } from "../outgoing/fault.ts";

/**
 * Kinds of faults that do not go away by themselves, because they show that the answer does not come from a hub of this
 * contract.
 */
export const LASTING_FAULTS: ReadonlySet<OutgoingFaultKind> = new Set([
  "too_large",
  "unreadable",
  "elsewhere",
]);
