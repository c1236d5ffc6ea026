import { loaderName, SECTION_NAMES } from "../../src/mcp/sections.ts";

type Json = Readonly<Record<string, unknown>>;

/** The last answer of each tool that was called earlier, by the tool's name without `svc.`. */
export type Answers = ReadonlyMap<string, Json>;

export interface ToolCall {
  readonly name: string;
  args(answers: Answers): Json;
  /** True while no daemon has the routes of this tool. The daemon then refuses calls of the tool. */
  readonly isPlanned: boolean;
}

const ISSUE = { project: "web" };
const DONE = {
  reason: "done",
  message: "The parser reads empty files, and a test holds it to that.",
  evidence: [{ type: "commit", sha: "1f2e3d4" }],
};
const AT = "2026-01-01T00:00:00Z";
const ITEM = { author: "zoe", status: "open", created_at: AT, updated_at: AT };

/**
 * Calls of all tools, also of all loaders, which add the tools of a section. Earlier calls create the data that later
 * calls need.
 */
export const TOOL_CALLS: readonly ToolCall[] = [
  ...SECTION_NAMES.map((section) => call(loaderName(section))),
  callOf("project_create", { name: "api" }),
  callOf("project_create", { name: "spare" }),
  callOf("create", { ...ISSUE, title: "The one that moves", idempotency_key: "k1" }),
  callOf("move", ({ create }) => ({ ref: refOf(create), to_project: "api" })),
  callOf("create", { ...ISSUE, title: "The one that is purged", idempotency_key: "k2" }),
  onIssue("close", DONE),
  callOf("audit_closes", ISSUE),
  onIssue("reopen"),
  callOf("delete", ({ create }) => ({ ref: refOf(create), confirm: `DELETE ${refOf(create)}` })),
  onIssue("restore"),
  callOf("purge", ({ create }) => ({ ref: refOf(create), confirm: `PURGE ${refOf(create)}` })),
  callOf("create", { ...ISSUE, title: "The one that stays", idempotency_key: "k3" }),
  onIssue("edit", { priority: 1, body: "Read empty files." }),
  onIssue("comment", { body: "I look at it.", idempotency_key: "c1" }),
  callOf("edit_comment", ({ create, comment }) => ({
    ref: refOf(create),
    comment_ref: memberOf(comment, "comment", "uid"),
    body: "I look at it today.",
  })),
  onIssue("claim"),
  onIssue("set_label", { label: "bug", present: true }),
  onIssue("set_metadata", { patch: { area: "parser" } }),
  onIssue("set_schedule", { schedule: "2030-01-02" }),
  onIssue("set_schedule", { clear_schedule: true }),
  onIssue("set_deadline", { deadline: "2030-01-09" }),
  callOf("search", { query: "stays" }),
  callOf("list", { limit: 5 }),
  onIssue("show"),
  callOf("ready", {}),
  callOf("next", {}),
  callOf("labels", {}),
  onIssue("graph"),
  callOf("wait", ({ create }) => ({ refs: [refOf(create)], status: "open", timeout_seconds: 1 })),
  onIssue("lease_status"),
  onIssue("lease", { action: "acquire", ttl_seconds: 60 }),
  onIssue("lease_force_release", { reason: "the holder is gone" }),
  onIssue("lease_steal", { reason: "the holder is gone" }),
  callOf("projects", {}),
  callOf("project_update", { project: "spare", action: "rename", name: "sparer" }),
  callOf("project_remove", { project: "sparer" }),
  callOf("project_restore", { project: "sparer" }),
  callOf("project_merge", { source: "sparer", target: "api" }),
  callOf("project_create", { name: "gone" }),
  callOf("project_remove", { project: "gone" }),
  callOf("project_purge", { project: "gone", confirm: "PURGE gone" }),
  callOf("token_create", { token_actor: "bot" }),
  callOf("tokens", {}),
  callOf("token_revoke", ({ token_create }) => ({ id: memberOf(token_create, "record", "id") })),
  callOf("system", {}),
  plannedCall("federation_status", {}),
  plannedCall("federation_enrollment_revoke", { id: 1 }),
  plannedCall("federation_rebind", { project: "web", hub_catalog: "hub" }),
  plannedCall("federation_leave", { project: "web", phase: "preflight" }),
  plannedCall("federation_quarantine", {
    project: "web",
    id: 7,
    action: "skip",
    confirm: "SKIP FEDERATION BATCH 7",
  }),
  plannedCall("sync_status", ISSUE),
  plannedCall("sync_update", { ...ISSUE, action: "disable" }),
  plannedCall("sync_once", ISSUE),
  callOf("recurrence_update", {
    ...ISSUE,
    action: "create",
    rrule: "FREQ=WEEKLY",
    dtstart: "2030-01-01",
    timezone: "UTC",
    template: { title: "Weekly", priority: 2 },
  }),
  callOf("recurrences", ISSUE),
  callOf("recurrence_delete", ({ recurrence_update: made }) => ({
    ...ISSUE,
    uid: memberOf(made, "recurrence", "uid"),
    revision: memberOf(made, "recurrence", "revision"),
  })),
  callOf("digest", { since: "1d" }),
  callOf("events", { limit: 5 }),
  callOf("import_issues", {
    ...ISSUE,
    source: "old",
    items: [{ external_id: "A-1", title: "An older issue", ...ITEM }],
  }),
  callOf("connectors", {}),
  plannedCall("connector_fields", { instance: "one" }),
  plannedCall("connector_field_map", {
    instance: "one",
    svc_field: "deadline_on",
    external_field: "due",
  }),
  plannedCall("connector_field_unmap", { instance: "one", svc_field: "deadline_on" }),
  onPlanned("bridge_bind", { connector: "one", external: "A-1" }),
  onPlanned("bridge_show"),
  onPlanned("bridge_reconcile"),
  onPlanned("bridge_pause", { reason: "later" }),
  onPlanned("bridge_resume"),
  onPlanned("bridge_resolve_field", { svc_field: "deadline_on", use: "local" }),
  onPlanned("bridge_resolve_comment", { action: "skip" }),
  onPlanned("bridge_unbind"),
  callOf("storage_export", { artifact: "all.jsonl" }),
  callOf("storage_import", { artifact: "all.jsonl", target: "copy" }),
];

type Args = Json | ((answers: Readonly<Record<string, Json | undefined>>) => Json);

function call(name: string, args: Args = {}, isPlanned = false): ToolCall {
  const make = typeof args === "function" ? args : () => args;
  return { name, args: (answers) => make(Object.fromEntries(answers)), isPlanned };
}

function callOf(name: string, args: Args): ToolCall {
  return call(`svc.${name}`, args);
}

function plannedCall(name: string, args: Args): ToolCall {
  return call(`svc.${name}`, args, true);
}

function onIssue(name: string, more: Json = {}): ToolCall {
  return callOf(name, ({ create }) => ({ ref: refOf(create), ...more }));
}

function onPlanned(name: string, more: Json = {}): ToolCall {
  return plannedCall(name, ({ create }) => ({ ref: refOf(create), ...more }));
}

function refOf(created: Json | undefined): string {
  const issue = created?.["issue"] as { readonly qualified_ref: string } | undefined;
  return issue?.qualified_ref ?? "";
}

function memberOf(answer: Json | undefined, object: string, name: string): unknown {
  return (answer?.[object] as Json | undefined)?.[name];
}
