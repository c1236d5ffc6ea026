import { sql } from "kysely";
import { SvcError } from "../../contract/errors.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { Lifecycle } from "../../domain/tables/table.ts";
import { eachTable, type TableName } from "../../domain/tables/tables.ts";
import { type Connection, rowsOf } from "../connection.ts";

/*
 * This file handles rows that belong to a project but are not folded from its events. When an event or a purge moves
 * issues to another project or deletes them, these rows move along, are deleted, or forbid the change, as the
 * description of their table says (`Lifecycle`).
 */

interface OfProject {
  readonly table: TableName;
  /** The column with the uid of the project. */
  readonly column: string;
  readonly key: readonly string[];
  readonly lifecycle: Lifecycle;
}

const TABLES_OF_PROJECTS: readonly OfProject[] = eachTable().flatMap(
  ([table, { belongs, key, lifecycle }]) =>
    lifecycle !== undefined && "project" in belongs
      ? [{ table, column: belongs.project, key, lifecycle }]
      : [],
);

/** Throws the error code of a table whose rows forbid the event. */
export async function requireAllowed(connection: Connection, event: StoredEvent): Promise<void> {
  if (event.type === "project.merged") {
    const { source_uid } = event.payload;
    await refuse(connection, "merge", source_uid, event.project_uid);
  } else if (event.type === "issue.moved") {
    const { from_project_uid, to_project_uid } = event.payload;
    await refuse(connection, "move", from_project_uid, to_project_uid);
  }
}

/**
 * Throws the error code of a table whose rows forbid a purge of the project. Rows that do not forbid the purge are
 * deleted by the purge itself.
 */
export async function requirePurgeable(connection: Connection, project: string): Promise<void> {
  await refuse(connection, "purge", project);
}

async function refuse(
  connection: Connection,
  change: "merge" | "move" | "purge",
  project: string,
  other?: string,
): Promise<void> {
  for (const { table, column, lifecycle } of TABLES_OF_PROJECTS) {
    const rule = lifecycle[change];
    if (typeof rule === "string") continue;
    const judged =
      other !== undefined && rule.eitherProject === true ? [project, other] : [project];
    for (const project_uid of judged) {
      const rows = await rowsOf(
        connection,
        sql`select 1 as one from ${sql.table(table)} where ${sql.ref(column)} = ${project_uid} limit 1`,
      );
      if (rows.length > 0) throw new SvcError(rule.refuse, { project_uid });
    }
  }
}

/** Moves the rows of the merged project to the target project, or deletes them. */
export async function mergeRowsOfProject(
  connection: Connection,
  source: string,
  target: string,
): Promise<void> {
  for (const ofProject of TABLES_OF_PROJECTS) {
    const { table, column, lifecycle } = ofProject;
    const [name, owner] = [sql.table(table), sql.ref(column)];
    if (lifecycle.merge === "delete")
      await rowsOf(connection, sql`delete from ${name} where ${owner} = ${source}`);
    if (lifecycle.merge !== "along") continue;
    await deleteRowsWithSameKey(connection, ofProject, { source, target });
    await rowsOf(
      connection,
      sql`update ${name} set ${owner} = ${target} where ${owner} = ${source}`,
    );
  }
}

/** Deletes each row of the source project whose key a row of the target project already has. */
async function deleteRowsWithSameKey(
  connection: Connection,
  { table, column, key }: OfProject,
  { source, target }: { readonly source: string; readonly target: string },
): Promise<void> {
  if (!key.includes(column)) return;
  const name = sql.table(table);
  const isTwin = key.map((part) =>
    part === column
      ? sql`twin.${sql.ref(part)} = ${target}`
      : sql`twin.${sql.ref(part)} = ${name}.${sql.ref(part)}`,
  );
  await rowsOf(
    connection,
    sql`delete from ${name} where ${sql.ref(column)} = ${source}
      and exists (select 1 from ${name} as twin where ${sql.join(isTwin, sql` and `)})`,
  );
}

/**
 * Returns the column values that replace those of an export when its rows are restored. `newInstance` is true if the
 * database keeps or gets its own identity instead of the identity in the file.
 */
export function restoredValues(table: TableName, newInstance: boolean): object {
  const { restored, ofNewInstance } = RESTORED.get(table) ?? {};
  return { ...restored, ...(newInstance ? ofNewInstance : {}) };
}

interface RestoredValues {
  readonly restored: object;
  readonly ofNewInstance: object;
}

const RESTORED: ReadonlyMap<TableName, RestoredValues> = new Map(
  eachTable().flatMap(([table, { lifecycle }]) => {
    if (lifecycle === undefined) return [];
    const { restore, newInstance } = lifecycle;
    const restored = typeof restore === "object" ? restore.set : {};
    return [[table, { restored, ofNewInstance: newInstance?.set ?? {} }]];
  }),
);
