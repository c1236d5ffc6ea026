import type { JsonObject } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import type { CronDefinitionRow, CronJobRow } from "../../domain/state.ts";
import type { StoredProject, WithId } from "../../store/types/rows.ts";

/** A job or a workflow; only a job can have a parent. */
export type StoredDefinition = WithId<CronDefinitionRow> & Partial<Pick<CronJobRow, "parent_uid">>;

/** The definition of a job or workflow, as answers contain it. */
export function definitionOut(row: StoredDefinition, project: StoredProject) {
  return {
    id: row.id,
    uid: row.uid,
    project_id: project.id,
    name: row.name,
    definition: inOrder(row.definition),
    definition_event_uid: row.definition_event_uid,
    definition_hlc: { ...row.definition_hlc },
    author: row.author,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...(row.deleted_at === null ? {} : { deleted_at: row.deleted_at }),
  };
}

/** The order in which the contract lists the members of a definition. Tables and the log store them sorted by name. */
const ORDER = (
  "version key kind enabled about input trigger action issue overlap catchup checkout_key grace_seconds " +
  "timeout_seconds secret_refs timezone cron interval_seconds at issue_uid lead_seconds prompt workflow_uid " +
  "recipient message uid parent_uid title body scheduled_offset_seconds deadline_offset_seconds steps command " +
  "after retries options"
).split(" ");

/** The adapter defines what these members contain, so their content is not reordered. */
const OPAQUE: ReadonlySet<string> = new Set(["options", "secret_refs"]);

function inOrder(document: JsonObject): JsonObject {
  const members = Object.entries(document).sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b));
  return Object.fromEntries(
    members.map(([name, value]) => {
      if (OPAQUE.has(name)) return [name, value];
      if (name === "steps" && Array.isArray(value))
        return [name, value.map((step: JsonObject) => inOrder(step))];
      const isPart = name === "trigger" || name === "action" || name === "issue";
      return [name, isPart ? inOrder(value as JsonObject) : value];
    }),
  );
}

export function conflictError(
  what: "job" | "workflow",
  message: string,
  current?: object,
): SvcError {
  const hint = `read it again: svc cron ${what} show`;
  const data = current === undefined ? {} : { current };
  return new SvcError("cron_conflict", data, { message, hint });
}
