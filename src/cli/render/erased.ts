import type { purgeIssue } from "../../contract/removal.ts";
import type { Output } from "../../contract/route.ts";

/**
 * What a purge says of the bytes, after what it did. Nothing that svc can reach holds a copy but what the user made:
 * that is said each time.
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
