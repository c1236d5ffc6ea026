import type { StoredProject } from "../../store/types/rows.ts";
import type { BindingRow } from "./binding.ts";

/** The binding of a copy, as answers show it. */
export function bindingOut({ id }: Pick<StoredProject, "id">, binding: BindingRow) {
  return {
    project_id: id,
    role: binding.role,
    hub_url: binding.hub_url ?? "",
    hub_project_id: binding.hub_project_id ?? 0,
    hub_project_uid: binding.hub_project_uid ?? "",
    replay_horizon_event_id: binding.replay_horizon_event_id,
    pull_cursor_event_id: binding.pull_cursor_event_id,
    push_enabled: binding.push_enabled === 1,
    ...(binding.pushes_once_read === 1 ? { pushes_once_read: true as const } : {}),
    push_cursor_event_id: binding.push_cursor_event_id,
    ...(binding.bound_actor === null ? {} : { actor: binding.bound_actor }),
    allow_insecure: binding.allow_insecure === 1,
    enabled: binding.enabled === 1,
    created_at: binding.created_at,
    updated_at: binding.updated_at,
    ...(binding.last_sync_at === null ? {} : { last_sync_at: binding.last_sync_at }),
  };
}
