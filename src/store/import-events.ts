import { slicesById } from "../base/slices.ts";
import type { StoredEvent } from "../contract/events.ts";
import { batchOf } from "../domain/imports/base.ts";
import type { import_event } from "../domain/tables/log.ts";
import type { RowOf } from "../domain/tables/table.ts";
import { undoMarkOf } from "../domain/undo/plan.ts";
import type { Connection } from "./connection.ts";
import type { FoldContext } from "./fold-context.ts";
import { insertion } from "./insertion.ts";
import { existingIssues } from "./load-statements.ts";
import { eventStatement } from "./repos/statements.ts";

type Noted = RowOf<typeof import_event>;

/** Records which events an import wrote, and which took them back, so that both are found by the batch of the import. */
export async function noteImport(
  { connection, loaded }: Pick<FoldContext, "connection" | "loaded">,
  event: StoredEvent,
): Promise<void> {
  const noted = notedOf(event);
  // The history of a purged issue cannot be read, so its events are not recorded.
  if (noted !== undefined && loaded.issue(noted.issue_uid) !== undefined)
    await importEvent.run(connection, noted);
}

const importEvent = insertion("import_event", { rank: 3 });

function notedOf(event: StoredEvent): Noted | undefined {
  const { id: event_id, issue_uid } = event;
  if (issue_uid === undefined) return undefined;
  const own = batchOf(event);
  if (own !== undefined) return { batch_uid: own, issue_uid, event_id, kind: kindOf(event) };
  const undo = undoMarkOf(event);
  if (undo?.import === undefined) return undefined;
  const kind = undo.again === true ? "redone" : "undone";
  return { batch_uid: undo.import, issue_uid, event_id, kind };
}

function kindOf({ type }: StoredEvent): Noted["kind"] {
  if (type === "issue.created") return "created";
  if (type === "issue.soft_deleted") return "deleted";
  return type === "issue.imported" ? "noted" : "changed";
}

const SLICE = 500;

/** Rebuilds the table from the log, after the migration that creates it and after a restore. */
export async function rebuildImports(connection: Connection): Promise<void> {
  await connection.execute("delete from import_event", []);
  const read = async (after: number) => await marked.all(connection, { after });
  for await (const slice of slicesById(SLICE, 0, read)) {
    const noted = slice.flatMap((event) => notedOf(event) ?? []);
    const there = await existingIssues(connection, [
      ...new Set(noted.map(({ issue_uid }) => issue_uid)),
    ]);
    await importEvent.write(
      connection,
      noted.filter(({ issue_uid }) => there.has(issue_uid)),
    );
  }
}

/** Other texts may look like the mark, so each event found is read. */
const marked = eventStatement((db, p: { after: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("payload", "like", '%"import":"%')
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(SLICE),
);
