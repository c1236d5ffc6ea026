import type { RowPair } from "../../domain/compare-rows.ts";
import { LinkChanges } from "../../domain/evolve/link-changes.ts";
import { touchesOfLinks } from "../../domain/evolve/links.ts";
import { type MemoryState, rowKey } from "../../domain/memory.ts";
import type { Change, LinkRow } from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import { hubsOfCopies } from "../load/hubs-of-copies.ts";
import { load } from "../load/load.ts";
import { Loaded } from "../load/loaded.ts";
import { existingIssues } from "../load/statements.ts";
import { mayBeInCircle } from "./parent-circles.ts";
import { rowsOfIssues } from "./stored-rows.ts";

/**
 * Compares the links that start at these issues with the links that their events have set. Returns the changes that
 * correct the stored links. The events of an issue determine which links are set. Whether a link waits also depends on
 * which issues the database has, and on the parents above the issue. So this is decided by the stored rows.
 */
export async function linkDifferences(
  connection: Connection,
  loaded: Loaded,
  uids: ReadonlySet<string>,
  state: MemoryState,
): Promise<readonly Change[]> {
  const stored = byKey(await storedLinks(connection, uids));
  return await differencesFrom(connection, loaded, stored, linksFrom(state, uids));
}

async function differencesFrom(
  connection: Connection,
  loaded: Loaded,
  stored: LinksByKey,
  folded: readonly LinkRow[],
): Promise<readonly Change[]> {
  const wanted = byKey(folded);
  const every = [...stored.values(), ...wanted.values()];
  const touches = touchesOfLinks(undefined, every);
  await load(connection, loaded, touches);
  const links = new LinkChanges(loaded);
  for (const [key, row] of stored) if (!isSame(row, wanted.get(key))) links.remove(row);
  for (const row of wanted.values()) links.put(row);
  links.judge(every);
  return links.changes();
}

/** Returns the links that differ, as pairs of the folded and the stored row. */
export async function linkPairs(
  connection: Connection,
  uids: ReadonlySet<string>,
  state: MemoryState,
): Promise<readonly RowPair[]> {
  const list = [...uids];
  const shown = await rowsOfIssues(connection, "link", list);
  const waiting = await rowsOfIssues(connection, "waiting_link", list);
  const folded = linksFrom(state, uids);
  if (waiting.length === 0 && (await areRightlyShown(connection, shown, folded))) return [];
  const stored = byKey([...shown, ...waiting]);
  const changes = await differencesFrom(connection, new Loaded(), stored, folded);
  const pairs = new Map<string, RowPair>();
  for (const change of changes) {
    if (change.table !== "link" && change.table !== "waiting_link") continue;
    const { table } = change;
    const ends = "put" in change ? change.put : change.remove;
    const key = `${table} ${rowKey("link", ends)}`;
    if ("put" in change)
      pairs.set(key, { table, folded: change.put, stored: pairs.get(key)?.stored });
    else pairs.set(key, { table, folded: undefined, stored: stored.get(rowKey("link", ends)) });
  }
  return [...pairs.values()];
}

/**
 * Whether these links are those that the events have set, and it is certain that none of them should wait. This is the
 * usual case, and it is much cheaper to see than to judge each link. If false, the links may be right all the same.
 */
async function areRightlyShown(
  connection: Connection,
  shown: readonly LinkRow[],
  folded: readonly LinkRow[],
): Promise<boolean> {
  const wanted = byKey(folded);
  if (wanted.size !== shown.length) return false;
  if (!shown.every((row) => isSame(row, wanted.get(rowKey("link", row))))) return false;
  if (shown.length === 0) return true;
  // A link out of a hub's projects can wait although both of its issues exist.
  if ((await hubsOfCopies(connection)).size > 0) return false;
  const ends = new Set(shown.flatMap(({ from_uid, to_uid }) => [from_uid, to_uid]));
  if ((await existingIssues(connection, [...ends])).size < ends.size) return false;
  return !(await mayBeInCircle(
    connection,
    shown.filter(({ type }) => type === "parent"),
  ));
}

async function storedLinks(
  connection: Connection,
  uids: ReadonlySet<string>,
): Promise<readonly LinkRow[]> {
  const list = [...uids];
  return [
    ...(await rowsOfIssues(connection, "link", list)),
    ...(await rowsOfIssues(connection, "waiting_link", list)),
  ];
}

function linksFrom(state: MemoryState, uids: ReadonlySet<string>): readonly LinkRow[] {
  return [...uids].flatMap((uid) =>
    [...state.linksOf(uid), ...state.waitingLinksOf(uid)].filter(
      ({ from_uid }) => from_uid === uid,
    ),
  );
}

type LinksByKey = ReadonlyMap<string, LinkRow>;

function byKey(rows: readonly LinkRow[]): LinksByKey {
  return new Map(rows.map((row) => [rowKey("link", row), row]));
}

function isSame(row: LinkRow, other: LinkRow | undefined): boolean {
  return row.author === other?.author && row.created_at === other.created_at;
}
