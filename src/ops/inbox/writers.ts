import { type SlotWrite, slotChange } from "../../domain/inbox/request.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";

/**
 * Returns, for each issue, the event that wrote its request. An issue is left out if that event is no longer in the log
 * because its project was purged.
 */
export async function slotWriters(
  reader: Pick<Reader, "inbox">,
  issues: readonly Pick<StoredIssue, "uid">[],
  key: string,
): Promise<ReadonlyMap<string, SlotWrite>> {
  const writers = new Map<string, SlotWrite>();
  const uids = issues.map(({ uid }) => uid);
  if (uids.length === 0) return writers;
  for (const event of await reader.inbox.lastNaming(uids, key)) {
    const uid = event.issue_uid ?? "";
    const writer = fillsSlot(event, key)
      ? event
      : (await reader.inbox.naming(uid, key)).find((earlier) => fillsSlot(earlier, key));
    if (writer !== undefined) writers.set(uid, writer);
  }
  return writers;
}

function fillsSlot(event: SlotWrite, key: string): boolean {
  const to = slotChange(event, key)?.to;
  return to !== undefined && to !== null;
}
