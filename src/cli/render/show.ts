import type { showIssue } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, fenced, header, line } from "../../shared/agent.ts";
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
  agent: (shown, quiet) => {
    const { issue, comments, children } = shown;
    const rest = [
      ...line("Issue", `${issue.short_id} ${issue.title}`),
      ...line("Status", statusOf(issue)),
      ...line("Owner", issue.owner),
      ...(issue.labels.length === 0 ? [] : line("Labels", issue.labels)),
      ...line("Priority", issue.priority),
      ...metadataLines(issue.metadata).map(([key, value]) => `Metadata: ${key}=${value}`),
      ...seriesText(issue).map((text) => `Series: ${text}`),
      ...leaseLines(shown).map((text) => `Lease: ${text.slice("lease: ".length)}`),
      ...(issue.body === "" ? [] : ["Body:", ...fenced(issue.body)]),
      ...comments.flatMap((comment) => [
        `Comment: ${comment.uid} ${oneLine(comment.author)}`,
        ...fenced(comment.body),
      ]),
      ...linksOf(shown).map(({ kind, ref }) => `Link: ${kind} ${oneLine(ref)}`),
      ...children.map((child) => `Child: ${child.short_id} ${child.status}`),
      ...line("Revision", issue.revision),
    ];
    return agentOutput(header("show"), rest, quiet);
  },
};

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
    ...(body === "" ? [] : ["", body]),
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
