import type { Instant } from "../../base/clock.ts";
import { invalidField, SvcError } from "../../contract/errors.ts";
import { SNAPSHOT_DEFAULT_LIMIT } from "../../contract/limits.ts";
import type { Input } from "../../contract/route.ts";
import type { readUISnapshot } from "../../contract/ui-snapshot.ts";
import { isIanaZone } from "../../domain/dates.ts";
import {
  DATED_VIEWS,
  type DatedView,
  isDay,
  isInView,
  type Today,
  writtenBounds,
} from "../../domain/planning-days.ts";
import { parseRef } from "../../domain/refs.ts";
import { textSearch } from "../../domain/text-part.ts";
import type { PageFilter, Relationship } from "../../store/types/issues.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import { lowerCaseLabels } from "../issues/filter.ts";

type Query = Input<typeof readUISnapshot>["query"];
type Status = "open" | "closed" | "ready";

/** A request for the content of a browser page, in normal form: equal requests give equal values. */
export interface SnapshotRequest {
  readonly view: string;
  readonly project_uid: string | undefined;
  /** Empty for any status. */
  readonly statuses: readonly Status[];
  readonly owners: readonly string[];
  readonly labels: readonly string[];
  readonly relationships: readonly Relationship[];
  readonly text: string;
  readonly selected_issue_uid: string | undefined;
  readonly include_graph: boolean;
  readonly include_history: boolean;
  /** Set only for views by date. */
  readonly today: Today | undefined;
  readonly limit: number;
}

export function snapshotRequest(query: Query): SnapshotRequest {
  const { project_uid, selected_issue_uid, limit = SNAPSHOT_DEFAULT_LIMIT } = query;
  const named = (query.view ?? "").trim().toLowerCase();
  const view = named !== "" ? named : project_uid === undefined ? "inbox" : "project";
  return {
    view,
    project_uid: project_uid?.toUpperCase(),
    statuses: statusesOf(query.status ?? VIEW_STATUS.get(view) ?? []),
    owners: trimmedValues(query.owner),
    labels: lowerCaseLabels(trimmedValues(query.label)).toSorted(),
    relationships: [...new Set(query.relationship)].sort(),
    text: (query.text ?? "").trim().toLowerCase(),
    selected_issue_uid: selected_issue_uid === undefined ? undefined : wholeUid(selected_issue_uid),
    include_graph: query.include_graph === true,
    include_history: query.include_history === true,
    today: isDated(view) ? todayOf(view, query) : undefined,
    limit,
  };
}

const VIEW_STATUS: ReadonlyMap<string, readonly Status[]> = new Map([
  ["inbox", ["open"]],
  ["all-open", ["open"]],
  ["today", ["open"]],
  ["upcoming", ["open"]],
  ["deadlines", ["open"]],
  ["logbook", ["closed"]],
]);

function statusesOf(requested: readonly (Status | "all")[]): readonly Status[] {
  const statuses = new Set(requested);
  if (statuses.has("all") || (statuses.has("open") && statuses.has("closed"))) return [];
  if (statuses.has("open")) statuses.delete("ready");
  return [...statuses].filter((status) => status !== "all").sort();
}

function trimmedValues(values: readonly string[] = []): readonly string[] {
  return [...new Set(values.map((value) => value.trim()))].filter((value) => value !== "").sort();
}

function wholeUid(text: string): string {
  const ref = parseRef(text);
  if (ref?.kind === "uid") return ref.uid;
  const field = "selected_issue_uid";
  const message = `${field}: must be a whole uid`;
  throw new SvcError("validation", { field, search_ref: text }, { message });
}

function isDated(view: string): view is DatedView {
  return (DATED_VIEWS as readonly string[]).includes(view);
}

function todayOf(view: DatedView, { local_date, time_zone }: Query): Today {
  const isNeeded = `is required for the view ${view}`;
  if (local_date === undefined) throw invalidField("local_date", isNeeded);
  if (!isDay(local_date)) throw invalidField("local_date", "must be a day, YYYY-MM-DD");
  if (time_zone === undefined) throw invalidField("time_zone", isNeeded);
  if (!isIanaZone(time_zone))
    throw invalidField("time_zone", "must be an IANA zone such as Europe/Berlin");
  return { local_date, time_zone };
}

/**
 * How to find the issues that a page lists: a filter for the database, and `accepts`, which then checks each issue that
 * the database found.
 */
export interface IssueSearch {
  readonly filter: PageFilter;
  readonly ready?: { readonly now: Instant; readonly containers: true };
  /** Absent if the filter alone is exact. */
  readonly accepts?: (issue: StoredIssue) => boolean;
}

export function soughtIssues(request: SnapshotRequest, now: Instant): IssueSearch {
  const { view, today, statuses, owners, labels, relationships, text } = request;
  const search = text === "" ? undefined : textSearch(text);
  const dates = isDated(view) && today !== undefined ? { view, today } : undefined;
  const checks: ((issue: StoredIssue) => boolean)[] = [];
  if (dates !== undefined)
    checks.push(({ metadata }) => isInView(dates.view, metadata, dates.today));
  if (search !== undefined && !search.isWhole)
    checks.push(({ title, short_id, body }) => [title, short_id, body].some(search.isIn));
  const [status, ...more] = statuses;
  const isReadyAlone = status === "ready" && more.length === 0;
  return {
    filter: {
      ...(owners.length === 0 ? {} : { owners }),
      ...(labels.length === 0 ? {} : { any_labels: labels }),
      ...(relationships.length === 0 ? {} : { related: relationships }),
      ...(search === undefined || search.stable === ""
        ? {}
        : { contains: { text: search.stable } }),
      ...(dates === undefined ? {} : { dated: writtenBounds(dates.view, dates.today) }),
      ...(more.length === 0 && (status === "open" || status === "closed") ? { status } : {}),
      ...(more.includes("ready") ? { ready_if_open: now } : {}),
    },
    ...(isReadyAlone ? { ready: { now, containers: true } } : {}),
    ...(checks.length === 0
      ? {}
      : { accepts: (issue: StoredIssue) => checks.every((check) => check(issue)) }),
  };
}
