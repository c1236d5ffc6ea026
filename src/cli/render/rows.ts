import { counted } from "../../base/counted.ts";
import type { listIssues } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import { oneLine } from "../../shared/text.ts";
import type { Paint, Style, Tone } from "./palette.ts";
import { cut, padEnd, widthOf } from "./width.ts";

type IssueOut = Output<typeof listIssues>["issues"][number];

export type RowIssue = Pick<IssueOut, "uid" | "short_id" | "qualified_id" | "title" | "status"> &
  Partial<Pick<IssueOut, "priority" | "owner" | "labels" | "blocked" | "parent">>;

export interface RowOptions {
  readonly qualified: boolean;
  /** Shown for an issue without an owner. */
  readonly nobody: string;
}

export const GLYPHS = { open: "○", blocked: "●", closed: "✓" } as const;
type State = keyof typeof GLYPHS;

export function stateOf(issue: RowIssue): State {
  if (issue.status === "closed") return "closed";
  return issue.blocked === true ? "blocked" : "open";
}

export function flatRows(
  issues: readonly RowIssue[],
  options: RowOptions,
  style: Style,
): readonly string[] {
  const width = idWidth(issues, options);
  return issues.map((issue) => issueRow(issue, "", width, options, style));
}

/** Children stand below a parent in the same list; an issue without one keeps its place. */
export function nestedRows(
  issues: readonly RowIssue[],
  options: RowOptions,
  style: Style,
): readonly string[] {
  const width = idWidth(issues, options);
  const listed = new Set(issues.map(({ uid }) => uid));
  const children = new Map<string, RowIssue[]>();
  for (const issue of issues) {
    const above =
      issue.parent !== undefined && listed.has(issue.parent.uid) ? issue.parent.uid : "";
    const siblings = children.get(above);
    if (siblings === undefined) children.set(above, [issue]);
    else siblings.push(issue);
  }
  const rows: string[] = [];
  const add = (level: readonly RowIssue[], indent: string): void => {
    for (const [place, issue] of level.entries()) {
      const last = place === level.length - 1;
      const nested = issue.parent !== undefined && listed.has(issue.parent.uid);
      rows.push(
        issueRow(issue, nested ? `${indent}${last ? "└─ " : "├─ "}` : "", width, options, style),
      );
      add(children.get(issue.uid) ?? [], nested ? `${indent}${last ? "   " : "│  "}` : "");
    }
  };
  add(children.get("") ?? [], "");
  return rows;
}

function idWidth(issues: readonly RowIssue[], { qualified }: RowOptions): number {
  return issues.reduce((widest, issue) => Math.max(widest, widthOf(shownId(issue, qualified))), 4);
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
  // Beside the title: lead, glyph, id, priority and owner with the spaces between them, and each tag in brackets.
  const fixed = "○ ".length + width + "  • P1  ".length + " ".length;
  const bracketed = tags.reduce((sum, tag) => sum + tag.length + "[] ".length, 0);
  const taken = widthOf(lead) + fixed + bracketed + widthOf(owner);
  const title =
    columns === undefined
      ? oneLine(issue.title)
      : cut(oneLine(issue.title), Math.max(16, columns - taken));
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
  // An import from another tracker keeps issue types as such labels.
  const carries = (tag: string): boolean => labels.includes(tag) || labels.includes(`type:${tag}`);
  return (["epic", "bug"] as const).filter(carries);
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

/** The rule, the totals and the legend below a list (facts cli-and-config 1.6). */
export function listFooter(
  issues: readonly RowIssue[],
  truncated: boolean,
  { paint }: Style,
): readonly string[] {
  const count = (state: State): number => issues.filter((issue) => stateOf(issue) === state).length;
  const parts = `${count("open")} open, ${count("blocked")} blocked, ${count("closed")} closed`;
  return [
    "",
    paint("faint", "─".repeat(50)),
    `${truncated ? "Showing" : "Total"}: ${counted(issues.length, "issue")} (${parts})`,
    "",
    paint(
      "faint",
      `Status: ${GLYPHS.open} open  ${GLYPHS.blocked} blocked  ${GLYPHS.closed} closed`,
    ),
  ];
}

export function readyFooter(issues: readonly RowIssue[], { paint }: Style): readonly string[] {
  return [
    "",
    `Ready: ${counted(issues.length, "issue")} with no active blockers`,
    "",
    paint("faint", `Status: ${GLYPHS.open} open`),
  ];
}
