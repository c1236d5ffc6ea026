import {
  type IssueView,
  type IssueViewInput,
  issueViewOf,
  peerOf,
} from "../../src/screen/detail/shown.ts";
import type { Detail, DetailState } from "../../src/screen/detail/state.ts";
import { namedIssue } from "../../src/screen/issues/names.ts";
import { keyFor } from "../../src/screen/keymap.ts";
import { secondOf } from "../../src/screen/minute.ts";
import type { State } from "../../src/screen/state.ts";
import { boardLayout, plainLayout } from "../room.ts";
import { type SpanLine, widthOf, wrapSpans } from "../spans.ts";
import { cells, clean } from "../text.ts";
import { bodyLines } from "./body.ts";
import { bridgeLines } from "./bridge.ts";
import { headLines, stateSpans } from "./head.ts";
import { sectionLines, tabLines } from "./sections.ts";

/**
 * An issue drawn as lines. `refs` are the issues in it that can be selected, and `tabs` is the index of the line with
 * the section names.
 */
export interface Document {
  readonly lines: readonly SpanLine[];
  readonly refs: readonly { readonly uid: string; readonly line: number }[];
  readonly tabs: number;
}

export interface DocumentPlace {
  /** Width of the pane, including the margin for the cursor. */
  readonly columns: number;
  /** True if the document is beside a list. It then shows its own id and title. */
  readonly isPane: boolean;
}

export function documentPane(state: State): DocumentPlace & { readonly height: number } {
  const { screen } = state;
  const { open } = state.detail;
  const isBoard = open.length === 0 && screen === "board";
  const { list, detail } = isBoard ? boardLayout(state) : plainLayout(state);
  const isPane = open.length === 0 && detail !== undefined;
  const pane = isPane ? detail : { width: state.window.columns, height: list?.height ?? 2 };
  const height = isPane ? pane.height - 1 : pane.height;
  return { columns: pane.width, height: Math.max(1, height), isPane };
}

export function shownDocument(state: State, uid: string): Document | undefined {
  const { columns, isPane } = documentPane(state);
  return documentOf(state, uid, { columns, isPane });
}

const MAX_TEXT_COLUMNS = 96;
const MARGIN = 1;

type DocumentInput = DocumentPlace &
  IssueViewInput &
  Pick<DetailState, "section" | "raw"> & {
    readonly uid: string;
    readonly detail: Detail | undefined;
  };

/** Returns the document of an issue, cached until its content or the current second changes. */
export function documentOf(state: State, uid: string, place: DocumentPlace): Document | undefined {
  const { memo, issues, writes, preferences } = state;
  const { section, raw } = state.detail;
  const now = secondOf(state.now);
  const detail = state.detail.known.get(uid);
  const about = { uid, detail, section, raw };
  return memo.last(compose, { ...place, ...about, memo, issues, writes, preferences, now });
}

function compose(asked: DocumentInput): Document | undefined {
  const { uid, section, detail } = asked;
  const shown = issueViewOf(asked, uid, detail);
  if (shown === undefined) return undefined;
  const room = asked.columns - MARGIN;
  const width = Math.min(room, MAX_TEXT_COLUMNS);
  const uids: string[] = [];
  const number = (one: string): number => uids.push(one) - 1;
  const ref = (text: string): number | undefined => {
    const found = resolve(asked, shown, text);
    return found === undefined || found === uid ? undefined : number(found);
  };
  const options = { raw: asked.raw, ref, number, room };
  // Each call below numbers the issues in its lines. The numbers must increase from top to bottom of the document, so
  // the calls run in this order.
  const head = [
    ...titleLines(shown, asked, width),
    ...headLines(shown, width, number),
    ...bridgeLines(shown, width, keyFor(asked, "bridge")),
  ];
  const { body } = shown.issue;
  const text =
    body.trim() === ""
      ? [[{ text: "(no description)", role: "dim" as const }]]
      : bodyLines(body, width, options);
  const above = [...head, [], ...text, []];
  const tabs = tabLines(shown, section, width);
  const lines = [...above, ...tabs, ...sectionLines(asked, shown, width, options)];
  return { lines, refs: placesOf(lines, uids), tabs: above.length };
}

function placesOf(lines: readonly SpanLine[], uids: readonly string[]): Document["refs"] {
  const first = new Map<number, number>();
  for (const [at, line] of lines.entries())
    for (const { ref } of line) if (ref !== undefined && !first.has(ref)) first.set(ref, at);
  return uids.map((uid, ref) => ({ uid, line: first.get(ref) ?? 0 }));
}

/**
 * Returns the lines for the title of the issue. Beside a list, they always show the id and the title. Otherwise they
 * show the title only if the line above the document cuts it.
 */
function titleLines(
  shown: IssueView,
  { columns, isPane }: DocumentPlace,
  width: number,
): readonly SpanLine[] {
  const { title, qualified_id } = shown.issue;
  const whole = wrapSpans([{ text: title, role: "bold" }], width);
  if (isPane) {
    const id = [{ text: `${qualified_id}   `, role: "ref" as const }, ...stateSpans(shown)];
    return [...wrapSpans(id, width), ...whole, []];
  }
  const isCut = cells(clean(title)) > titleRoom(shown, columns);
  return isCut ? [...whole, []] : [];
}

function titleRoom(shown: IssueView, columns: number): number {
  return columns - cells(clean(shown.issue.qualified_id)) - widthOf(stateSpans(shown)) - 5;
}

/** Returns the uid of the issue that a text names: `#abc4` in its own project, `project#abc4`, or a uid. */
function resolve(known: IssueViewInput, shown: IssueView, text: string): string | undefined {
  if (!text.includes("#"))
    return peerOf(known, shown.detail, text) === undefined ? undefined : text;
  const name = text.startsWith("#") ? `${shown.project}${text}` : text;
  const peer = shown.detail?.peers?.find((one) => one.qualified_id === name);
  return (namedIssue(known, name) ?? peer)?.uid;
}
