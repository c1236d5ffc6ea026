import { canonicalJson, type JsonObject } from "../base/json.ts";
import { SvcError } from "../contract/errors.ts";
import { eventInsert, writeHead } from "./append.ts";
import type { Backend } from "./backend.ts";
import { all, builder, type Connection } from "./connection.ts";
import { isDuplicate } from "./errors.ts";
import { nextId, writeMeta } from "./migrate.ts";
import { rebuildDerived } from "./rebuild.ts";
import type { Selected } from "./schema.ts";
import { statement } from "./statement.ts";
import { rebuildTexts } from "./text/write.ts";
import type { RestoreOptions, RestoreRow } from "./types.ts";

/** Writes rows and events as they are and derives the rest, all in one transaction. */
export async function restore(
  backend: Backend,
  rows: AsyncIterable<RestoreRow>,
  { renumber, instanceUid }: RestoreOptions,
  timezone: string,
): Promise<{ readonly skippedLinks: number }> {
  const connection = await backend.writer();
  await backend.begin(connection);
  try {
    if (!renumber) await requireEmpty(connection);
    let skippedLinks = 0;
    for await (const row of rows)
      if (!(await insertOnce(connection, row, renumber))) skippedLinks += 1;
    await setHead(connection);
    if (instanceUid !== undefined) await writeMeta(connection, "instance_uid", instanceUid);
    await rebuildDerived(connection, timezone);
    await rebuildTexts(connection);
    await connection.execute("commit", []);
    return { skippedLinks };
  } catch (error) {
    if (backend.inTransaction(connection)) await connection.execute("rollback", []);
    throw error;
  }
}

async function requireEmpty(connection: Connection): Promise<void> {
  const { rows } = await connection.execute(
    "select 1 from project union all select 1 from event limit 1",
    [],
  );
  if (rows.length > 0)
    throw new SvcError("conflict", {}, { message: "the database to restore into is not empty" });
}

/** A row that is there already is the file's fault or the target's, and refuses the whole of it. */
async function insertOnce(
  connection: Connection,
  row: RestoreRow,
  renumber: boolean,
): Promise<boolean> {
  try {
    return await insert(connection, row, renumber);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const name = "uid" in row.row ? `${row.table} ${row.row.uid}` : row.table;
    const message = `${name} is there already; nothing was written`;
    throw new SvcError("conflict", { table: row.table }, { message, cause: error });
  }
}

const UNDERIVED = {
  open_blockers: 0,
  open_children: 0,
  total_children: 0,
  parked: 0,
  held: 0,
  ready_from: null,
} as const;

/** Whether the row was written: a link is only when both of its ends are there. */
async function insert(
  connection: Connection,
  { table, row }: RestoreRow,
  renumber: boolean,
): Promise<boolean> {
  const db = builder(connection.dialect);
  switch (table) {
    case "project": {
      const values = {
        ...row,
        metadata: canonicalJson(row.metadata),
        open_issues: 0,
        closed_issues: 0,
      };
      await all(
        connection,
        db.insertInto("project").values({ ...values, id: renumber ? nextId("project") : row.id }),
      );
      return true;
    }
    case "issue": {
      const values = { ...row, metadata: canonicalJson(row.metadata), ...UNDERIVED };
      await all(
        connection,
        db.insertInto("issue").values({ ...values, id: renumber ? nextId("issue") : row.id }),
      );
      return true;
    }
    case "alias":
      await all(
        connection,
        db.insertInto("alias").values({ ...row, id: renumber ? nextId("alias") : row.id }),
      );
      return true;
    case "comment":
      await all(
        connection,
        db.insertInto("comment").values({ ...row, id: renumber ? nextId("comment") : row.id }),
      );
      return true;
    case "link":
      if ((await ends.all(connection, { from_uid: row.from_uid, to_uid: row.to_uid })).length < 2)
        return false;
      await all(
        connection,
        db.insertInto("link").values({ ...row, id: renumber ? nextId("link") : row.id }),
      );
      return true;
    case "label":
      await all(connection, db.insertInto("label").values(row));
      return true;
    case "import":
      await all(connection, db.insertInto("import").values(row));
      return true;
    case "idempotency":
      await all(connection, db.insertInto("idempotency").values(row));
      return true;
    case "event": {
      const { issue_uid = null, related_issue_uid = null } = row;
      const payload = canonicalJson(row.payload as unknown as JsonObject);
      const id = renumber ? (await lastEvent(connection)) + 1 : row.id;
      await eventInsert.run(connection, { ...row, id, issue_uid, related_issue_uid, payload });
      return true;
    }
  }
}

const ends = statement((db, p: { from_uid: string; to_uid: string }) =>
  db
    .selectFrom("issue")
    .select("uid")
    .where(({ or, eb }) => or([eb("uid", "=", p.from_uid), eb("uid", "=", p.to_uid)])),
);

/** The last event id, given or reserved by a purge. */
async function lastEvent(connection: Connection): Promise<number> {
  const [event, head] = [await newest.one(connection, {}), await headId.one(connection, {})];
  return Math.max(event?.id ?? 0, head?.last_event_id ?? 0);
}

const newest = statement((db, _p: Record<never, never>) =>
  db.selectFrom("event").select("id").orderBy("id", "desc").limit(1),
);
const headId = statement((db, _p: Record<never, never>) =>
  db.selectFrom("log_head").select("last_event_id"),
);

/** The log goes on after the last event, and its clock after the latest one seen. */
async function setHead(connection: Connection): Promise<void> {
  const db = builder(connection.dialect);
  const clocks = db.selectFrom("event").select(["hlc_physical_ms", "hlc_counter"]);
  const [clock]: readonly Pick<Selected<"event">, "hlc_physical_ms" | "hlc_counter">[] = await all(
    connection,
    clocks.orderBy("hlc_physical_ms", "desc").orderBy("hlc_counter", "desc").limit(1),
  );
  await writeHead.run(connection, {
    last_event_id: await lastEvent(connection),
    hlc_physical_ms: clock?.hlc_physical_ms ?? 0,
    hlc_counter: clock?.hlc_counter ?? 0,
  });
}
