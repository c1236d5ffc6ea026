import { commentsOf } from "../../src/screen/detail/comments.ts";
import { letterFor, peerName } from "../../src/screen/detail/peers.ts";
import { type IssueView, type IssueViewInput, peerOf } from "../../src/screen/detail/shown.ts";
import type { DetailState } from "../../src/screen/detail/state.ts";
import { type IssueEvent, SECTIONS, type Section } from "../../src/screen/detail/state.ts";
import { letterOf } from "../../src/screen/issues/relations.ts";
import { agoPhrase, lostText, timePhrase, timeText, wallTime } from "../../src/screen/times.ts";
import { describeEvent } from "../../src/shared/event-text.ts";
import { type Span, type SpanLine, widthOf, wrapSpans } from "../spans.ts";
import type { Role } from "../style.ts";
import { cells, clean, fit, fitRight } from "../text.ts";
import { timeCells } from "../times.ts";
import { type BodyOptions, bodyLines } from "./body.ts";
import { plannedText, STATE_ROLES } from "./head.ts";

export interface SectionOptions extends BodyOptions {
  /** Gives an issue the next number in the document, so that the issue can be selected, and returns the number. */
  number(uid: string): number;
}

/**
 * Returns the names of the sections with their counts, such as `[Comments 2]  Events 14  Links 3`. The active section
 * is in brackets.
 */
export function tabLines(
  { detail, children }: IssueView,
  section: Section,
  width: number,
): readonly SpanLine[] {
  const counts: Readonly<Record<Section, number | undefined>> = {
    Comments: detail?.show?.comments.length,
    Events: detail?.events?.length,
    Links: detail?.show?.links.length,
    Dates: undefined,
    Children: detail?.show?.children.length ?? children.total,
  };
  // A no-break space keeps a name and its number on one line.
  const line = SECTIONS.map((name): Span => {
    const count = counts[name];
    const text = count === undefined ? name : `${name}\u00A0${count}`;
    return name === section ? { text: `[${text}]  `, role: "bold" } : { text: `${text}  ` };
  });
  return wrapSpans(line, width).map((one) =>
    one.map((span) => ({ ...span, text: span.text.replaceAll("\u00A0", " ") })),
  );
}

export function sectionLines(
  state: IssueViewInput & Pick<DetailState, "section">,
  shown: IssueView,
  width: number,
  options: SectionOptions,
): readonly SpanLine[] {
  const { detail } = shown;
  const { section } = state;
  const show = detail?.show;
  if (section === "Dates") return dateLines(shown);
  const error = section === "Events" ? (detail?.eventsError ?? detail?.error) : detail?.error;
  const isRead = section === "Events" ? detail?.events !== undefined : show !== undefined;
  const wrong = error === undefined ? [] : wrapSpans([{ text: error, role: "error" }], width);
  if (!isRead) return wrong.length > 0 ? wrong : [[{ text: "loading...", role: "dim" }]];
  const lines = LINES[section](state, shown, width, options);
  const none = [[{ text: `no ${section.toLowerCase()}`, role: "dim" as const }]];
  return [...wrong, ...(lines.length > 0 ? lines : none)];
}

type Draw = (
  state: IssueViewInput,
  shown: IssueView,
  width: number,
  options: SectionOptions,
) => readonly SpanLine[];

const WIDE = 72;

const commentLines: Draw = (_state, { detail, how }, width, options) => {
  const comments = commentsOf(detail);
  const names = Math.min(14, Math.max(0, ...comments.map(({ author }) => cells(clean(author)))));
  return comments.flatMap(({ author, created_at, edited_at, body }) => {
    const when = timeText(how, created_at);
    const edited: readonly SpanLine[] =
      edited_at === undefined
        ? []
        : [[{ text: `edited ${timePhrase(how, edited_at)}`, role: "dim" }]];
    const bodyBehind = (lead: number): readonly SpanLine[] => [
      ...bodyLines(body, width - lead, { ...options, room: options.room - lead }),
      ...edited,
    ];
    if (width < WIDE) {
      const head: SpanLine = [
        { text: author, role: "ref" },
        { text: `  ${when}`, role: "dim" },
      ];
      return [head, ...indented(bodyBehind(2), [{ text: "  " }])];
    }
    const lead: SpanLine = [
      { text: author, size: names, role: "ref", isName: true },
      { text: `  ${fit(when, timeCells(how))}`, role: "dim" },
    ];
    return indented(bodyBehind(names + 2 + timeCells(how)), lead);
  });
};

function indented(lines: readonly SpanLine[], lead: SpanLine): readonly SpanLine[] {
  const blank = { text: " ".repeat(widthOf(lead)) };
  return lines.map((line, at) => (at === 0 ? [...lead, ...line] : [blank, ...line]));
}

function eventLines(
  { type, actor, created_at, payload, overwritten_by, skipped_at }: IssueEvent,
  { how }: IssueView,
  width: number,
): readonly SpanLine[] {
  const time = timeCells(how);
  const lead: SpanLine = [
    { text: `${fitRight(timeText(how, created_at), time)}  `, role: "dim" },
    { text: actor, size: 12, role: "ref", isName: true },
    { text: " " },
  ];
  const room = Math.max(8, width - 15 - time);
  // The text of `describeEvent` may contain an arrow, which not every terminal can draw.
  const description = describeEvent({ type, payload, skipped_at }).replaceAll("\u2192", "->");
  const evidence = type === "issue.closed" ? evidenceOf(payload["evidence"]) : [];
  const lost = overwritten_by === undefined ? [] : [lostText(how, overwritten_by)];
  const lines = [description, ...evidence, ...lost].flatMap((text) =>
    text.split(/\r\n|[\n\r]/).flatMap((line) => wrapSpans([{ text: line }], room)),
  );
  return indented(lines, lead);
}

function evidenceOf(evidence: unknown): readonly string[] {
  if (!Array.isArray(evidence)) return [];
  return evidence.map((one: Readonly<Record<string, unknown>>) => {
    const { type, ...rest } = one;
    const values = Object.entries(rest).map(([name, value]) => {
      return `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`;
    });
    return `- ${String(type)} ${values.join(" ")}`.trimEnd();
  });
}

const linkLines: Draw = (state, shown, width, { number }) => {
  const { detail, uid } = shown;
  return (detail?.show?.links ?? []).map(({ type, from, to }) => {
    const outgoing = from.uid === uid;
    const other = outgoing ? to : from;
    const issue = peerOf(state, detail, other.uid);
    const letter = issue === undefined ? "?" : letterOf(state, issue);
    const missing = detail?.peersError ?? (detail?.peers === undefined ? "loading..." : "");
    return issueLine(width, number(other.uid), [
      [linkWord(type, outgoing), 10, "dim"],
      [letter, 1, STATE_ROLES[letter], IS_STATE],
      [peerName(shown, other), 16, "ref"],
      [issue?.title ?? missing, 0, issue === undefined ? "dim" : undefined],
    ]);
  });
};

const childLines: Draw = (state, shown, width, { number }) => {
  const { detail, how } = shown;
  return (detail?.show?.children ?? []).map((child) => {
    const { uid, status, blocked, priority, title, owner, updated_at } = child;
    const listed = state.issues.get(uid);
    const letter = listed === undefined ? letterFor(status, blocked) : letterOf(state, listed);
    return issueLine(width, number(uid), [
      [letter, 1, STATE_ROLES[letter], IS_STATE],
      [peerName(shown, child), 8, "ref"],
      [priority === undefined ? "" : `P${priority}`, 2, undefined],
      [title, 0, undefined],
      [owner ?? "", width >= WIDE ? 10 : 6, "dim", IS_NAME],
      [timeText(how, updated_at), timeCells(how), "dim"],
    ]);
  });
};

type Cell = readonly [text: string, width: number, role: Role | undefined, look?: Partial<Span>];

const IS_STATE = { isState: true } as const;
const IS_NAME = { isName: true } as const;

/**
 * Returns the line of an issue that can be selected. Its cells are side by side, and a cell of width 0 gets the
 * remaining space.
 */
function issueLine(width: number, ref: number, columns: readonly Cell[]): SpanLine {
  const fixed = columns.reduce((sum, [, size]) => sum + size + 1, -1);
  const parts = columns.map(([text, size, role, look]): Span => {
    const room = size === 0 ? Math.max(4, width - fixed) : size;
    return { text, size: room, role, ref, ...look };
  });
  const gap: Span = { text: " ", ref };
  return parts.flatMap((part, at) => (at === 0 ? [part] : [gap, part]));
}

function linkWord(type: "parent" | "blocks" | "related", outgoing: boolean): string {
  if (type === "related") return "related";
  if (type === "parent") return outgoing ? "parent" : "child";
  return outgoing ? "blocks" : "blocked by";
}

function dateLines({ issue, how }: IssueView): readonly SpanLine[] {
  const { metadata, created_at, updated_at, closed_at } = issue;
  const { zone } = how.preferences;
  const at = (instant: string | null | undefined): string =>
    instant == null
      ? "-"
      : `${wallTime(instant, zone).slice(0, 16)} ${zone}, ${agoPhrase(instant, how.now)}`;
  const value = (key: string): string => plannedText(issue, key) ?? "-";
  const rows: readonly (readonly [string, string])[] = [
    ["scheduled on", value("scheduled_on")],
    ["deadline on", value("deadline_on")],
    ["time zone", value("timezone")],
    ["parked", metadata["someday"] === true ? "yes" : "no"],
    ["created", at(created_at)],
    ["updated", at(updated_at)],
    ["closed", at(closed_at)],
  ];
  return rows.map(([name, text]) => [{ text: fit(name, 14), role: "dim" }, { text }]);
}

const LINES: Readonly<Record<Exclude<Section, "Dates">, Draw>> = {
  Comments: commentLines,
  Events: (_state, shown, width) =>
    (shown.detail?.events ?? []).toReversed().flatMap((event) => eventLines(event, shown, width)),
  Links: linkLines,
  Children: childLines,
};
