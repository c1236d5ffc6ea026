import { counted } from "../../base/counted.ts";
import type { listIssues } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import { oneLine } from "../../shared/text.ts";
import type { Rows } from "../output/output.ts";
import type { Paint, Style, Tone } from "./palette.ts";
import { cut, padEnd, widthOf } from "./width.ts";

type IssueOut = Output<typeof listIssues>["issues"][number];

export type RowIssue = Pick<IssueOut, "uid" | "short_id" | "qualified_id" | "title" | "status"> &
  Partial<Pick<IssueOut, "priority" | "owner" | "labels" | "blocked" | "parent">>;

export interface RowOptions {
  readonly qualified: boolean;
  /** The text in place of the owner, for an issue that nobody owns. */
  readonly nobody: string;
}

export const GLYPHS = { open: "○", blocked: "●", closed: "✓" } as const;
type State = keyof typeof GLYPHS;
export type StateCounts = Readonly<Record<State, number>>;

export function stateOf(issue: RowIssue): State {
  if (issue.status === "closed") return "closed";
  return issue.blocked === true ? "blocked" : "open";
}

export function* flatRows(
  issues: Rows<RowIssue>,
  options: RowOptions,
  style: Style,
): Generator<string> {
  let width = MIN_ID_WIDTH;
  for (const issue of issues) width = Math.max(width, idWidth(issue, options));
  for (const issue of issues) yield issueRow(issue, "", width, options, style);
}

/**
 * Yields the rows. A child stands below its parent if the parent is in the list; the other issues stay in the order of
 * the list. To save memory, only uids and positions are kept, and each issue is read from `issues` again for its row.
 * Returns how many issues are in each state.
 */
export function* nestedRows(
  issues: Rows<RowIssue>,
  options: RowOptions,
  style: Style,
): Generator<string, StateCounts> {
  const counts = { open: 0, blocked: 0, closed: 0 };
  const places = new Map<string, number>();
  const parents: (string | undefined)[] = [];
  let width = MIN_ID_WIDTH;
  for (const issue of issues) {
    counts[stateOf(issue)] += 1;
    width = Math.max(width, idWidth(issue, options));
    places.set(issue.uid, parents.length);
    parents.push(issue.parent?.uid);
  }
  const top: number[] = [];
  const children = new Map<number, number[]>();
  for (const [place, parent] of parents.entries()) {
    const above = parent === undefined ? undefined : places.get(parent);
    const siblings = above === undefined ? top : children.get(above);
    if (siblings !== undefined) siblings.push(place);
    else if (above !== undefined) children.set(above, [place]);
  }
  function* below(parent: number, indent: string): Generator<string> {
    const level = children.get(parent) ?? [];
    for (const place of level) {
      const last = place === level.at(-1);
      yield* rowAt(place, `${indent}${last ? "└─ " : "├─ "}`);
      yield* below(place, `${indent}${last ? "   " : "│  "}`);
    }
  }
  function* rowAt(place: number, lead: string): Generator<string> {
    const issue = issues.at(place);
    if (issue !== undefined) yield issueRow(issue, lead, width, options, style);
  }
  for (const place of top) {
    yield* rowAt(place, "");
    yield* below(place, "");
  }
  return counts;
}

const MIN_ID_WIDTH = 4;

function idWidth(issue: RowIssue, { qualified }: RowOptions): number {
  return widthOf(shownId(issue, qualified));
}

export function shownId(
  issue: Pick<RowIssue, "short_id" | "qualified_id">,
  qualified: boolean,
): string {
  return oneLine(qualified ? issue.qualified_id : issue.short_id);
}

function issueRow(
  issue: RowIssue,
  lead: string,
  width: number,
  options: RowOptions,
  style: Style,
): string {
  const { paint, columns } = style;
  const state = stateOf(issue);
  const id = shownId(issue, options.qualified);
  const tags = tagsOf(issue);
  const owner = `(${oneLine(issue.owner ?? options.nobody)})`;
  // Width of everything except the title: lead, glyph, id, priority, owner, the spaces between them, and tags in
  // brackets.
  const fixed = "○ ".length + width + "  • P1  ".length + " ".length;
  const bracketed = tags.reduce((sum, tag) => sum + tag.length + "[] ".length, 0);
  const usedWidth = widthOf(lead) + fixed + bracketed + widthOf(owner);
  const title =
    columns === undefined
      ? oneLine(issue.title)
      : cut(oneLine(issue.title), Math.max(16, columns - usedWidth));
  return [
    `${paint("faint", lead)}${paintState(paint, state, GLYPHS[state])} ${paint("id", id)}${padEnd("", width - widthOf(id))}`,
    `  ${priorityCell(paint, issue.priority)}  `,
    ...tags.map((tag) => `${paint(tag, `[${tag}]`)} `),
    `${title} ${paint("faint", owner)}`,
  ].join("");
}

function paintState(paint: Paint, state: State, glyph: string): string {
  return state === "open" ? glyph : paint(state, glyph);
}

function tagsOf({ labels = [] }: RowIssue): readonly ("epic" | "bug")[] {
  // An import from another tracker stores issue types as labels such as `type:bug`.
  const hasLabel = (tag: string): boolean => labels.includes(tag) || labels.includes(`type:${tag}`);
  return (["epic", "bug"] as const).filter(hasLabel);
}

const PRIORITY_TONES: Readonly<Record<number, Tone>> = {
  0: "priority0",
  1: "priority1",
  2: "priority2",
  4: "priority4",
};

function priorityCell(paint: Paint, priority: number | undefined): string {
  if (priority === undefined) return "    ";
  const tone = PRIORITY_TONES[priority];
  const text = `• P${priority}`;
  return tone === undefined ? text : paint(tone, text);
}

/** The rule, the totals and the legend below a list (docs/contract/command-line.md#16-colours-and-rows). */
export function listFooter(
  { open, blocked, closed }: StateCounts,
  truncated: boolean,
  { paint }: Style,
): readonly string[] {
  const total = counted(open + blocked + closed, "issue");
  return [
    "",
    paint("faint", "─".repeat(50)),
    `${truncated ? "Showing" : "Total"}: ${total} (${open} open, ${blocked} blocked, ${closed} closed)`,
    "",
    paint(
      "faint",
      `Status: ${GLYPHS.open} open  ${GLYPHS.blocked} blocked  ${GLYPHS.closed} closed`,
    ),
  ];
}

export function readyFooter(count: number, { paint }: Style): readonly string[] {
  return [
    "",
    `Ready: ${counted(count, "issue")} with no active blockers`,
    "",
    paint("faint", `Status: ${GLYPHS.open} open`),
  ];
}
