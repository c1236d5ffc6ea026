import type { LinkType, ListedTable, LoadedTable, Touches } from "../../domain/state.ts";
import type { Rows } from "../../domain/tables/tables.ts";
import type { Connection } from "../connection.ts";
import { ALL_EVENTS } from "../types/events.ts";
import { foldOrder } from "./fold-order.ts";
import { hubsOfCopies } from "./hubs-of-copies.ts";
import { loadIssues, loadParents, loadRows } from "./load-rows.ts";
import { keyOf, type Loaded } from "./loaded.ts";
import { loadMadeHere } from "./made-here.ts";
import { loadAncestors, loadPurged, loadWaiting, loadWaitingParents } from "./parents.ts";
import {
  commentsByName,
  issuesByName,
  labelByKey,
  labelsByIssue,
  linkByKey,
  linksByName,
  linksFrom,
  rowsOfProject,
  uidsByProject,
  waitingByName,
} from "./statements.ts";

/** Loads the rows that the event touches, if they are not loaded. Skips labels and links of missing issues. */
export async function load(
  connection: Connection,
  loaded: Loaded,
  touches: Touches,
): Promise<void> {
  const {
    projects = [],
    issues = [],
    comments = [],
    labels = [],
    links = [],
    parentsOf = [],
    waitingOf = [],
    ancestorsOf = [],
    issuesOf = [],
    authored = [],
  } = touches;
  await Promise.all([
    loadIssues(connection, loaded, issues),
    loadWaiting(connection, loaded, waitingOf),
    loadRows(connection, loaded, "project", projects),
    loadRows(connection, loaded, "comment", comments),
  ]);
  for (const [table, keys] of Object.entries(touches.rows ?? {}) as KeysByTable<LoadedTable>)
    await loadRows(connection, loaded, table, keys);
  for (const [table, uids] of Object.entries(touches.of ?? {}) as KeysByTable<ListedTable>)
    for (const uid of uids) await loadList(connection, loaded, table, uid);
  for (const uid of issuesOf) await loadProjectIssues(connection, loaded, uid);
  for (const [uid, name] of authored) await loadAuthored(connection, loaded, uid, name);
  const exists = (uid: string): boolean =>
    !loaded.issues.has(uid) || loaded.issues.get(uid) !== undefined;
  await Promise.all([
    loadLabels(
      connection,
      loaded,
      labels.filter(([uid]) => exists(uid)),
    ),
    loadLinks(
      connection,
      loaded,
      links.filter(([from, to]) => exists(from) && exists(to)),
    ),
    loadParents(connection, loaded, parentsOf.filter(exists)),
    loadPurged(
      connection,
      loaded,
      (touches.peers ?? []).filter((uid) => loaded.issue(uid) === undefined),
    ),
  ]);
  await loadAncestors(connection, loaded, ancestorsOf);
  if (links.length > 0 || waitingOf.length > 0 || touches.waitingParents === true)
    loaded.hubs ??= await hubsOfCopies(connection);
  if (touches.baselines === true) loaded.order ??= await foldOrder(connection, ALL_EVENTS);
  if (touches.waitingParents === true) await loadWaitingParents(connection, loaded);
  await loadMadeHere(connection, loaded, touches);
}

type KeysByTable<T extends string> = readonly (readonly [table: T, keys: readonly string[]])[];

/**
 * Loads all rows of one table that belong to the project, even if they are loaded already. Rows that the connection has
 * deferred (`WriteBehind`) are included, because it writes them before it reads.
 */
async function loadList<T extends ListedTable>(
  connection: Connection,
  { lists }: Loaded,
  table: T,
  uid: string,
): Promise<void> {
  const list: Map<string, readonly Rows[T][]> = lists[table];
  list.set(uid, await rowsOfProject(connection, table, uid));
}

async function loadProjectIssues(
  connection: Connection,
  loaded: Loaded,
  uid: string,
): Promise<void> {
  const uids = (await uidsByProject.all(connection, { uid })).map((row) => row.uid);
  await loadIssues(connection, loaded, uids);
  loaded.projectIssues.set(uid, uids);
}

async function loadAuthored(
  connection: Connection,
  loaded: Loaded,
  uid: string,
  name: string,
): Promise<void> {
  const [issues, comments, links, waitingLinks] = [
    await issuesByName.all(connection, { uid, name }),
    await commentsByName.all(connection, { uid, name }),
    await linksByName.all(connection, { uid, name }),
    await waitingByName.all(connection, { uid, name }),
  ];
  const uids = issues.map((row) => row.uid);
  await loadIssues(connection, loaded, uids);
  for (const row of comments) loaded.note("comment", row, row);
  for (const row of links) loaded.links.set(keyOf(row.from_uid, row.type, row.to_uid), row);
  loaded.named.set(keyOf(uid, name), {
    issues: uids.flatMap((uid) => loaded.issue(uid) ?? []),
    comments,
    links,
    waitingLinks,
  });
}

/**
 * Up to this many labels or links are looked up one by one. For so few, reading all labels or links of the issues could
 * take longer, since an issue may have many more than the event touches.
 */
const MAX_SINGLE_LOOKUPS = 4;

async function loadLabels(
  connection: Connection,
  loaded: Loaded,
  keys: readonly (readonly [string, string])[],
): Promise<void> {
  const missing = keys.filter(([uid, label]) => !loaded.labels.has(keyOf(uid, label)));
  if (missing.length <= MAX_SINGLE_LOOKUPS) {
    for (const [issue_uid, label] of missing)
      loaded.labels.set(
        keyOf(issue_uid, label),
        await labelByKey.one(connection, { issue_uid, label }),
      );
    return;
  }
  for (const [uid, label] of missing) loaded.labels.set(keyOf(uid, label), undefined);
  const uids = [...new Set(missing.map(([uid]) => uid))];
  for (const row of await labelsByIssue.all(connection, { uids })) {
    const key = keyOf(row.issue_uid, row.label);
    if (loaded.labels.get(key) === undefined) loaded.labels.set(key, row);
  }
}

async function loadLinks(
  connection: Connection,
  loaded: Loaded,
  keys: readonly (readonly [string, string, LinkType])[],
): Promise<void> {
  const missing = keys.filter(([from, to, type]) => !loaded.links.has(keyOf(from, type, to)));
  if (missing.length <= MAX_SINGLE_LOOKUPS) {
    for (const [from_uid, to_uid, type] of missing)
      loaded.links.set(
        keyOf(from_uid, type, to_uid),
        await linkByKey.one(connection, { from_uid, to_uid, type }),
      );
    return;
  }
  for (const [from, to, type] of missing) loaded.links.set(keyOf(from, type, to), undefined);
  const uids = [...new Set(missing.map(([from]) => from))];
  for (const row of await linksFrom.all(connection, { uids })) {
    const key = keyOf(row.from_uid, row.type, row.to_uid);
    if (loaded.links.get(key) === undefined) loaded.links.set(key, row);
  }
}
