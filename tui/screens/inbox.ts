import { instantToMs } from "../../src/base/clock.ts";
import { age } from "../age.ts";
import type { Pane } from "../layout.ts";
import { requestUnderCursor } from "../state/inbox.ts";
import type { InboxRequest, State } from "../state/state.ts";
import type { Paint } from "../style.ts";
import { fit, wrap } from "../text.ts";
import { type Cell, cellsRow, padded, plainRow } from "./rows.ts";

/** What others ask of an address, and below it the whole of the request under the cursor. */
export function drawInbox(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const { address, requests, error } = state.inbox;
  const status = `for ${address}   ${requests === undefined ? "" : countOf(requests)}`;
  const head = [plainRow(paint, width, status, "dim"), columns(paint, width)];
  if (error !== undefined)
    return padded([...head, plainRow(paint, width, error, "error")], width, height);
  if (requests === undefined)
    return padded([...head, plainRow(paint, width, "loading...", "dim")], width, height);
  if (requests.length === 0)
    return padded(
      [...head, plainRow(paint, width, "nobody asks for anything", "dim")],
      width,
      height,
    );
  const preview = previewOf(state, paint, width);
  const room = Math.max(1, height - head.length - preview.length);
  const { cursor } = state.inbox;
  const top = Math.max(0, Math.min(cursor - Math.floor(room / 2), requests.length - room));
  const lines = requests
    .slice(top, top + room)
    .map((request, at) => requestRow(state, paint, width, request, top + at === cursor));
  return [...padded([...head, ...lines], width, height - preview.length), ...preview];
}

function countOf(requests: readonly InboxRequest[]): string {
  return requests.length === 1 ? "1 request" : `${requests.length} requests`;
}

function cellsOf(width: number, texts: readonly [string, string, string, string, string]): Cell[] {
  const [mark, from, ref, message, when] = texts;
  return [
    { text: mark, width: 1 },
    { text: from, width: 12, role: "ref" },
    { text: ref, width: 16 },
    { text: message, width: Math.max(4, width - 37) },
    { text: when, width: 4, right: true, role: "dim" },
  ];
}

function columns(paint: Paint, width: number): string {
  return cellsRow(paint, width, cellsOf(width, ["", "FROM", "ISSUE", "MESSAGE", "AGE"]), "dim");
}

function requestRow(
  state: State,
  paint: Paint,
  width: number,
  { from, issue_uid, ref, message, requested_at }: InboxRequest,
  isCursor: boolean,
): string {
  const name = state.issues.get(issue_uid)?.qualified_id ?? ref;
  const when =
    requested_at === undefined ? "" : age(instantToMs(requested_at), instantToMs(state.now));
  const row = cellsOf(width, [
    isCursor ? paint.glyphs.cursor : "",
    from,
    name,
    message.replaceAll("\n", " "),
    when,
  ]);
  return cellsRow(paint, width, row, isCursor ? "cursor" : undefined);
}

const PREVIEW_LINES = 6;

function previewOf(state: State, paint: Paint, width: number): readonly string[] {
  const request = requestUnderCursor(state);
  if (request === undefined) return [];
  const issue = state.issues.get(request.issue_uid);
  const owner = issue?.owner === undefined ? "" : `  @${issue.owner}`;
  return [
    fit("", width),
    plainRow(
      paint,
      width,
      `${issue?.qualified_id ?? request.ref}  ${request.title}${owner}`,
      "bold",
    ),
    ...wrap(request.message, width)
      .slice(0, PREVIEW_LINES)
      .map((line) => fit(line, width)),
  ];
}
