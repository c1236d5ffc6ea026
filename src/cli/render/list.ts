import {
  AGENT_ROW_BYTES,
  type PlacedIssue,
  type PlaceOrder,
  placeText,
} from "../../contract/list-budget.ts";
import { fieldText, header, row } from "../../shared/agent.ts";
import { isCut } from "../output/cut-note.ts";
import type { LongView, Rows, View } from "../output/output.ts";
import type { Style } from "./palette.ts";
import { flatRows, listFooter, nestedRows, type RowIssue, readyFooter, shownId } from "./rows.ts";

/** A list as the daemon returns it. An older daemon sends neither `truncated` nor `next_after`. */
export interface ListedIssues {
  readonly issues: Rows<ListedIssue>;
  readonly count?: number | undefined;
  readonly truncated?: boolean | undefined;
  readonly next_after?: string | undefined;
}

export interface ListOptions {
  readonly all: boolean;
  /** The most rows that the request asked for. If an older daemon sends this many rows, there may be more. */
  readonly limit: number | undefined;
}

export interface Room extends ListOptions {
  readonly order: PlaceOrder | undefined;
  readonly bytes: number | undefined;
  readonly forAgent: boolean;
}

export type ListedIssue = RowIssue & PlacedIssue;

/** Bytes reserved for the header or footer, and for the note that there is more. */
const AROUND_BYTES = 400;
/** The most bytes of the tree lines (such as `├─`) before the row of a child. */
const LEAD_BYTES = 16;
const PLAIN: Style = { paint: (_tone, text) => text, columns: undefined, quiet: false };

export function fitToRoom(list: ListedIssues, { all, order, bytes, forAgent }: Room): ListedIssues {
  const room = { bytes: bytes === undefined ? undefined : bytes - AROUND_BYTES, order };
  return cut(list, room, (issue) =>
    forAgent ? agentRow(issue, shownId(issue, all)) : humanRow(issue, all),
  );
}

/**
 * Keeps the first rows that fit into `bytes`, counting a line break after each. At least one row is kept, even if it is
 * larger.
 */
export function cut(
  list: ListedIssues,
  { bytes, order }: Pick<Room, "bytes" | "order">,
  rowOf: (issue: ListedIssue) => string,
): ListedIssues {
  if (bytes === undefined) return list;
  let left = bytes;
  const kept: ListedIssue[] = [];
  for (const issue of list.issues) {
    left -= 1 + Buffer.byteLength(rowOf(issue));
    if (left < 0 && kept.length > 0) break;
    kept.push(issue);
  }
  const last = kept.at(-1);
  if (last === undefined || kept.length === list.issues.length) return list;
  const next_after = order === undefined ? undefined : placeText(last, order);
  return { issues: kept, truncated: true, next_after };
}

function humanRow(issue: RowIssue, all: boolean): string {
  const options = { qualified: all, nobody: "unowned" };
  return [...flatRows([issue], options, PLAIN)].join("") + " ".repeat(LEAD_BYTES);
}

export function isTruncated(list: ListedIssues, { limit }: ListOptions): boolean {
  return isCut(list, { rows: limit, shown: list.issues.length });
}

export function listView(options: ListOptions): LongView<ListedIssues> {
  return {
    *human(list, style) {
      const rowOptions = { qualified: options.all, nobody: "unowned" };
      const counts = yield* nestedRows(list.issues, rowOptions, style);
      if (list.issues.length === 0) yield "No issues.";
      else yield* listFooter(counts, isTruncated(list, options), style);
    },
    agent: (list, quiet) => agentRows("list", list, options.all, quiet),
  };
}

export function readyView(options: ListOptions): LongView<ListedIssues> {
  return {
    *human({ issues }, style) {
      yield* flatRows(issues, { qualified: options.all, nobody: "-" }, style);
      if (issues.length === 0) yield "No ready issues.";
      else yield* readyFooter(issues.length, style);
    },
    agent: (list, quiet) => agentRows("ready", list, options.all, quiet),
  };
}

function* agentRows(
  command: string,
  { issues, truncated, next_after }: ListedIssues,
  qualified: boolean,
  quiet: boolean,
): Generator<string> {
  if (!quiet || issues.length > 0)
    yield header(command, { count: issues.length, truncated, next_after });
  for (const issue of issues) yield agentRow(issue, shownId(issue, qualified));
}

/**
 * A row of at most `AGENT_ROW_BYTES` bytes, which names the issue by `ref`. The title is cut first, then labels are
 * left out, then a long owner is cut. If `ref` is too long, the uid is printed instead.
 */
export function agentRow(issue: RowIssue, ref: string): string {
  const { status, priority, labels = [], title } = issue;
  const name = shownBytes(ref) > MOST_ID_BYTES ? issue.uid : ref;
  const owner = issue.owner === undefined ? undefined : cutShown(issue.owner, MOST_OWNER_BYTES);
  const rowOf = (tags: readonly string[], shownTitle: string): string => {
    const hidden = labels.length - tags.length;
    const more = hidden === 0 ? undefined : hidden;
    return row({
      issue: name,
      status,
      priority,
      owner,
      labels: tags,
      title: shownTitle,
      more_labels: more,
    });
  };
  const bytesOver = (text: string): number => Buffer.byteLength(text) - AGENT_ROW_BYTES;
  const whole = rowOf(labels, title);
  if (bytesOver(whole) <= 0) return whole;
  let tags = labels;
  while (tags.length > 0 && bytesOver(rowOf(tags, cutTo(title, LEAST_TITLE_BYTES))) > 0)
    tags = tags.slice(0, -1);
  let room = Math.max(LEAST_TITLE_BYTES, Buffer.byteLength(title) - bytesOver(rowOf(tags, title)));
  // Quotes and escapes add bytes, so shorten the title until the row fits.
  while (room > 0 && bytesOver(rowOf(tags, cutTo(title, room))) > 0) room -= 1;
  return rowOf(tags, cutTo(title, room));
}

const LEAST_TITLE_BYTES = 24;
const MOST_ID_BYTES = 36;
const MOST_OWNER_BYTES = 30;

/** The bytes of a value as a row prints it, with quotes and escapes if it needs them. */
function shownBytes(value: string): number {
  return Buffer.byteLength(fieldText({ v: value })) - "v=".length;
}

function cutShown(text: string, bytes: number): string {
  let shown = cutTo(text, bytes);
  for (let room = bytes - 1; shownBytes(shown) > bytes; room -= 1) shown = cutTo(text, room);
  return shown;
}

function cutTo(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let kept = "";
  let left = bytes - Buffer.byteLength("…");
  for (const char of text) {
    left -= Buffer.byteLength(char);
    if (left < 0) break;
    kept += char;
  }
  return `${kept.trimEnd()}…`;
}

export function nextView(all: boolean): View<RowIssue | undefined> {
  return {
    human: (issue, style) => {
      if (issue === undefined) return "No ready issues.";
      return [...flatRows([issue], { qualified: all, nobody: "-" }, style)].join("\n");
    },
    agent: (issue) => {
      if (issue === undefined) return header("next", { found: false });
      const { priority, owner, title } = issue;
      return header("next", { issue: shownId(issue, all), priority, owner, title });
    },
    refs: (issue) => (issue === undefined ? [] : [issue]),
  };
}
