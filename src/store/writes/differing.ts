import { type Connection, together, type Value } from "../connection.ts";
import { updateMany } from "../many-rows.ts";
import { type Statement, statement } from "../statement.ts";

type Row = { readonly [column: string]: Value } & { readonly uid: string };

/** Sets the columns that differ and no other: an index whose columns stay is not touched. */
export async function updateDiffering(
  connection: Connection,
  table: "issue" | "project",
  before: object,
  after: Row,
): Promise<void> {
  const columns = differing(before, after);
  if (columns.length > 0) await updateOf(table, columns).run(connection, after);
}

/**
 * Like `updateDiffering`, for many rows. On PostgreSQL one statement changes all rows in which the same columns differ.
 */
export async function updateAllDiffering(
  connection: Connection,
  table: "issue" | "project",
  updates: readonly { readonly before: object; readonly after: object }[],
): Promise<void> {
  const groups = new Map<string, { readonly columns: readonly string[]; readonly rows: Row[] }>();
  for (const { before, after } of updates) {
    const row = after as Row;
    const columns = differing(before, row);
    const name = columns.join(" ");
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { columns, rows: [row] });
    else group.rows.push(row);
  }
  groups.delete("");
  await together(
    connection,
    [...groups.values()].map(({ columns, rows }) => async () => {
      if (connection.dialect === "postgres" && rows.length > 1)
        return await updateMany(connection, table, { key: ["uid"], columns }, rows);
      const one = updateOf(table, columns);
      await together(
        connection,
        rows.map((row) => async () => await one.run(connection, row)),
      );
    }),
  );
}

function differing(before: object, after: Row): readonly string[] {
  const old = before as Row;
  return Object.keys(after).filter((column) => after[column] !== old[column]);
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
