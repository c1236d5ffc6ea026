import type { StoredEvent } from "../../contract/events.ts";
import type { UNDO_FIELDS } from "../../contract/undo.ts";
import { writerOf } from "../../domain/federation/bound-actor.ts";
import { qualifiedId } from "../../domain/refs.ts";
import type { Facet, FacetValue } from "../../domain/undo/facets.ts";
import { undoingOf } from "../../domain/undo/kinds.ts";
import type { Revert } from "../../domain/undo/plan.ts";
import type { PurgedName } from "../../store/types/events.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { Conflict, ConflictReason } from "./checks.ts";

export interface Names {
  readonly issues: ReadonlyMap<string, StoredIssue>;
  readonly projects: ReadonlyMap<string, StoredProject>;
  /** The current issue of each series after the undo. The answer names a series by this issue. */
  readonly current: ReadonlyMap<string, string>;
}

/** What an undo changes in one issue, as answers contain it. */
export function revertOut(revert: Revert, names: Names) {
  const { facet, events } = revert;
  return {
    ...placeOut(facet, names),
    from: valueOut(facet, revert.from, names),
    to: valueOut(facet, revert.to, names),
    event_ids: events.map(({ id }) => id),
  };
}

/** How many later events are named for a conflict. */
const NAMED_LATER = 5;

/** A conflict that an undo has found, as answers contain it. */
export function conflictOut({ facet, reason, events, later }: Conflict, names: Names) {
  const place = placeOut(facet, names);
  return {
    ...place,
    reason,
    event_ids: events.map(({ id }) => id),
    later: later.slice(-NAMED_LATER).map((event) => {
      const { id, type, created_at } = event;
      return { event_id: id, type, actor: writerOf(event), at: created_at };
    }),
    message: `${place.qualified_id}: ${MESSAGES[reason](nounOf(place), later)}`,
  };
}

const MESSAGES: Readonly<
  Record<ConflictReason, (what: string, later: readonly StoredEvent[]) => string>
> = {
  changed_later: (what, later) => `${what} was changed later by ${actorsOf(later)}`,
  leased: () => "somebody else holds its lease",
  project_archived: () => "its project is archived or gone",
  open_children: () => "it was closed, but has open children now",
  parent_circle: () => "its parent has become a child of it",
};

function actorsOf(events: readonly StoredEvent[]): string {
  return [...new Set(events.map(writerOf))].join(", ");
}

function nounOf({ field, name }: { readonly field: string; readonly name?: string }): string {
  if (field === "issue") return "the issue";
  return name === undefined || field === "parent" ? `its ${field}` : `its ${field} ${name}`;
}

function placeOut(facet: Facet, names: Names) {
  const uid = facet.of === "series" ? (names.current.get(facet.uid) ?? "") : facet.uid;
  const issue = names.issues.get(uid);
  const name = nameOf(facet, names);
  return {
    issue_uid: uid,
    qualified_id: issueName(uid, names),
    issue_title: issue?.title ?? "",
    field: fieldOf(facet),
    ...(name === undefined ? {} : { name }),
  };
}

function fieldOf(facet: Facet): (typeof UNDO_FIELDS)[number] {
  if (facet.of !== "issue") return facet.of;
  return facet.field === "exists" ? "issue" : facet.field;
}

function nameOf(facet: Facet, names: Names): string | undefined {
  switch (facet.of) {
    case "metadata":
      return facet.key;
    case "label":
      return facet.label;
    case "comment":
      return facet.comment;
    case "link":
      return `${facet.type} ${issueName(facet.peer, names)}`;
    case "issue":
    case "parent":
    case "lease":
    case "series":
      return undefined;
  }
}

export function issueName(uid: string, { issues }: Names): string {
  const issue = issues.get(uid);
  return issue === undefined ? uid : qualifiedId(issue.project_name, issue.short_id);
}

type Value = string | number | boolean | null;

function valueOut(facet: Facet, value: FacetValue, names: Names): Value {
  if (facet.of === "label" || facet.of === "link") return value === true;
  if (facet.of === "series") return Array.isArray(value) ? scalarOut(value[0]) : null;
  if (facet.of === "parent") return typeof value === "string" ? issueName(value, names) : null;
  if (facet.of === "issue") {
    if (facet.field === "exists") return value === true;
    if (facet.field === "deleted") return typeof value === "string";
    if (facet.field === "status") return Array.isArray(value) ? scalarOut(value[0]) : null;
    if (facet.field === "project") return names.projects.get(`${scalarOut(value)}`)?.name ?? null;
  }
  return scalarOut(value);
}

function scalarOut(value: FacetValue): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  return JSON.stringify(value);
}

/** Describes the changes by the actor that cannot be undone, with the reasons. */
export function keptOut(
  events: readonly StoredEvent[],
  purges: readonly PurgedName[],
  names: Names,
) {
  return [
    ...events.flatMap((event) => {
      const { id, type, issue_uid, created_at } = event;
      const undoing = undoingOf(event);
      if (typeof undoing === "string") return [];
      const place = issue_uid === undefined ? {} : { qualified_id: issueName(issue_uid, names) };
      return [{ event_id: id, type, ...place, at: created_at, reason: undoing.stays }];
    }),
    ...purges.map(({ project_name, short_id, purged_at }) => ({
      event_id: 0,
      type: short_id === null ? "project purge" : "issue purge",
      qualified_id: short_id === null ? project_name : qualifiedId(project_name, short_id),
      at: purged_at,
      reason: "what was purged is gone for ever",
    })),
  ];
}
