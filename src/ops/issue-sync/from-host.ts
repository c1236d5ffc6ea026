import type { JsonValue } from "../../base/json.ts";
import type { Tx } from "../../store/types/store.ts";
import { readKnown } from "../imports/known.ts";

/**
 * Whether a field of an issue, such as `parent` or `label.bug`, has the value that the code host gave it when it was
 * read last. If such a value is removed here, it comes back when the issue next changes on the host. The value may also
 * have come from a file of the same repository, before the project was bound to it. Reads the log of the issue, if the
 * issue is synced.
 */
export async function isFromHost(
  tx: Tx,
  issueUid: string,
  field: string,
  value: JsonValue,
): Promise<boolean> {
  const synced = (await tx.marks.syncedIssues([issueUid])).get(issueUid);
  if (synced === undefined) return false;
  const known = (await readKnown(tx, synced.source, [issueUid])).get(issueUid);
  return known?.imported.base.get(field) === value;
}
