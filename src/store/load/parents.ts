import type { Touches } from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import { loadIssues, loadParents, takeUnloaded } from "./load-rows.ts";
import type { Loaded } from "./loaded.ts";
import {
  parentsAmong,
  purgedAmong,
  waitingAt,
  waitingParentLinks,
  withAncestors,
} from "./statements.ts";

/**
 * Loads the links that wait at these issues, and the issues at the other ends of the links. These issues may be
 * missing.
 */
export async function loadWaiting(
  connection: Connection,
  loaded: Loaded,
  uids: readonly string[],
): Promise<void> {
  const { waiting } = loaded;
  const missing = [...new Set(uids)].filter((uid) => !waiting.has(uid));
  if (missing.length === 0) return;
  const found = loaded.hasWaitingLinks ? await waitingAt.all(connection, { uids: missing }) : [];
  for (const uid of missing) waiting.set(uid, new Map());
  for (const row of found) loaded.noteWaiting(row, row);
  const ends = found.flatMap(({ from_uid, to_uid }) => [from_uid, to_uid]);
  await loadIssues(connection, loaded, [...new Set(ends)]);
  // Whether a parent link waits because of a circle can only be decided when all ancestors are loaded.
  const children = found.flatMap(({ type, from_uid }) => (type === "parent" ? from_uid : []));
  if (children.length > 0) await loadWithAncestors(connection, loaded, children);
}

/** Finds out which of these missing issues were purged. */
export async function loadPurged(
  connection: Connection,
  { purged }: Loaded,
  uids: readonly string[],
): Promise<void> {
  const missing = takeUnloaded(purged, uids);
  if (missing.length === 0) return;
  for (const { issue_uid } of await purgedAmong.all(connection, { uids: missing }))
    purged.set(issue_uid, true);
}

/**
 * Loads the ancestors of children that get or lose a parent, and of children whose parent links wait for these
 * children. Skips a child that has no children and for which no parent link waits, as is true of most issues: such a
 * child cannot be in a circle. Children that are created by events of the same page are in no table yet, so an issue
 * that becomes a parent counts as having children.
 */
export async function loadAncestors(
  connection: Connection,
  loaded: Loaded,
  children: NonNullable<Touches["ancestorsOf"]>,
): Promise<void> {
  if (children.length === 0) return;
  const becomeParents = new Set(children.flatMap(([, parents]) => parents));
  const starts: string[] = [];
  const unknown = new Map<string, readonly string[]>();
  for (const [child, parents] of children) {
    const waiting = loaded.waitingLinksOf(child).filter(({ type }) => type === "parent");
    if (becomeParents.has(child) || waiting.length > 0)
      starts.push(child, ...parents, ...waiting.map(({ from_uid }) => from_uid));
    else if (loaded.issue(child) !== undefined) unknown.set(child, parents);
  }
  if (unknown.size > 0)
    for (const { uid } of await parentsAmong.all(connection, { uids: [...unknown.keys()] }))
      starts.push(uid, ...(unknown.get(uid) ?? []));
  if (starts.length > 0) await loadWithAncestors(connection, loaded, starts);
}

/** Loads all parent links that wait, and the ancestors of their children. */
export async function loadWaitingParents(connection: Connection, loaded: Loaded): Promise<void> {
  const rows = await waitingParentLinks.all(connection, {});
  loaded.allWaitingParents = rows;
  if (rows.length > 0)
    await loadWithAncestors(
      connection,
      loaded,
      rows.map(({ from_uid }) => from_uid),
    );
}

async function loadWithAncestors(
  connection: Connection,
  loaded: Loaded,
  starts: readonly string[],
): Promise<void> {
  const found = await withAncestors.all(connection, { uids: [...new Set(starts)] });
  const uids = found.map(({ uid }) => uid);
  await loadIssues(connection, loaded, uids);
  await loadParents(connection, loaded, uids);
  await loadWaiting(connection, loaded, uids);
}
