import type { showIssue } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, fenced, header, line } from "../../shared/agent.ts";
import { storedEvidence } from "../../shared/evidence.ts";
import { projectOf } from "../../shared/ref.ts";
import { requestsIn } from "../../shared/requests.ts";
import { manyLines, oneLine } from "../../shared/text.ts";
import type { View } from "../output.ts";
import { requestText } from "./inbox.ts";
import { leaseText } from "./leases.ts";
import type { Prose } from "./markdown.ts";
import type { Paint, Style } from "./palette.ts";
import { flatRows } from "./rows.ts";

type ShownIssue = Output<typeof showIssue>;
type Comment = ShownIssue["comments"][number];

export const showView: View<ShownIssue> = {
  human: (shown, style) => humanText(shown, style),
  agent: (shown, quiet) => agentShow(shown, Number.POSITIVE_INFINITY, quiet),
  refs: ({ issue }) => [issue],
};

/** Like `showView`, but the output for agents is limited and says what is missing. */
export function boundedView(bytes: number | undefined): View<ShownIssue> {
  if (bytes === undefined) return showView;
  return {
    ...showView,
    agent: (shown, quiet) => {
      const whole = showView.agent(shown, quiet);
      return Buffer.byteLength(whole) < bytes ? whole : agentShow(shown, bytes, quiet);
    },
  };
}

/** Bytes reserved for the first line, and for the last one, which says what was left out. */
const AROUND_BYTES = 400;

function agentShow(shown: ShownIssue, bytes: number, quiet: boolean): string {
  const { issue, comments, children, comment_count, child_count } = shown;
  const head = [
    ...line("Issue", `${issue.short_id} ${issue.title}`),
    ...line("Status", statusOf(issue)),
    ...line("Owner", issue.owner),
    ...(issue.labels.length === 0 ? [] : line("Labels", issue.labels)),
    ...line("Priority", issue.priority),
    ...namesakesText(shown).flatMap((text) => line("Note", text)),
  ];
  const tail = line("Revision", issue.revision);
  const closed = closedLines(shown);
  const room = new Room(
    bytes - AROUND_BYTES - bytesOf(head) - bytesOf(tail) - bytesOf(closed.about),
  );
  // Evidence comes before the body, since other issues may rely on it.
  const evidence = room.rows(
    "evidence",
    closed.evidence.map((text) => [`Evidence: ${oneLine(text)}`]),
    0.25,
  );
  const message = room.text("close message", closed.message, 0.25);
  const metadata = room.rows(
    "metadata",
    metadataLines(issue.metadata).map(([key, value]) => [`Metadata: ${key}=${value}`]),
    0.25,
  );
  const about = [
    ...seriesText(issue).map((text) => `Series: ${text}`),
    ...leaseLines(shown).map((text) => `Lease: ${text.slice("lease: ".length)}`),
  ];
  room.take(about);
  const body = room.text("body", issue.body, 0.5);
  const links = room.rows(
    "links",
    linksOf(shown).map(({ kind, ref }) => [`Link: ${kind} ${oneLine(ref)}`]),
    0.25,
  );
  const family = room.rows(
    "children",
    children.map((child) => [`Child: ${child.short_id} ${child.status}`]),
    0.25,
    child_count,
  );
  // Keep the newest comments, but print them in the order in which they were written.
  const said = room.rows(
    "comments",
    comments.toReversed().map((comment) => {
      const { text, isCut } = shortened(comment.body, room.left / 2);
      return [
        `Comment: ${comment.uid} ${oneLine(comment.author)}${isCut ? " cut=true" : ""}`,
        ...fenced(text),
      ];
    }),
    1,
    comment_count,
  );
  const rest = [
    ...head,
    ...metadata.flat(),
    ...about,
    ...(body === "" ? [] : ["Body:", ...fenced(body)]),
    ...said.toReversed().flat(),
    ...links.flat(),
    ...family.flat(),
    ...tail,
    ...closed.about,
    ...(message === "" ? [] : line("Message", message)),
    ...evidence.flat(),
  ];
  if (room.missing.length === 0) return agentOutput(header("show"), rest, quiet);
  const all = `svc show ${issue.short_id} --agent --max-bytes 0`;
  const missing = `Missing: ${room.missing.join(", ")}; all of it: ${all}`;
  return agentOutput(header("show", { truncated: true }), [...rest, missing], quiet);
}

/** How the issue was closed. */
function closedLines({ issue, close }: ShownIssue) {
  if (close === undefined)
    return { about: line("Reason", issue.closed_reason), message: "", evidence: [] };
  const { reason, actor, message = "", evidence } = close;
  return {
    about: [...line("Reason", reason), ...line("Closed-By", actor)],
    message,
    evidence: storedEvidence(evidence),
  };
}

/** The room that is left for an issue, and the names of the parts that were left out. */
class Room {
  readonly missing: string[] = [];
  left: number;

  constructor(bytes: number) {
    this.left = Math.max(0, bytes);
  }

  take(lines: readonly string[]): void {
    this.left -= bytesOf(lines);
  }

  /** The beginning of a text, using at most this share of the room that is left. */
  text(name: string, whole: string, part: number): string {
    const { text, isCut } = shortened(whole, this.left * part);
    if (isCut)
      this.missing.push(`${name} ${Buffer.byteLength(text)} of ${Buffer.byteLength(whole)} bytes`);
    this.left -= Buffer.byteLength(text);
    return text;
  }

  /** The first rows, using at most this share of the room that is left. */
  rows(
    name: string,
    rows: readonly (readonly string[])[],
    part: number,
    total = rows.length,
  ): readonly (readonly string[])[] {
    let share = this.left * part;
    const end = rows.findIndex((lines) => (share -= bytesOf(lines)) < 0);
    const kept = end === -1 ? rows : rows.slice(0, end);
    for (const lines of kept) this.take(lines);
    if (kept.length < total) this.missing.push(`${kept.length} of ${total} ${name}`);
    return kept;
  }
}

function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
}

function shortened(
  text: string,
  bytes: number,
): { readonly text: string; readonly isCut: boolean } {
  const limit = Math.max(0, bytes - FENCE_BYTES);
  if (Buffer.byteLength(text) <= limit) return { text, isCut: false };
  // A character that was cut in half decodes to a replacement character; remove it.
  const kept = Buffer.from(text).subarray(0, Math.floor(limit)).toString("utf8");
  return { text: kept.replace(/\ufffd$/, ""), isCut: true };
}

/** The bytes of a code fence and of the name before it. */
const FENCE_BYTES = 80;

/** Like `showView`, with the body and the comments rendered as Markdown. */
export function renderedView(prose: Prose): View<ShownIssue> {
  return { ...showView, human: (shown, style) => humanText(shown, style, prose) };
}

function humanText(shown: ShownIssue, style: Style, prose?: Prose): string {
  const { issue, comments, children } = shown;
  const { paint, columns } = style;
  const section = (name: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ["", paint("faint", `--- ${name} ---`), ...lines];
  const written = manyLines(issue.body).trimEnd();
  const body = prose === undefined || written === "" ? written : prose(issue.body, columns);
  const { requests, rest } = requestsIn(issue.metadata);
  return [
    heading(shown, paint),
    facts(issue, paint),
    ...seriesText(issue).map((text) => `series: ${text}`),
    ...leaseLines(shown),
    ...namesakesText(shown),
    ...(body === "" ? [] : ["", body]),
    ...section("close", closeText(shown)),
    ...section(
      "comments",
      comments.map((comment) => humanComment(comment, style, prose)),
    ),
    ...section("labels", issue.labels.map(oneLine)),
    ...section(
      "links",
      linksOf(shown).map(({ kind, ref }) => `${kind}: ${paint("id", oneLine(ref))}`),
    ),
    ...section("children", [...flatRows(children, { qualified: false, nobody: "unowned" }, style)]),
    ...section("requests", requests.map(requestText)),
    ...section(
      "metadata",
      metadataLines(rest).map(([key, value]) => `${key} = ${value}`),
    ),
  ].join("\n");
}

/** Who closed the issue, the reason, the message and the evidence. */
function closeText({ close }: ShownIssue): readonly string[] {
  if (close === undefined) return [];
  const { reason, actor, message = "", evidence } = close;
  return [
    `${oneLine(reason)} by ${oneLine(actor)}`,
    ...(message === "" ? [] : [manyLines(message).trimEnd()]),
    ...storedEvidence(evidence).map((text) => `evidence ${oneLine(text)}`),
  ];
}

function namesakesText({ issue, namesakes = [] }: ShownIssue): readonly string[] {
  return namesakes.map(({ qualified_id, source }) => {
    return `${issue.short_id} was also the id of ${oneLine(qualified_id)} in ${oneLine(source)}`;
  });
}

/** The series of an issue, and the issue's day in that series. */
function seriesText({ recurrence_uid, occurrence_key }: ShownIssue["issue"]): readonly string[] {
  if (recurrence_uid === undefined || occurrence_key === undefined) return [];
  return [`${oneLine(recurrence_uid)} for ${oneLine(occurrence_key)}`];
}

function leaseLines({ lease, lease_hub_now }: ShownIssue): readonly string[] {
  return lease === undefined ? [] : [`lease: ${leaseText(lease, lease_hub_now)}`];
}

function heading({ issue }: ShownIssue, paint: Paint): string {
  const { short_id, title, author } = issue;
  const status = statusOf(issue);
  const closed = issue.closed_reason === undefined ? "" : `: ${issue.closed_reason}`;
  const shown = status === "closed" ? paint("closed", `[${status}${closed}]`) : `[${status}]`;
  return `${paint("id", short_id)}  ${paint("strong", oneLine(title))}  ${shown}  by ${oneLine(author)}`;
}

function statusOf({ status, deleted_at }: ShownIssue["issue"]): string {
  return deleted_at === undefined ? status : "deleted";
}

function facts(issue: ShownIssue["issue"], paint: Paint): string {
  const parts = [
    `owner ${oneLine(issue.owner ?? "nobody")}`,
    ...(issue.priority === undefined ? [] : [`priority P${issue.priority}`]),
    `created ${shortTime(issue.created_at)}`,
    `updated ${shortTime(issue.updated_at)}`,
    ...(issue.closed_at === undefined ? [] : [`closed ${shortTime(issue.closed_at)}`]),
    `rev-${issue.revision}`,
  ];
  return paint("faint", parts.join("  "));
}

/** The instant to the minute, in UTC. */
export function shortTime(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)}Z`;
}

function humanComment(
  { uid, author, teammate, body }: Comment,
  { paint, columns }: Style,
  prose: Prose | undefined,
): string {
  const who =
    teammate === undefined ? oneLine(author) : `${oneLine(author)} (${oneLine(teammate)})`;
  const head = `${paint("faint", uid)} ${who}:`;
  const setIn = (text: string): string => (text === "" ? "" : `  ${text}`);
  if (prose !== undefined) {
    // A heading or a list must start on a line of its own.
    const text = prose(body, columns === undefined ? undefined : Math.max(1, columns - 2));
    return [head, ...text.split("\n").map(setIn)].join("\n");
  }
  const [first = "", ...more] = manyLines(body).trimEnd().split("\n");
  return [`${head} ${first}`, ...more.map((text) => `  ${text}`)].join("\n");
}

/** Links from the issue's point of view, without its children, which have their own list. */
function linksOf({
  issue,
  links,
}: ShownIssue): readonly { readonly kind: string; readonly ref: string }[] {
  const project = projectOf(issue.qualified_id);
  return links.flatMap(({ type, from, to }) => {
    const outgoing = from.uid === issue.uid;
    if (type === "parent" && !outgoing) return [];
    const peer = outgoing ? to : from;
    const kind = type === "blocks" && !outgoing ? "blocked_by" : type;
    return [{ kind, ref: peer.project === project ? peer.short_id : peer.qualified_id }];
  });
}

export function metadataLines(
  metadata: Readonly<Record<string, unknown>>,
): readonly (readonly [string, string])[] {
  return Object.entries(metadata)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => [oneLine(key), oneLine(JSON.stringify(value))]);
}
