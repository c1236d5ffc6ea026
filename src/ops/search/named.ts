import { isShortUuid, parseRef } from "../../domain/refs.ts";
import type { SearchQuery } from "../../store/types/issues.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";

/**
 * Returns the issues that are named by words of a query and that match the filters of the search. In a query of several
 * words, only words that look like a name are looked up. A name is one of these:
 *
 * - a short id, a qualified id or a uid
 * - the id in the tracker from which the issue was imported, whole or after its dash
 * - the hash of a commit that closed the issue
 */
export async function namedBy(
  reader: Reader,
  project: StoredProject,
  ask: SearchQuery,
): Promise<readonly StoredIssue[]> {
  const words = ask.text
    .trim()
    .split(/\s+/u)
    .map((word) => word.replace(/^#|[.,;:?!]+$/gu, ""));
  const names = words.filter(
    (word) =>
      word !== "" &&
      word.length <= MAX_FOREIGN_ID &&
      (words.length === 1 || UNLIKE_WORDS.test(word)),
  );
  const uids: string[] = [];
  for (const name of names.slice(0, MOST_NAMES)) {
    uids.push(...(await byRef(reader, project, name)));
    const imports = [
      ...(await reader.marks.importedUnder(project.uid, [name, name.toLowerCase()])),
    ];
    if (isShortUuid(name))
      imports.push(...(await reader.marks.importedByUuid(project.uid, name.toLowerCase())));
    uids.push(...imports.map(({ issue_uid }) => issue_uid));
    if (COMMIT_HASH.test(name))
      uids.push(...(await reader.marks.closedBy(name.toLowerCase(), MAX_ISSUES)));
  }
  if (uids.length === 0) return [];
  const issues = await reader.issues.many([...new Set(uids)]);
  const kept = await reader.search.satisfying(
    ask,
    [...issues.values()].map(({ id }) => id),
  );
  return [...issues.values()].filter(({ id }) => kept.has(id));
}

/** Matches what a name has and plain words lack: a digit, a `#` after a project's name, or a dash inside. */
const UNLIKE_WORDS = /\d|.#.|.-./u;
/** Maximum number of words of a query that are looked up. */
const MOST_NAMES = 8;
/** The longest id of another tracker, in UTF-16 code units. */
const MAX_FOREIGN_ID = 512;
/** A commit hash, which git may shorten to seven digits. */
const COMMIT_HASH = /^[0-9a-f]{7,64}$/i;
/** Maximum number of issues that are looked up for one commit. */
const MAX_ISSUES = 20;

async function byRef(
  reader: Reader,
  project: StoredProject,
  name: string,
): Promise<readonly string[]> {
  const ref = parseRef(name);
  if (ref === undefined) return [];
  if (ref.kind === "uid") return [ref.uid];
  if (ref.kind === "qualified" && ref.project !== project.name) return [];
  const issue = await reader.issues.findByShortId(project.uid, ref.short_id);
  return issue === undefined ? [] : [issue.uid];
}
