import type { purgeIssue } from "../../contract/removal.ts";
import type { Output } from "../../contract/route.ts";

/**
 * What a purge prints about the erased data. It always mentions the user's own backups and exports, from which svc
 * cannot erase anything.
 */
export function erasedLines({
  erased,
  erasure,
}: Pick<Output<typeof purgeIssue>, "erased" | "erasure">): readonly string[] {
  return [
    ...(erased === false && erasure !== undefined ? [`not erased yet: ${erasure}`] : []),
    "Backups, exports and copies of the database (svc.db.before-…, svc_before_schema_…) made before still hold it: delete those that need not be kept.",
  ];
}
