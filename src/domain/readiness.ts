import type { Instant } from "../base/clock.ts";
import { resolvePlanningDate, zoneOf } from "./dates.ts";
import { SOURCE_FORMATS } from "./imports/formats.ts";
import type { IssueRow, LinkRow, ProjectRow, RecurrenceRow } from "./state.ts";

export type GraphIssue = Pick<
  IssueRow,
  "uid" | "project_uid" | "status" | "deleted_at" | "metadata" | "recurrence_uid"
>;

/** The rows that readiness depends on; `MemoryState` implements it. */
export interface IssueGraph {
  issue(uid: string): GraphIssue | undefined;
  project(uid: string): Pick<ProjectRow, "deleted_at"> | undefined;
  /** The series with this uid. Its time zone is the default for the scheduled dates of its issues. */
  recurrence(uid: string): Pick<RecurrenceRow, "timezone"> | undefined;
  linksOf(uid: string): readonly Pick<LinkRow, "from_uid" | "to_uid" | "type">[];
}

/** Why an open issue is not ready (docs/contract/http-api.md#62-readiness). */
export type Reason =
  | { readonly reason: "blocked"; readonly blockers: readonly Cause[] }
  | { readonly reason: "parked"; readonly by_source?: string }
  | { readonly reason: "scheduled"; readonly until: Instant }
  | { readonly reason: "open_children"; readonly children: readonly string[] }
  | { readonly reason: "held"; readonly parent: Cause };

/**
 * An issue that keeps another issue from being ready. `because` has the reasons why this issue is itself not ready. It
 * is empty if this issue is ready, or if its reasons are given elsewhere in the answer.
 */
export interface Cause {
  readonly uid: string;
  readonly because: readonly Reason[];
}

/** Columns that the store maintains on every row, open or not, so that lists need not compute them. */
export interface DerivedColumns {
  readonly open_blockers: number;
  readonly open_children: number;
  readonly total_children: number;
  readonly parked: 0 | 1;
  readonly held: 0 | 1;
  readonly ready_from: Instant | null;
}

/** Deleted issues and issues of archived projects are not live. */
export function isLive(graph: IssueGraph, issue: GraphIssue): boolean {
  if (issue.deleted_at !== null) return false;
  const project = graph.project(issue.project_uid);
  return project !== undefined && project.deleted_at === null;
}

export function isOpen(graph: IssueGraph, issue: GraphIssue): boolean {
  return issue.status === "open" && isLive(graph, issue);
}

export function derivedOf(graph: IssueGraph, issue: GraphIssue, zone: string): DerivedColumns {
  const children = childrenOf(graph, issue.uid);
  return {
    open_blockers: openBlockersOf(graph, issue.uid).length,
    open_children: children.filter((child) => child.status === "open").length,
    total_children: children.length,
    parked: isParked(issue) ? 1 : 0,
    held: holderOf(graph, issue.uid) === undefined ? 0 : 1,
    ready_from: readyFrom(issue, zoneIn(graph, issue, zone)),
  };
}

/**
 * Whether an open issue is ready. With `containers`, an issue that only its open children keep from being ready counts
 * as ready.
 */
export function isReady(derived: DerivedColumns, now: Instant, containers: boolean): boolean {
  return (
    derived.open_blockers === 0 &&
    derived.parked === 0 &&
    derived.held === 0 &&
    (derived.ready_from === null || derived.ready_from <= now) &&
    (containers || derived.open_children === 0)
  );
}

/** Returns all reasons why an open issue is not ready, or an empty list if it is ready. */
export function whyNotReady(
  graph: IssueGraph,
  issue: GraphIssue,
  now: Instant,
  zone: string,
): readonly Reason[] {
  return reasonsOf({ graph, now, zone, explained: new Set() }, issue);
}

interface Search {
  readonly graph: IssueGraph;
  readonly now: Instant;
  readonly zone: string;
  /**
   * The issues whose reasons were given already. Blockers may form circles and chains may meet, so the reasons of an
   * issue are given only once.
   */
  readonly explained: Set<string>;
}

function reasonsOf(search: Search, issue: GraphIssue): readonly Reason[] {
  const from = readyFrom(issue, zoneIn(search.graph, issue, search.zone));
  const children = childrenOf(search.graph, issue.uid).filter(({ status }) => status === "open");
  search.explained.add(issue.uid);
  return [
    ...blockedReasons(search, issue),
    ...parkedReasons(issue),
    ...(from !== null && from > search.now ? [{ reason: "scheduled", until: from } as const] : []),
    ...(children.length > 0
      ? [{ reason: "open_children", children: children.map(({ uid }) => uid) } as const]
      : []),
    ...heldReasons(search, issue),
  ];
}

function parkedReasons(issue: GraphIssue): readonly Reason[] {
  if (!isParked(issue)) return [];
  const by_source = parkedBySource(issue);
  return [{ reason: "parked", ...(by_source === undefined ? {} : { by_source }) }];
}

/**
 * The tracker that an issue was imported from and why that tracker does not offer it as work, such as `beads: status
 * hooked`. An import writes it to the metadata when it parks an issue.
 */
function parkedBySource({ metadata }: GraphIssue): string | undefined {
  for (const format of SOURCE_FORMATS) {
    const word = metadata[`${format}.parked`];
    if (typeof word === "string") return `${format}: ${word}`;
  }
  return undefined;
}

function blockedReasons(search: Search, issue: GraphIssue): readonly Reason[] {
  const blockers = openBlockersOf(search.graph, issue.uid);
  if (blockers.length === 0) return [];
  return [{ reason: "blocked", blockers: blockers.map((blocker) => causeOf(search, blocker)) }];
}

/** Returns the parent that holds the issue back, with those of the parent's reasons that also apply to its children. */
function heldReasons(search: Search, issue: GraphIssue): readonly Reason[] {
  if (holderOf(search.graph, issue.uid) === undefined) return [];
  const parent = parentOf(search.graph, issue.uid);
  return parent === undefined ? [] : [{ reason: "held", parent: causeOf(search, parent, HOLDING) }];
}

const HOLDING: ReadonlySet<Reason["reason"]> = new Set(["blocked", "parked", "held"]);

function causeOf(search: Search, issue: GraphIssue, only?: ReadonlySet<Reason["reason"]>): Cause {
  if (search.explained.has(issue.uid)) return { uid: issue.uid, because: [] };
  const because = reasonsOf(search, issue);
  return {
    uid: issue.uid,
    because: only === undefined ? because : because.filter(({ reason }) => only.has(reason)),
  };
}

/**
 * The nearest ancestor that is blocked or parked, if all parents up to it are open. In a circle of parents the issue is
 * one of its own ancestors.
 */
function holderOf(graph: IssueGraph, uid: string): string | undefined {
  const seen = new Set<string>();
  let parent = parentOf(graph, uid);
  while (parent !== undefined && !seen.has(parent.uid) && isOpen(graph, parent)) {
    if (isParked(parent) || openBlockersOf(graph, parent.uid).length > 0) return parent.uid;
    seen.add(parent.uid);
    parent = parentOf(graph, parent.uid);
  }
  return undefined;
}

function parentOf(graph: IssueGraph, uid: string): GraphIssue | undefined {
  const link = graph
    .linksOf(uid)
    .find(({ type, from_uid }) => type === "parent" && from_uid === uid);
  return link === undefined ? undefined : graph.issue(link.to_uid);
}

function openBlockersOf(graph: IssueGraph, uid: string): readonly GraphIssue[] {
  return otherEnds(graph, uid, "blocks").filter((issue) => issue.status === "open");
}

function childrenOf(graph: IssueGraph, uid: string): readonly GraphIssue[] {
  return otherEnds(graph, uid, "parent");
}

/** Live issues whose link of this type points to the issue. */
function otherEnds(
  graph: IssueGraph,
  uid: string,
  type: "blocks" | "parent",
): readonly GraphIssue[] {
  return graph
    .linksOf(uid)
    .filter((link) => link.type === type && link.to_uid === uid)
    .flatMap((link) => graph.issue(link.from_uid) ?? [])
    .filter((issue) => isLive(graph, issue));
}

function isParked(issue: GraphIssue): boolean {
  return issue.metadata["someday"] === true;
}

/**
 * The default zone of an issue: that of its series, otherwise the daemon's
 * (docs/contract/cron-and-inbox.md#11-planning-dates).
 */
function zoneIn(graph: IssueGraph, { recurrence_uid }: GraphIssue, zone: string): string {
  return recurrence_uid === null ? zone : (graph.recurrence(recurrence_uid)?.timezone ?? zone);
}

/** The instant from which a scheduled issue is ready; an invalid date schedules nothing. */
export function readyFrom({ metadata }: Pick<IssueRow, "metadata">, zone: string): Instant | null {
  const { scheduled_on: value, timezone } = metadata;
  if (typeof value !== "string") return null;
  return resolvePlanningDate(value, zoneOf(value, timezone, zone)) ?? null;
}
