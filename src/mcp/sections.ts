/**
 * The sections of the tool catalogue and their tools, in the order of docs/contract/tools.md#8-tools. Clients see the
 * tools of a section after one of them has called `svc.load_<section>`.
 */
export const SECTIONS = {
  issue_discovery: ["search", "list", "show", "ready", "next", "labels", "graph"],
  issue_mutation: [
    "create",
    "edit",
    "comment",
    "edit_comment",
    "claim",
    "set_label",
    "set_metadata",
    "set_schedule",
    "set_deadline",
    "move",
  ],
  issue_lifecycle: ["close", "reopen", "delete", "restore", "purge", "wait", "audit_closes"],
  leases: ["lease_status", "lease", "lease_force_release", "lease_steal"],
  projects: [
    "projects",
    "project_create",
    "project_update",
    "project_merge",
    "project_remove",
    "project_restore",
    "project_purge",
  ],
  tokens: ["tokens", "token_create", "token_revoke"],
  system: ["system"],
  federation: [
    "federation_status",
    "federation_enrollment_revoke",
    "federation_rebind",
    "federation_leave",
    "federation_quarantine",
  ],
  sync: ["sync_status", "sync_update", "sync_once"],
  recurrence: ["recurrences", "recurrence_update", "recurrence_delete"],
  activity: ["digest", "events"],
  import: ["import_issues"],
  external_roots: [
    "connectors",
    "connector_fields",
    "connector_field_map",
    "connector_field_unmap",
    "bridge_bind",
    "bridge_show",
    "bridge_reconcile",
    "bridge_pause",
    "bridge_resume",
    "bridge_resolve_field",
    "bridge_resolve_comment",
    "bridge_unbind",
  ],
  storage: ["storage_export", "storage_import"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Section = keyof typeof SECTIONS;

export const SECTION_NAMES = Object.keys(SECTIONS) as readonly Section[];

export function toolNames(section: Section): readonly string[] {
  return SECTIONS[section].map((name) => `svc.${name}`);
}

export function loaderName(section: Section): string {
  return `svc.load_${section}`;
}
