import { type JsonValue, sameJson } from "../../base/json.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { evolve } from "../evolve/evolve.ts";
import { MemoryState } from "../memory.ts";
import type { FoldOrder } from "../order.ts";
import { isSystemKey } from "../reserved-keys.ts";
import type { ChangeOf, IssueRow, LinkRow, LinkType } from "../state.ts";
import type { FoldedTable, UndoneTable } from "../tables/tables.ts";

/**
 * The unit of undo: one thing that an event can change and another event can change again, such as a field, a label or
 * a link.
 */
export type Facet =
  | { readonly of: "issue"; readonly uid: string; readonly field: IssueField }
  | { readonly of: "metadata"; readonly uid: string; readonly key: string }
  | { readonly of: "label"; readonly uid: string; readonly label: string }
  | { readonly of: "parent"; readonly uid: string }
  | { readonly of: "link"; readonly type: LinkType; readonly uid: string; readonly peer: string }
  | { readonly of: "comment"; readonly uid: string; readonly comment: string }
  | { readonly of: "lease"; readonly uid: string }
  /** The state of a series: the day of its next issue, and its current issue. `uid` is the uid of the series. */
  | { readonly of: "series"; readonly uid: string };

export type IssueField =
  | "exists"
  | "title"
  | "body"
  | "owner"
  | "priority"
  | "status"
  | "deleted"
  | "project";

/** `undefined` means absent. */
export type FacetValue = JsonValue | undefined;

/** A change of a facet by an event. */
export interface Write {
  readonly event: StoredEvent;
  readonly facet: Facet;
  readonly before: FacetValue;
  readonly after: FacetValue;
}

/**
 * The facet of each column. `undefined` for columns that are derived or never undone, and for `metadata`, which has a
 * facet for each of its keys.
 */
const FIELD_OF: { readonly [C in keyof IssueRow]: IssueField | undefined } = {
  uid: "exists",
  project_uid: "project",
  short_id: undefined,
  title: "title",
  body: "body",
  status: "status",
  closed_reason: "status",
  owner: "owner",
  priority: "priority",
  author: undefined,
  created_at: undefined,
  updated_at: undefined,
  closed_at: "status",
  deleted_at: "deleted",
  metadata: undefined,
  revision: undefined,
  recurrence_uid: undefined,
  occurrence_key: undefined,
};

const COLUMNS = Object.keys(FIELD_OF) as readonly (keyof IssueRow)[];
const ISSUE_FIELDS = [...new Set(Object.values(FIELD_OF).filter((field) => field !== undefined))];

/** All that an undo needs to know about the issues that the undone events changed. */
export interface UndoHistory {
  /** In the order of the fold, without skipped events, which change nothing. */
  readonly events: readonly StoredEvent[];
  /** Rows of other issues that the events name. Only whether they exist matters. */
  readonly known: readonly IssueRow[];
  readonly order: FoldOrder;
}

/** The value of a field's columns, as a list if the field has several. For `exists` it is always `true`. */
function fieldOf(issue: IssueRow, field: IssueField): JsonValue {
  if (field === "exists") return true;
  const values = COLUMNS.filter((column) => FIELD_OF[column] === field).map((name) => issue[name]);
  return values.length === 1 ? (values[0] ?? null) : values;
}

/**
 * Folds the events, which are in the order of the fold, starting with the rows in `known`. `order` knows the baselines
 * of the log. `note` is called with each change of a facet. In the database, a link that leads out of the projects of a
 * hub may wait. This fold shows all such links, so an undo removes and sets them like any others.
 */
export function foldOver(
  { known, order }: Pick<UndoHistory, "known" | "order">,
  events: Iterable<StoredEvent>,
  note?: (write: Write) => void,
): MemoryState {
  const state = new MemoryState();
  state.order = order;
  for (const row of known) state.put("issue", row);
  for (const event of events) {
    const changes = evolve(state, event);
    if (note === undefined) {
      state.apply(changes);
      continue;
    }
    const facets = new Map(
      changes.flatMap((change) => facetsOf(state, change)).map((facet) => [keyOf(facet), facet]),
    );
    const before = [...facets.values()].map((facet) => [facet, valueOf(state, facet)] as const);
    state.apply(changes);
    for (const [facet, was] of before) {
      const after = valueOf(state, facet);
      if (!sameJson(was, after)) note({ event, facet, before: was, after });
    }
  }
  return state;
}

export function keyOf(facet: Facet): string {
  return Object.values(facet).join("\u0000");
}

export function valueOf(state: MemoryState, facet: Facet): FacetValue {
  switch (facet.of) {
    case "issue": {
      const issue = state.issue(facet.uid);
      return issue === undefined ? undefined : fieldOf(issue, facet.field);
    }
    case "metadata": {
      const metadata = state.issue(facet.uid)?.metadata ?? {};
      return Object.hasOwn(metadata, facet.key) ? metadata[facet.key] : undefined;
    }
    case "label":
      return state.label(facet.uid, facet.label) === undefined ? undefined : true;
    case "parent":
      return parentSet(state, facet.uid)?.to_uid;
    case "link":
      return state.link(facet.uid, facet.peer, facet.type) === undefined ? undefined : true;
    case "comment":
      return state.comment(facet.comment)?.body;
    case "lease": {
      const lease = state.row("lease", facet.uid);
      return lease?.released_at === null ? lease.claim_uid : undefined;
    }
    case "series": {
      const series = state.recurrence(facet.uid);
      return series && [series.next_occurrence_key, series.last_materialized_uid];
    }
  }
}

/**
 * Returns the link to the parent that was set for the issue, even if it waits because of a circle of parents. If such a
 * link were left out, an undo that brings the circle back would drop the parent silently instead of being a conflict.
 */
export function parentSet(state: MemoryState, uid: string): LinkRow | undefined {
  const waiting = state.waitingLinksOf(uid).filter(({ type, from_uid, to_uid }) => {
    return type === "parent" && from_uid === uid && state.issue(to_uid) !== undefined;
  });
  return state.parentLink(uid) ?? waiting[0];
}

type FacetsOf<T extends FoldedTable> = (
  change: ChangeOf<T>,
  state: MemoryState,
) => readonly Facet[];

/**
 * For each table that an undo can change: the facets that a change of a row touches. The descriptions of the other
 * folded tables say why an undo does not change them.
 */
const FACETS: { readonly [T in UndoneTable]: FacetsOf<T> } = {
  issue: (change, state) =>
    "put" in change ? issueFacets(state.issue(change.put.uid), change.put) : [],
  label(change) {
    const { issue_uid: uid, label } = "put" in change ? change.put : change.remove;
    return [{ of: "label", uid, label }];
  },
  link(change) {
    const { type, from_uid: uid, to_uid: peer } = "put" in change ? change.put : change.remove;
    return [type === "parent" ? { of: "parent", uid } : { of: "link", type, uid, peer }];
  },
  comment: (change) =>
    "put" in change ? [{ of: "comment", uid: change.put.issue_uid, comment: change.put.uid }] : [],
  lease: (change) => ("put" in change ? [{ of: "lease", uid: change.put.issue_uid }] : []),
  recurrence: (change) => ("put" in change ? [{ of: "series", uid: change.put.uid }] : []),
};

function facetsOf<T extends FoldedTable>(
  state: MemoryState,
  change: ChangeOf<T>,
): readonly Facet[] {
  const facets: { readonly [U in FoldedTable]?: FacetsOf<U> } = FACETS;
  return facets[change.table]?.(change, state) ?? [];
}

function issueFacets(before: IssueRow | undefined, after: IssueRow): readonly Facet[] {
  const { uid } = after;
  const fields = ISSUE_FIELDS.filter((field) => {
    if (before === undefined) return true;
    return !sameJson(fieldOf(before, field), fieldOf(after, field));
  });
  // Skips the keys that only the daemon writes, since a delivery is not undone
  // (docs/contract/cron-and-inbox.md#82-progress-and-origin).
  const names = [...Object.keys(before?.metadata ?? {}), ...Object.keys(after.metadata)];
  const keys = new Set(names.filter((key) => !isSystemKey(key)));
  return [
    ...fields.map((field): Facet => ({ of: "issue", uid, field })),
    ...(before?.metadata === after.metadata
      ? []
      : [...keys].map((key): Facet => ({ of: "metadata", uid, key }))),
  ];
}
