import { isPlainObject, type JsonObject } from "../../base/json.ts";

/**
 * The parent of the issues that a native job creates; `null` for every other job
 * (docs/contract/cron-and-inbox.md#28-native-jobs).
 */
export function nativeParentOf({ action, issue }: JsonObject): string | null {
  if (!isPlainObject(action) || action["kind"] !== "notify") return null;
  if (!isPlainObject(issue) || issue["kind"] !== "per-run") return null;
  const { parent_uid } = issue;
  return typeof parent_uid === "string" ? parent_uid : null;
}
