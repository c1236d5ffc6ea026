import { z } from "zod";
import type { getIssueSyncStatus } from "../../../contract/issue-sync.ts";
import type { Output } from "../../../contract/route.ts";
import { ProjectIdentity } from "../../objects.ts";

/**
 * The connection of a project to another tracker, without its configuration
 * (docs/contract/tools.md#88-sync-recurrence-activity-import).
 */
export const binding = {
  project: ProjectIdentity,
  binding: z
    .strictObject({
      id: z.int(),
      project_id: z.int(),
      provider: z.string(),
      source_key: z.string(),
      remote_id: z.string(),
      display_name: z.string(),
      enabled: z.boolean(),
      interval_seconds: z.int(),
    })
    .optional(),
  status: z.record(z.string(), z.unknown()),
};

type SyncStatus = Output<typeof getIssueSyncStatus>;

/** Returns a binding in the form for clients: without its config, which a tool does not need. */
export function bindingOf({ binding: bound, status }: Pick<SyncStatus, "binding" | "status">) {
  if (bound === undefined) return { status };
  const { id, project_id, provider, source_key, remote_id, display_name } = bound;
  const { enabled, interval_seconds } = bound;
  const names = { id, project_id, provider, source_key, remote_id, display_name };
  return { binding: { ...names, enabled, interval_seconds }, status };
}
