import type { Reader } from "../../store/types/store.ts";
import type { BindingRow } from "./binding.ts";

/**
 * Why a copy may not be cleared (docs/contract/federation.md#74-beginning-anew): its hub refused a batch about which
 * nobody has decided yet, or has yet to get events of this daemon. Undefined for a copy that only reads.
 */
export async function resetBlocker(
  { federation }: Pick<Reader, "federation">,
  binding: BindingRow,
): Promise<"quarantine" | "pending_push" | undefined> {
  if (binding.role !== "spoke" || binding.push_enabled === 0) return undefined;
  if ((await federation.activeQuarantine(binding.project_uid)) !== undefined) return "quarantine";
  const first = await federation.firstUnsentAt(unsentRange(binding));
  return first === undefined ? undefined : "pending_push";
}

/** The events of a copy that its hub has yet to get. Those that the hub has accepted but not sent back do not count. */
function unsentRange({ project_uid, push_cursor_event_id }: BindingRow) {
  return { project: project_uid, after: push_cursor_event_id };
}
