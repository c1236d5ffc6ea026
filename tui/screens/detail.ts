import { type DocumentView, detailUid, viewOf } from "../../src/screen/detail/detail.ts";
import { issueViewOf } from "../../src/screen/detail/shown.ts";
import type { State } from "../../src/screen/state.ts";
import { documentPane, shownDocument } from "../document/document.ts";
import { stateSpans } from "../document/head.ts";
import type { Pane } from "../layout.ts";
import { aroundTitle, paintBesideMargin, paintSpans, type SpanLine } from "../spans.ts";
import type { Paint } from "../style.ts";
import { cells, clean, wrap } from "../text.ts";
import { ends, padded, plainRow } from "./rows.ts";

/** Draws one issue: its facts, its text and one section. An issue beside a list also gets a header. */
export function drawDetail(state: State, paint: Paint, { width, height }: Pane): readonly string[] {
  const isFocused = state.window.focus === "detail";
  const view = viewOf(state);
  const { isPane } = documentPane(state);
  const bar = isPane
    ? [
        paint(
          isFocused ? "heading" : "dim",
          ends(paint, width, " DETAIL", isCut(view) ? linesText(state) : ""),
        ),
      ]
    : [];
  if (view === undefined) {
    const uid = detailUid(state);
    const error = uid === undefined ? undefined : state.detail.known.get(uid)?.error;
    const text = uid === undefined ? "" : (error ?? "loading...");
    const role = error === undefined ? "dim" : "error";
    const lines = wrap(text, width - 1).map((line) => plainRow(paint, width, ` ${line}`, role));
    return padded([...bar, ...lines], width, height);
  }
  const chosen = isFocused ? state.detail.chosenRef : undefined;
  const lines = shownLines(state, view).map((line) =>
    paintBesideMargin(paint, width, line, chosen),
  );
  return padded([...bar, ...lines], width, height);
}

function isCut(view: DocumentView | undefined): boolean {
  return view !== undefined && view.document.lines > view.document.height;
}

function shownLines(state: State, { document, top }: DocumentView): readonly SpanLine[] {
  const { lines = [] } = shownDocument(state, detailUid(state) ?? "") ?? {};
  return lines.slice(top, top + document.height);
}

/** Draws the line above an issue when the issue covers the whole screen. */
export function detailStatus(state: State, paint: Paint, width: number): string {
  const uid = state.detail.open.at(-1) ?? "";
  const shown = issueViewOf(state, uid, state.detail.known.get(uid));
  if (shown === undefined) return plainRow(paint, width, ` ${uid}`, "dim");
  const { qualified_id, title } = shown.issue;
  const id: SpanLine = [{ text: ` ${clean(qualified_id)}`, role: "ref" }, { text: "  " }];
  const line = aroundTitle(id, { text: title, role: "bold" }, stateSpans(shown), width - 1);
  return paintSpans(paint, width, line);
}

export function isDrawingCut(state: State): boolean {
  const view = viewOf(state);
  if (view === undefined) return false;
  return shownLines(state, view)
    .flat()
    .some(({ isDrawn, text, size = 0 }) => isDrawn === true && cells(clean(text)) > size);
}

export function linesText(state: State): string {
  const view = viewOf(state);
  if (view === undefined) return "";
  return linesShown(view.top, view.document.height, view.document.lines);
}

export function linesShown(top: number, height: number, count: number): string {
  return `lines ${top + 1}-${Math.min(top + height, count)} of ${count}`;
}
