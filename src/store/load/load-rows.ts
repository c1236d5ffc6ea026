import { type Rows, TABLES } from "../../domain/tables/tables.ts";
import type { Connection } from "../connection.ts";
import { keyText } from "../rows/insertion.ts";
import { derivedOf, folded, parsed } from "../rows/rows.ts";
import type { Loaded } from "./loaded.ts";
import { issuesByUid, parentLinks, rowsByKeys } from "./statements.ts";

export async function loadRows<T extends keyof Loaded["rows"]>(
  connection: Connection,
  { rows }: Loaded,
  table: T,
  keys: readonly string[],
): Promise<void> {
  const known: Map<string, Rows[T] | undefined> = rows[table];
  const missing = takeUnloaded(known, keys);
  if (missing.length === 0) return;
  for (const row of await rowsByKeys(connection, table, missing))
    known.set(keyText(TABLES[table].key, row), row);
}

export async function loadIssues(
  connection: Connection,
  loaded: Loaded,
  uids: readonly string[],
): Promise<void> {
  const missing = takeUnloaded(loaded.issues, uids);
  if (missing.length === 0) return;
  for (const row of await issuesByUid.all(connection, { uids: missing })) {
    const issue = parsed("issue", row);
    loaded.issues.set(row.uid, { row: folded("issue", issue), derived: derivedOf(issue) });
  }
}

/** Loads the parent links of these children, and the parents. */
export async function loadParents(
  connection: Connection,
  loaded: Loaded,
  uids: readonly string[],
): Promise<void> {
  const missing = takeUnloaded(loaded.parents, uids);
  if (missing.length === 0) return;
  const rows = await parentLinks.all(connection, { uids: missing });
  for (const row of rows) loaded.parents.set(row.from_uid, row);
  const ends = rows.flatMap(({ from_uid, to_uid }) => [from_uid, to_uid]);
  await loadIssues(connection, loaded, [...new Set(ends)]);
}

/** Returns the keys that were not loaded yet, and marks them as loaded (with `undefined` until a row is found). */
export function takeUnloaded<T>(
  known: Map<string, T | undefined>,
  keys: readonly string[],
): readonly string[] {
  const missing = keys.filter((key) => !known.has(key));
  for (const key of missing) known.set(key, undefined);
  return missing;
}
