import { addTo } from "../../base/lists.ts";
import type { Issue } from "../issues/issues.ts";
import { type RelationInputs, relationsOf } from "../issues/relations.ts";
import { minuteOf } from "../minute.ts";
import type { State } from "../state.ts";
import { STATE_LANES } from "./lanes.ts";
import { type Row, sortedPlaces } from "./order.ts";
import { flatRow, matchesOf, type RowsInput } from "./rows.ts";
import { GROUPED_VIEWS, type GroupedView, type View } from "./state.ts";

/** A heading of the list, and the rows from `start` up to, but not including, `end`. A folded group has no rows. */
export interface Group {
  /** A state, an owner, a priority or a project; empty for issues without a value. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The number of issues in the group, even while the group is folded. */
  readonly count: number;
  readonly isFolded: boolean;
  /** The line of the heading. The group's rows follow on the next lines. */
  readonly line: number;
}

export type BoardLine = Group | Row;

export interface Groups {
  readonly groups: readonly Group[];
  /** The rows of the groups that are not folded. */
  readonly rows: readonly Row[];
  /** The headings and rows in the order in which they are drawn. */
  readonly lines: readonly BoardLine[];
}

export function isHeading(line: BoardLine): line is Group {
  return "line" in line;
}

/** Whether the list has headings. Search results are always one list without headings, the best match first. */
export function isGrouped({ board: { view, search } }: Pick<State, "board">): boolean {
  return search?.found === undefined && groupedView(view) !== undefined;
}

function groupedView(view: View): GroupedView | undefined {
  return GROUPED_VIEWS.find((known) => known === view);
}

interface Input extends RelationInputs, Pick<RowsInput, "truth" | "query" | "order"> {
  readonly view: View;
  readonly foldedGroups: ReadonlySet<string>;
}

export function groupsOf(state: State): Groups {
  const { memo, issues, board, writes, now, preferences } = state;
  const { truth } = writes;
  const { query, view, order, foldedGroups } = board;
  const input: Input = { memo, issues, truth, query, view, order, foldedGroups, now, preferences };
  return memo.last(compute, { ...input, now: minuteOf(now) });
}

function compute(input: Input): Groups {
  const { memo, issues, order, view, foldedGroups } = input;
  const matches = matchesOf(input);
  const nameOf = namer(input);
  const named = new Map<string, Row[]>();
  for (const place of sortedPlaces(memo, order, issues)) {
    const { issue } = place;
    if (issue !== undefined && matches.has(issue))
      addTo(named, nameOf(issue), flatRow(place, issue));
  }
  const groups: Group[] = [];
  const rows: Row[] = [];
  const lines: BoardLine[] = [];
  for (const name of inOrder(view, named.keys())) {
    const own = named.get(name) ?? [];
    const isFolded = foldedGroups.has(foldName(view, name));
    const shown = isFolded ? [] : own;
    const [start, count] = [rows.length, own.length];
    const group = { name, start, end: start + shown.length, count, isFolded, line: lines.length };
    groups.push(group);
    lines.push(group);
    for (const row of shown) {
      rows.push(row);
      lines.push(row);
    }
  }
  return { groups, rows, lines };
}

function namer(input: Input): (issue: Issue) => string {
  switch (groupedView(input.view)) {
    case "by-owner":
      return ({ owner }) => owner ?? "";
    case "by-priority":
      return ({ priority }) => (priority === undefined ? "" : `P${priority}`);
    case "by-project":
      return ({ project_name }) => project_name;
    case "by-state":
    case undefined: {
      const relations = relationsOf(input);
      return (issue) => STATE_LANES[relations.standingOf(issue)];
    }
  }
}

/** Sorts states in the order of the lanes, and other groups by name. The group without a value comes last. */
function inOrder(view: View, names: Iterable<string>): readonly string[] {
  const states: readonly string[] = view === "by-state" ? Object.values(STATE_LANES) : [];
  const place = (name: string): string => {
    const at = states.indexOf(name);
    if (at !== -1) return `0${at}`;
    return name === "" ? "2" : `1${name}`;
  };
  return [...names].sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

/**
 * The name under which the state stores a folded group. It begins with the view, because groups of two views may have
 * the same name.
 */
export function foldName(view: View, group: string): string {
  return `${view} ${group}`;
}

export function groupTitle({ board: { view } }: Pick<State, "board">, { name }: Group): string {
  if (name !== "") return name;
  return view === "by-priority" ? "no priority" : "(nobody)";
}

export function groupAt({ groups }: Groups, row: number): Group | undefined {
  return groups.find(({ start, end }) => row >= start && row < end);
}

/** The group whose heading is above the line and nearest to it. */
export function groupOver({ groups }: Pick<Groups, "groups">, line: number): Group | undefined {
  return groups.findLast((group) => group.line < line);
}

/** Returns the index of the row that is drawn on `line`, which must be below the heading of the group. */
export function rowOnLine({ start, line: heading }: Group, line: number): number {
  return start + line - heading - 1;
}
