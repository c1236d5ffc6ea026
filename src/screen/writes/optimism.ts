import type { Instant } from "../../base/clock.ts";
import { type Issue, isOlder, withIssues, withoutIssues } from "../issues/issues.ts";
import { issueNamed } from "../issues/names.ts";
import { type State, withSlice } from "../state.ts";
import { type FieldChange, isFieldChange, type LinkChange, uidOf, type Write } from "./writes.ts";

/**
 * Whether a write of the issue is in flight. During this time
 *
 * - the issue's row shows the expected result of the write
 * - `truth` contains the issue as the daemon last sent it
 * - the row is computed again from `truth` whenever the daemon sends the issue or answers the write
 *
 * So rows do not flicker, and a refused write leaves nothing behind.
 */
export function isPending({ writes: { truth } }: Pick<State, "writes">, uid: string): boolean {
  return truth.has(uid);
}

/** The issue as the daemon last sent it, without the expected results of writes in flight. */
export function trueIssue({ issues, writes: { truth } }: State, uid: string): Issue | undefined {
  return truth.get(uid) ?? issues.get(uid);
}

/** Computes the expected results for these issues again, after a write began or ended. */
export function withExpectedResults(state: State, uids: Iterable<string>): State {
  const truth = new Map(state.writes.truth);
  const pending = pendingWrites(state);
  const rows: Issue[] = [];
  for (const uid of uids) {
    const real = truth.get(uid) ?? state.issues.get(uid);
    if (real === undefined) continue;
    const writes = pending.get(uid) ?? [];
    if (writes.length === 0) truth.delete(uid);
    else truth.set(uid, real);
    const changes = writes.filter(isFieldChange);
    rows.push(changes.reduce((row, write) => expected(row, write, state), real));
  }
  return { ...state, issues: withIssues(state.issues, rows), writes: { ...state.writes, truth } };
}

/** Stores issues as the daemon sent them; an older version never replaces a newer one. */
export function withTruth(
  state: State,
  changed: readonly Issue[],
  gone: readonly string[] = [],
): State {
  const truth = new Map(state.writes.truth);
  const pending = pendingWrites(state);
  for (const issue of changed) {
    const known = truth.get(issue.uid);
    // A removed issue is no longer in `truth`. If the daemon sends the issue again while its writes are unanswered, the
    // issue is added again.
    const isNews = known === undefined ? pending.has(issue.uid) : !isOlder(issue, known);
    if (isNews) truth.set(issue.uid, issue);
  }
  for (const uid of gone) truth.delete(uid);
  const free = changed.filter(({ uid }) => !truth.has(uid));
  const left = gone.length === 0 ? state.issues : withoutIssues(state.issues, gone);
  const unmarked = withSlice(withoutMarks(state, gone), "writes", { truth });
  const next = { ...unmarked, issues: withIssues(left, free) };
  const waiting = changed.flatMap(({ uid }) => (truth.has(uid) ? [uid] : []));
  return waiting.length === 0 ? next : withExpectedResults(next, waiting);
}

function withoutMarks(state: State, gone: readonly string[]): State {
  const known = state.marks;
  if (!gone.some((uid) => known.has(uid))) return state;
  const marks = new Set(known);
  for (const uid of gone) marks.delete(uid);
  return { ...state, marks };
}

/**
 * Returns the uids of known issues that were on no page of a complete reading, so that these issues can be removed. Two
 * kinds of issues are not returned:
 *
 * - results of the current search, because they may belong to no page
 * - issues that were changed after the first page was read, because they may have moved to a page that had been read
 *   already
 */
export function missingIn(
  state: State,
  { issues, since }: { readonly issues: readonly Issue[]; readonly since?: Instant | undefined },
): readonly string[] {
  const offPage = state.screens.flatMap(({ rows }) => rows.offPage?.(state) ?? []);
  const there = new Set([...state.loading.pages, ...offPage]);
  for (const { uid } of issues) there.add(uid);
  const isNew = (uid: string): boolean =>
    since !== undefined && (trueIssue(state, uid)?.updated_at ?? "") >= since;
  return [...state.issues.keys()].filter((uid) => !there.has(uid) && !isNew(uid));
}

/** The writes in flight of each issue, the oldest first. */
function pendingWrites({ writes: { sent } }: State): ReadonlyMap<string, readonly Write[]> {
  const found = new Map<string, Write[]>();
  for (const one of sent) {
    const uid = uidOf(one.write);
    if (one.state !== "pending" || uid === undefined) continue;
    const known = found.get(uid);
    if (known === undefined) found.set(uid, [one.write]);
    else known.unshift(one.write);
  }
  return found;
}

/** The issue with the expected result of a write. */
function expected(issue: Issue, write: FieldChange, state: State): Issue {
  switch (write.act) {
    case "edit":
      return { ...issue, title: write.title ?? issue.title, body: write.body ?? issue.body };
    case "link":
      return withLinks(issue, write.change, state);
    case "close":
      return { ...issue, status: "closed" };
    case "reopen":
      return { ...issue, status: "open" };
    case "assign":
      return { ...issue, owner: write.owner };
    case "unassign":
      return { ...issue, owner: undefined };
    case "label": {
      const { labels } = issue;
      if (labels.includes(write.label)) return issue;
      return { ...issue, labels: [...labels, write.label].sort() };
    }
    case "unlabel":
      return { ...issue, labels: issue.labels.filter((label) => label !== write.label) };
    case "priority":
      return { ...issue, priority: write.priority };
    case "metadata": {
      const all = Object.entries({ ...issue.metadata, ...write.patch });
      return { ...issue, metadata: Object.fromEntries(all.filter(([, value]) => value !== null)) };
    }
  }
}

function withLinks(issue: Issue, { kind, does, refs }: LinkChange, state: State): Issue {
  const uids = refs.flatMap((ref) => issueNamed(state, issue, ref)?.uid ?? []);
  if (kind === "parent")
    return { ...issue, parent: does === "add" ? (uids[0] ?? issue.parent) : undefined };
  const known = issue[kind];
  const left = known.filter((uid) => !uids.includes(uid));
  return { ...issue, [kind]: does === "add" ? [...new Set([...known, ...uids])] : left };
}
