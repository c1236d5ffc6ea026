import { counted } from "../../src/base/counted.ts";
import { type IssueView, issueViewOf } from "../../src/screen/detail/shown.ts";
import { emptyOf } from "../../src/screen/empty.ts";
import {
  addressesOf,
  isMarked,
  requestIssue,
  requestUnderCursor,
} from "../../src/screen/inbox/inbox.ts";
import type { InboxItem } from "../../src/screen/inbox/state.ts";
import type { State } from "../../src/screen/state.ts";
import { timeText } from "../../src/screen/times.ts";
import { bodyLines } from "../document/body.ts";
import { stateSpans } from "../document/head.ts";
import { sectionLines } from "../document/sections.ts";
import type { Pane } from "../layout.ts";
import { aroundTitle, paintSpans, type Span, type SpanLine } from "../spans.ts";
import type { Paint } from "../style.ts";
import { clean, unreadLines } from "../text.ts";
import { timeCells, timeHeader } from "../times.ts";
import { MARK_CELLS } from "./columns.ts";
import { drawEmpty, drawError } from "./empty.ts";
import { type Cell, cellsRow, ends, padded, type RowsIn, roomBeside, rowsAround } from "./rows.ts";

const PREVIEW_PART = 0.45;

export function drawInbox(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const { requests = [], error, cursor } = state.inbox;
  const when = timeHeader(state, "AGE");
  const names = cellsOf(state, width, "", ["FROM", "ISSUE", "MESSAGE", "TO", when]);
  const head = [cellsRow(paint, width, names, "heading"), ...drawError(error, paint, width)];
  const empty = emptyOf(state);
  if (empty !== undefined) {
    const lines = error === undefined ? drawEmpty(empty, paint, width) : [];
    return padded([...head, ...lines], width, height);
  }
  const preview = requestPreview(state, width, Math.floor(height * PREVIEW_PART));
  const room = roomOf(head.length, preview, height);
  const lines = rowsAround(requests, cursor, room, (item, isCursor) =>
    requestRow(state, paint, width, item, isCursor),
  );
  const below = preview.map((line) => paintSpans(paint, width, line));
  return [...padded([...head, ...lines], width, height - below.length), ...below];
}

function roomOf(head: number, preview: readonly SpanLine[], height: number): number {
  return Math.max(1, height - head - preview.length);
}

export function requestsIn(state: State, { width, height }: Pane): RowsIn {
  const head = 1 + unreadLines(state.inbox.error, width).length;
  const preview = requestPreview(state, width, Math.floor(height * PREVIEW_PART));
  return { head, room: roomOf(head, preview, height) };
}

export function inboxStatus(state: State, paint: Paint, width: number): string {
  const { requests, all } = state.inbox;
  const countText = requests === undefined ? "" : `   ${counted(requests.length, "request")}`;
  const left = ` for ${addressesOf(state).join(", ")}${countText}`;
  const right = width < 60 ? "" : `A ${all ? "one address" : "all addresses"}   oldest first `;
  return paint("dim", ends(paint, width, clean(left), right));
}

type Texts = readonly [from: string, ref: string, message: string, to: string, when: string];

function cellsOf(
  how: Pick<State, "preferences">,
  width: number,
  mark: string,
  [from, ref, message, to, when]: Texts,
): Cell[] {
  const time = timeCells(how);
  const isWide = width >= 100;
  const [froms, refs] = [isWide ? 14 : 8, isWide ? 18 : width < 60 ? 10 : 14];
  const tos = width < 60 ? 0 : isWide ? 14 : 8;
  const rest = roomBeside(width, [MARK_CELLS + froms, refs, tos, time]);
  return [
    { text: mark, width: MARK_CELLS },
    { text: from, width: froms, role: "ref", isName: true, joined: true },
    { text: ref, width: refs },
    { text: message, width: Math.max(4, rest) },
    { text: to, width: tos, role: "dim", isName: true },
    { text: when, width: time, right: true, role: "dim" },
  ];
}

export const UNREADABLE = "(unreadable request)";

function requestRow(
  state: State,
  paint: Paint,
  width: number,
  item: InboxItem,
  isCursor: boolean,
): string {
  const { from = "-", ref, message, to, requested_at: at } = item;
  const when = at === undefined ? "" : timeText(state, at);
  const { marked, cursor } = paint.glyphs;
  const mark = `${isCursor ? cursor : " "}${isMarked(state, item) ? marked : " "}`;
  const line = (message ?? UNREADABLE).replaceAll("\n", " ");
  const row = cellsOf(state, width, mark, [from, ref, line, to, when]);
  return cellsRow(paint, width, row, isCursor ? "cursor" : undefined);
}

/** The lines about the request under the cursor, at most `height`: the issue, the message, and the last comments. */
export function requestPreview(state: State, width: number, height: number): readonly SpanLine[] {
  const item = requestUnderCursor(state);
  if (item === undefined || height < 4) return [];
  const uid = requestIssue(state);
  const shown =
    uid === undefined ? undefined : issueViewOf(state, uid, state.detail.known.get(uid));
  const text = item.message ?? `${UNREADABLE}: ${item.fault ?? ""}; c clears it`;
  const options = { raw: true, ref: () => undefined, room: width };
  const requestLines = bodyLines(text, width, options);
  const above = [[], titleLine(item, shown, width), ...requestLines];
  if (shown === undefined || shown.detail?.show?.comments.length === 0)
    return above.slice(0, height);
  const comments = sectionLines({ ...state, section: "Comments" }, shown, width, {
    ...options,
    number: () => 0,
  });
  const room = height - above.length - 1;
  return room < 1 ? above.slice(0, height) : [...above, [], ...comments.slice(-room)];
}

function titleLine(item: InboxItem, shown: IssueView | undefined, width: number): SpanLine {
  const ref: SpanLine = [{ text: item.ref, role: "ref" }, { text: "  " }];
  const title: Span = { text: shown?.issue.title ?? item.title ?? "", role: "bold" };
  if (shown === undefined) return [...ref, title];
  const owner = shown.issue.owner === undefined ? "" : `  ${shown.issue.owner}`;
  return aroundTitle(ref, title, [...stateSpans(shown).slice(0, 2), { text: owner }], width);
}
