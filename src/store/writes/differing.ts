import type { Connection, Value } from "../connection.ts";
import { type Statement, statement } from "../statement.ts";

type Row = { readonly [column: string]: Value } & { readonly uid: string };

/** Sets the columns that differ and no other: an index whose columns stay is not touched. */
export async function updateDiffering(
  connection: Connection,
  table: "issue" | "project",
  before: object,
  after: Row,
): Promise<void> {
  const old = before as Row;
  const columns = Object.keys(after).filter((column) => after[column] !== old[column]);
  if (columns.length > 0) await updateOf(table, columns).run(connection, after);
}

const updates = new Map<string, Statement<Row, never>>();

function updateOf(table: "issue" | "project", columns: readonly string[]): Statement<Row, never> {
  const key = `${table} ${columns.join(" ")}`;
  let found = updates.get(key);
  if (found === undefined) {
    found = statement<Row, never>((db, p) => {
      const query = db
        .updateTable(table)
        .set(Object.fromEntries(columns.map((column) => [column, p[column]])));
      return query.where("uid", "=", p.uid) as never;
    });
    updates.set(key, found);
  }
  return found;
}
