import type { Instant } from "../../src/base/clock.ts";
import type { Issue, Issues } from "./issues.ts";
import { type Order, type Place, sorted } from "./order.ts";
import { isMatch, parseQuery } from "./query.ts";
import { relationsOf } from "./relations.ts";

/** A line of the board. */
export interface Row {
  readonly issue: Issue;
  readonly depth: number;
  /** Shown only because something below it matches. */
  readonly context: boolean;
  readonly fold: "leaf" | "open" | "folded";
}

export interface RowsInput {
  readonly issues: Issues;
  /** Issues that a write is under way for, as they are without it: they stay on the board until it is answered. */
  readonly truth: ReadonlyMap<string, Issue>;
  readonly query: string;
  readonly flat: boolean;
  readonly order: Order;
  readonly folded: ReadonlySet<string>;
  readonly now: Instant;
}

/** The board's lines, nested below their parents or flat; computed anew only when something they come from changed. */
export function rowsOf(input: RowsInput): readonly Row[] {
  const known = last?.input;
  // A scheduled day begins at most a minute late.
  const same =
    known !== undefined &&
    known.issues === input.issues &&
    known.truth === input.truth &&
    known.query === input.query &&
    known.flat === input.flat &&
    known.order === input.order &&
    known.folded === input.folded &&
    known.now.slice(0, 16) === input.now.slice(0, 16);
  if (last === undefined || !same) last = { input, rows: compute(input) };
  return last.rows;
}

let last: { readonly input: RowsInput; readonly rows: readonly Row[] } | undefined;

function compute(input: RowsInput): readonly Row[] {
  const { issues, flat, order, folded } = input;
  const matches = withPending(relationsOf(input).found(input.query), input);
  const places = sorted(order, issues);
  if (!flat) return nested(places, matches, folded);
  const rows: Row[] = [];
  for (const { issue } of places) {
    if (issue !== undefined && matches.has(issue))
      rows.push({ issue, depth: 0, context: false, fold: "leaf" });
  }
  return rows;
}

/** A row that a write takes off the board stays until it is answered, so that the person sees what becomes of it. */
function withPending(
  found: ReadonlySet<Issue>,
  { issues, truth, query: text }: RowsInput,
): ReadonlySet<Issue> {
  if (truth.size === 0) return found;
  const query = parseQuery(text);
  const { status } = query;
  const wanted = status === "blocked" || status === "waiting" ? status : "ready";
  const all = new Set(found);
  for (const [uid, real] of truth) {
    const shown = issues.get(uid);
    const isThere = isMatch(real, query, real.status === "open" ? wanted : "closed");
    if (shown !== undefined && isThere) all.add(shown);
  }
  return all;
}

/** Tells what is shown in one reading from what was in those before, without forgetting anything in between. */
let reading = 0;

/** What matches, and the ancestors that lead to it, so that each stands below its parent. */
function nested(
  places: readonly Place[],
  matches: ReadonlySet<Issue>,
  folded: ReadonlySet<string>,
): readonly Row[] {
  reading += 1;
  for (const place of places) {
    if (place.issue === undefined || !matches.has(place.issue)) continue;
    for (let at: Place | undefined = place; at?.issue !== undefined; at = at.parent) {
      if (at.reading === reading) break;
      at.reading = reading;
      at.children = NONE;
    }
  }
  const roots: Place[] = [];
  for (const place of places) {
    if (place.reading !== reading) continue;
    const { parent } = place;
    if (parent?.issue === undefined) roots.push(place);
    else if (parent.children.length === 0) parent.children = [place];
    else parent.children.push(place);
  }
  const rows: Row[] = [];
  const add = ({ issue, children }: Place, depth: number): void => {
    if (issue === undefined) return;
    const isFolded = folded.has(issue.uid);
    const fold = children.length === 0 ? "leaf" : isFolded ? "folded" : "open";
    rows.push({ issue, depth, context: !matches.has(issue), fold });
    if (!isFolded) for (const child of children) add(child, depth + 1);
  };
  for (const root of roots) add(root, 0);
  return rows;
}

const NONE: Place[] = [];
