import { boardRows, cursorIndex, placeOf } from "../../src/screen/board/board.ts";
import { shownIssue } from "../../src/screen/chosen.ts";
import { hasMore } from "../../src/screen/cron/cron.ts";
import { isRecentlyChanged } from "../../src/screen/events.ts";
import type { Glyphs } from "../../src/screen/glyphs.ts";
import { problemIn } from "../../src/screen/issues/query.ts";
import { keyFor } from "../../src/screen/keymap.ts";
import { cursorOf, rowCount } from "../../src/screen/lines.ts";
import type { State } from "../../src/screen/state.ts";
import { failureOf } from "../../src/screen/writes/failed.ts";
import { pageView } from "../document/versions.ts";
import { errorLines, messageRows } from "../room.ts";
import type { Paint } from "../style.ts";
import { cells, clean, fit } from "../text.ts";
import { isDrawingCut, linesShown, linesText } from "./detail.ts";
import { graphHint } from "./graph.ts";
import { ends } from "./rows.ts";

/**
 * Returns the message line: the last message and the cursor's position in the list. An error may take several lines.
 * The position is left out if it does not fit.
 */
export function messageLines(state: State, paint: Paint, width: number): readonly string[] {
  const { lines, isError } = saidIn(state, paint.glyphs);
  const upper = lines.slice(0, messageRows(state) - 1);
  const [first = "", ...more] = lines.slice(upper.length);
  const rest = [first, ...more.map((line) => line.trimStart())].join(" ");
  const drawn = [
    ...upper.map((line) => fit(line, width, paint.glyphs.cut)),
    lastLine(state, paint, width, rest),
  ];
  return isError ? drawn.map((line) => paint("error", line)) : drawn;
}

function lastLine(state: State, paint: Paint, width: number, text: string): string {
  const { glyphs } = paint;
  const place = placeText(state, glyphs);
  const isWhole = cells(text) + cells(place) + 2 <= width;
  return isWhole
    ? ends(paint, width, text, place === "" ? "" : `${place} `)
    : fit(shortened(text, width, moreOf(state), glyphs.cut), width);
}

interface ShownMessage {
  readonly lines: readonly string[];
  readonly isError: boolean;
}

const plainMessage = (text: string): ShownMessage => ({
  lines: [` ${clean(text)}`],
  isError: false,
});
const wrong = (text: string): ShownMessage => ({ ...plainMessage(`! ${text}`), isError: true });

function saidIn(state: State, glyphs: Glyphs): ShownMessage {
  const { notice } = state.messages;
  if (notice?.tone === "error") return { lines: errorLines(state), isError: true };
  if (notice !== undefined) return plainMessage(notice.text);
  // The error of a refused write is repeated on one line while its issue is under the cursor.
  const failure = failureOf(state, shownIssue(state));
  if (failure !== undefined) return wrong(`${failure.text}   ${keyFor(state, "edit")} tries again`);
  const problem = isOnBoard(state) ? problemIn(state.board.query) : undefined;
  if (problem !== undefined) return wrong(problem);
  if (isRecentlyChanged(state)) return plainMessage(`! ${state.detail.touched?.text ?? ""}`);
  return plainMessage(quietText(state, glyphs));
}

function quietText(state: State, { context }: Glyphs): string {
  const { live, readOnly } = state.connection;
  if (live === "reconnecting")
    return `the daemon does not answer: ${keyFor(state, "reload")} tries it now`;
  if (live === "refused") return `${readOnly}   ${keyFor(state, "reload")} tries again`;
  if (state.screen === "inbox" && state.detail.open.length === 0)
    return "reading does not clear a request";
  if (state.screen === "graph" && state.detail.open.length === 0) return graphHint(state);
  if (state.window.focus === "detail" && isDrawingCut(state))
    return `${keyFor(state, "raw-text")} shows the lines that are cut in full`;
  const isList = isOnBoard(state) && state.window.focus === "list";
  const isContext = isList && boardRows(state)[cursorIndex(state)]?.context === true;
  return isContext ? `${context} does not match the filter: shown for what is below it` : "";
}

function isOnBoard({ screen, detail: { open } }: State): boolean {
  return screen === "board" && open.length === 0;
}

/**
 * Returns a note with the key that lists all messages in full. The note is empty for a hint about keys, because the
 * list does not contain such hints.
 */
function moreOf(state: State): string {
  const { notice, all } = state.messages;
  const isKept = notice === undefined || all.includes(notice);
  return isKept ? `   ${keyFor(state, "messages")} shows all` : "";
}

/** Cuts the middle of a long message, because its end says how to fix the problem. */
function shortened(text: string, width: number, more: string, cut: string): string {
  if (cells(text) <= width) return text;
  const room = width - cells(more);
  const ends = [text.lastIndexOf(": "), text.lastIndexOf("   ")]
    .filter((at) => at > 0)
    .sort((a, b) => a - b)
    .map((at) => ({ start: text.slice(0, at), end: text.slice(at) }));
  const kept = ends.find(({ end }) => cells(end) <= room - MIN_START);
  if (kept === undefined) return fit(text, room, cut) + more;
  return fit(kept.start, room - cells(kept.end), cut) + kept.end + more;
}

/** At least this many cells of the start of a cut message are shown. */
const MIN_START = 10;

function placeText(state: State, { context }: Glyphs): string {
  const { open } = state.detail;
  const { focus } = state.window;
  if (open.length > 0 || focus === "detail") return linesText(state);
  const { screen } = state;
  if (screen === "projects" || screen === "fleet") return "";
  const page = pageView(state);
  if (page !== undefined) return linesShown(page.top, page.height, page.lines.length);
  const isBoard = screen === "board";
  const { at, count } = isBoard
    ? placeOf(state)
    : { at: cursorOf(state) + 1, count: rowCount(state) };
  if (count === 0) return "";
  const isMarked = state.marks.size > 0 && (isBoard || screen === "inbox");
  const marked = isMarked ? `  ${state.marks.size} marked` : "";
  const more = screen === "cron" && hasMore(state.cron) ? "+" : "";
  return `${at === 0 ? context : at}/${count}${more}${marked}`;
}
