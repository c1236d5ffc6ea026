import { canonicalJson } from "../../base/json.ts";
import type { RecurrenceRow } from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import { nextId } from "../migrate.ts";
import { statement } from "../statement.ts";

/** A template as its table holds it. */
export function templateTexts({ template_labels, template_metadata }: RecurrenceRow) {
  return {
    template_labels: canonicalJson(template_labels),
    template_metadata: canonicalJson(template_metadata),
  };
}

export async function putRecurrence(connection: Connection, row: RecurrenceRow): Promise<void> {
  const values = { ...row, ...templateTexts(row) };
  if ((await updateRecurrence.run(connection, values)) === 0)
    await insertRecurrence.run(connection, values);
}

type RecurrenceValues = Omit<RecurrenceRow, "template_labels" | "template_metadata"> &
  ReturnType<typeof templateTexts>;

const insertRecurrence = statement((db, p: RecurrenceValues) =>
  db.insertInto("recurrence").values({
    id: nextId("recurrence"),
    uid: p.uid,
    author: p.author,
    created_at: p.created_at,
    ...recurrenceValues(p),
  }),
);

const updateRecurrence = statement((db, p: RecurrenceValues) =>
  db.updateTable("recurrence").set(recurrenceValues(p)).where("uid", "=", p.uid),
);

function recurrenceValues(p: RecurrenceValues) {
  return {
    project_uid: p.project_uid,
    rrule: p.rrule,
    dtstart: p.dtstart,
    timezone: p.timezone,
    template_title: p.template_title,
    template_body: p.template_body,
    template_owner: p.template_owner,
    template_priority: p.template_priority,
    template_labels: p.template_labels,
    template_metadata: p.template_metadata,
    next_occurrence_key: p.next_occurrence_key,
    last_materialized_uid: p.last_materialized_uid,
    revision: p.revision,
    updated_at: p.updated_at,
    deleted_at: p.deleted_at,
  };
}
