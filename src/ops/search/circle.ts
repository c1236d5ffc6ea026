import { type Circle, circlesIn } from "../../domain/circles.ts";
import type { LinkEnds } from "../../domain/state.ts";
import type { IssueOutline } from "../../store/types/issues.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { loadMissing } from "./why-graph.ts";

/** After this many issues, nearest first, the search for a circle goes no further. `svc doctor` searches all issues. */
const MAX_SEARCHED = 500;

export interface FoundCircle extends Circle {
  readonly issues: ReadonlyMap<string, IssueOutline>;
}

/**
 * Finds a circle of issues that wait for each other. The issue `start` is in the circle, or waits for issues of it.
 * Prefers a circle that contains `start`.
 */
export async function findCircle(
  reader: Reader,
  start: StoredIssue,
): Promise<FoundCircle | undefined> {
  const issues = new Map<string, IssueOutline>([[start.uid, start]]);
  const blocks: LinkEnds[] = [];
  const parents: LinkEnds[] = [];
  const searched = new Set<string>();
  /** The issues whose blockers and children are read in the next round. */
  let waiting: ReadonlySet<string> = new Set([start.uid]);
  /**
   * Ancestors in the next round. Only their blockers are read. The blockers of an ancestor also hold back its
   * descendants, but its other children do not.
   */
  let holding: ReadonlySet<string> = new Set(await reader.links.ancestors(start.uid));
  const [waited, held] = [new Set<string>(), new Set<string>()];
  while (waiting.size + holding.size > 0 && searched.size < MAX_SEARCHED) {
    const ring = [...new Set([...waiting, ...holding])];
    for (const uid of ring) searched.add(uid);
    for (const uid of waiting) waited.add(uid);
    for (const uid of holding) held.add(uid);
    const found = await reader.links.inTheWay(ring, [...waiting]);
    await loadMissing(reader, issues, found);
    const open = found.filter((link) => [link.from_uid, link.to_uid].every(isOpen));
    blocks.push(...open.filter(({ type }) => type === "blocks"));
    const families = open.filter(({ type }) => type === "parent");
    parents.push(...families);
    const below = families.flatMap((link) => (waiting.has(link.to_uid) ? [link.from_uid] : []));
    const above = families.flatMap((link) => (searched.has(link.from_uid) ? [link.to_uid] : []));
    const blockers = open.flatMap(({ type, from_uid }) => (type === "blocks" ? [from_uid] : []));
    waiting = new Set([...blockers, ...below].filter((uid) => !waited.has(uid)));
    holding = new Set(above.filter((uid) => !held.has(uid) && !waited.has(uid)));
  }
  const circles = circlesIn({ blocks, parents }, start.uid);
  const circle = circles.find(({ uids }) => uids.includes(start.uid)) ?? circles[0];
  return circle === undefined ? undefined : { ...circle, issues };

  function isOpen(uid: string): boolean {
    const issue = issues.get(uid);
    return (
      issue?.status === "open" && issue.deleted_at === null && issue.project_deleted_at === null
    );
  }
}
