import { sql } from "kysely";
import type { EventKind, StoredEvent } from "../../contract/events.ts";
import { changeOf, type RowPair } from "../../domain/compare-rows.ts";
import { foldLog, type MemoryState } from "../../domain/memory.ts";
import type { Connection } from "../connection.ts";
import { applyChanges } from "../fold/apply-event.ts";
import type { FoldContext } from "../fold/context.ts";
import { CRON_KINDS } from "../fold/cron-events.ts";
import { load } from "../load/load.ts";
import { rowsByKeys } from "../load/statements.ts";
import { pastEvents } from "../repos/past-events.ts";
import { eventStatement } from "../repos/statements.ts";
import { isIn } from "../rows/statement.ts";
import type { Tables } from "../schema.ts";
import { ALL_EVENTS } from "../types/events.ts";

/**
 * Tables with rows of a project that belong to no issue, and the kinds of events that other daemons send about these
 * rows.
 */
const KINDS = {
  project: ["project.metadata_updated", "project.federation_enabled"],
  ...CRON_KINDS,
} as const satisfies Partial<Record<keyof Tables, readonly EventKind[]>>;

type ProjectLevelTable = keyof typeof KINDS;

const TABLE_OF: ReadonlyMap<EventKind, ProjectLevelTable> = new Map(
  (Object.keys(KINDS) as readonly ProjectLevelTable[]).flatMap((table) =>
    KINDS[table].map((kind): [EventKind, ProjectLevelTable] => [kind, table]),
  ),
);

/** A row that belongs to a project and to no issue. */
export interface ProjectLevelRow {
  readonly table: ProjectLevelTable;
  readonly uid: string;
}

/**
 * Returns the row that the event changes, if the row belongs to no issue and other daemons send events of this kind.
 * Otherwise returns undefined.
 */
export function projectLevelRowOf({
  type,
  project_uid,
  payload,
}: Pick<StoredEvent, "type" | "project_uid" | "payload">): ProjectLevelRow | undefined {
  const table = TABLE_OF.get(type);
  if (table === undefined) return undefined;
  return { table, uid: table === "project" ? project_uid : (payload as { uid: string }).uid };
}

/** Folds the events of these rows again and writes the rows that differ. */
export async function refoldProjectLevelRows(
  context: FoldContext,
  rows: readonly ProjectLevelRow[],
): Promise<void> {
  const { connection, loaded } = context;
  const uids = Map.groupBy(rows, ({ table }) => table);
  const uidsOf = (table: ProjectLevelTable) => [...new Set(uids.get(table)?.map(({ uid }) => uid))];
  const state = foldLog(await eventsFor(connection, uidsOf));
  const pairs: RowPair[] = [];
  for (const table of uids.keys())
    pairs.push(...(await pairsOf(connection, table, uidsOf(table), state)));
  await load(connection, loaded, { projects: uidsOf("project") });
  await applyChanges(
    context,
    pairs.flatMap((pair) => changeOf(pair) ?? []),
  );
}

/**
 * Returns the events of these rows, and the events that create, rename, archive and merge projects, in the order of the
 * fold.
 */
async function eventsFor(
  connection: Connection,
  uidsOf: (table: ProjectLevelTable) => readonly string[],
): Promise<readonly StoredEvent[]> {
  const past = pastEvents(connection);
  const wide = (await past.ofProjects(ALL_EVENTS)).filter(
    ({ type }) => type.startsWith("project.") && type !== "project.author_rewritten",
  );
  const projects = uidsOf("project");
  const ofProjects =
    projects.length === 0 ? [] : await metadataEvents.all(connection, { projects });
  const rows = CRON_TABLES.flatMap(uidsOf);
  const ofCron = rows.length === 0 ? [] : await cronEvents.all(connection, { rows });
  return (await past.order(ALL_EVENTS)).sorted([...wide, ...ofProjects, ...ofCron]);
}

async function pairsOf(
  connection: Connection,
  table: ProjectLevelTable,
  uids: readonly string[],
  state: MemoryState,
): Promise<readonly RowPair[]> {
  const stored = new Map((await rowsByKeys(connection, table, uids)).map((row) => [row.uid, row]));
  return uids.map((uid) => ({ table, folded: state.row(table, uid), stored: stored.get(uid) }));
}

const CRON_TABLES = Object.keys(CRON_KINDS) as readonly (keyof typeof CRON_KINDS)[];

const metadataEvents = eventStatement((db, p: { projects: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(
      "type",
      "in",
      KINDS.project.map((kind) => sql.lit(kind)),
    )
    .where(({ ref }) => isIn(dialect, ref("project_uid"), p.projects)),
);

const cronEvents = eventStatement((db, p: { rows: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("id", "in", ({ selectFrom }) =>
      selectFrom("cron_event")
        .select("event_id")
        .where(({ ref }) => isIn(dialect, ref("row_uid"), p.rows)),
    ),
);
