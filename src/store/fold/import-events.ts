import { sql } from "kysely";
import { slicesById } from "../../base/slices.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { UndoMark } from "../../domain/drafts/draft.ts";
import { batchOf, isNote } from "../../domain/imports/base.ts";
import type { import_event } from "../../domain/tables/log.ts";
import type { RowOf } from "../../domain/tables/table.ts";
import { undoMarkOf } from "../../domain/undo/plan.ts";
import type { Connection } from "../connection.ts";
import { existingIssues } from "../load/statements.ts";
import { eventStatement } from "../repos/statements.ts";
import { insertion } from "../rows/insertion.ts";
import { isIn, statement } from "../rows/statement.ts";

type Noted = RowOf<typeof import_event>;

/**
 * Records the events that an import wrote, and the events that undid or redid them, so that both can be found by the
 * import's uid (`batch_uid`).
 */
export async function noteImport(
  connection: Connection,
  event: StoredEvent,
  existing: ReadonlySet<string>,
): Promise<void> {
  // The history of a purged issue cannot be read, so its events are not recorded.
  const noted = await importEventsOf(connection, event);
  await importEvent.run(
    connection,
    noted.filter(({ issue_uid }) => issue_uid !== event.issue_uid || existing.has(issue_uid)),
  );
}

export async function noteNewIssues(
  connection: Connection,
  events: readonly StoredEvent[],
): Promise<void> {
  await importEvent.run(connection, events.flatMap(ownNote));
}

const importEvent = insertion("import_event", { rank: 3 });

async function importEventsOf(
  connection: Connection,
  event: StoredEvent,
): Promise<readonly Noted[]> {
  const { id: event_id, issue_uid } = event;
  if (issue_uid === undefined) return [];
  const own = ownNote(event);
  if (own.length > 0) return own;
  const mark = undoMarkOf(event);
  if (mark?.import === undefined) return [];
  const batch_uid = mark.import;
  const kind = mark.again === true ? "redone" : "undone";
  const issues = await issuesOf(connection, event, batch_uid, mark);
  return issues.map((uid) => ({ batch_uid, issue_uid: uid, event_id, kind }));
}

function ownNote(event: StoredEvent): readonly Noted[] {
  const { id: event_id, issue_uid } = event;
  const batch_uid = batchOf(event);
  if (issue_uid === undefined || batch_uid === undefined) return [];
  return [{ batch_uid, issue_uid, event_id, kind: kindOf(event) }];
}

/**
 * Returns the issues whose imported changes `event` undoes or redoes. A link belongs to the issue to which the import
 * added it. This may differ from the issue of `event`, which may be at the other end of the link.
 */
async function issuesOf(
  connection: Connection,
  event: StoredEvent,
  batch_uid: string,
  { events, again }: UndoMark,
): Promise<readonly string[]> {
  const isLink = event.type === "issue.links_changed";
  const own = isLink || event.issue_uid === undefined ? [] : [event.issue_uid];
  if (!isLink && again !== true && events.length === 1) return own;
  const found = await changedBy.all(connection, { batch_uid, events });
  return [...new Set([...own, ...found.map(({ issue_uid }) => issue_uid)])];
}

/**
 * Selects the issues that these events of the import changed. Leaves out issues that the import created, because the
 * caller already counts the event that deletes such an issue.
 */
const changedBy = statement((db, p: { batch_uid: string; events: readonly string[] }, dialect) =>
  db
    .selectFrom("import_event as i")
    .innerJoin("event as e", "e.id", "i.event_id")
    .select("i.issue_uid")
    .distinct()
    .where("i.batch_uid", "=", p.batch_uid)
    .where(({ ref }) => isIn(dialect, ref("e.uid"), p.events))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("import_event as c")
            .select("c.event_id")
            .whereRef("c.batch_uid", "=", "i.batch_uid")
            .whereRef("c.issue_uid", "=", "i.issue_uid")
            .where("c.kind", "=", sql.lit("created")),
        ),
      ),
    ),
);

function kindOf(event: StoredEvent): Noted["kind"] {
  const { type } = event;
  if (type === "issue.created") return "created";
  if (type === "issue.soft_deleted") return "deleted";
  return isNote(event) ? "noted" : "changed";
}

const SLICE = 500;

/** Rebuilds the table `import_event` from the log, after a restore. */
export async function rebuildImports(connection: Connection): Promise<void> {
  await connection.execute("delete from import_event", []);
  const read = async (after: number) => await marked.all(connection, { after });
  for await (const slice of slicesById(SLICE, 0, read)) {
    // Write the undos last, because an undo finds its issues in the rows of the events that it undoes.
    const isUndo = (event: StoredEvent) => undoMarkOf(event) !== undefined;
    await write(
      connection,
      slice.filter((event) => !isUndo(event)),
    );
    for (const event of slice.filter(isUndo)) await write(connection, [event]);
  }
}

async function write(connection: Connection, events: readonly StoredEvent[]): Promise<void> {
  const noted: Noted[] = [];
  for (const event of events) noted.push(...(await importEventsOf(connection, event)));
  const there = await existingIssues(connection, [
    ...new Set(noted.map(({ issue_uid }) => issue_uid)),
  ]);
  await importEvent.write(
    connection,
    noted.filter(({ issue_uid }) => there.has(issue_uid)),
  );
}

/**
 * Finds events whose payload has a key `import`. The caller checks each event, since the metadata of an issue may have
 * such a key too.
 */
const marked = eventStatement((db, p: { after: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("payload", "like", '%"import":"%')
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(SLICE),
);
