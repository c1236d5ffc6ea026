import type { Now } from "../../domain/said-dates.ts";
import { describeEvent } from "../../shared/event-text.ts";
import { storedEvidence } from "../../shared/evidence.ts";
import { requestsIn } from "../../shared/requests.ts";
import { manyLines, oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { rowText } from "./bounded.ts";
import { requestText } from "./inbox.ts";
import type { Prose } from "./markdown.ts";
import { lostText } from "./overwritten.ts";
import type { Paint, Style } from "./palette.ts";
import { flatRows } from "./rows.ts";
import { agentShow } from "./show-agent.ts";
import {
  leaseLines,
  linksOf,
  metadataLines,
  namesakesText,
  rootText,
  type ShownIssue,
  seriesText,
  statusOf,
  syncedText,
} from "./show-parts.ts";

type Comment = ShownIssue["comments"][number];

export const showView: View<ShownIssue> = {
  human: (shown, style) => humanText(shown, style),
  agent: (shown, quiet) => agentShow(shown, Number.POSITIVE_INFINITY, quiet),
  refs: ({ issue }) => [issue],
};

/**
 * Like `showView`, but limits the output for agents. If the output is cut, the text says what was left out, and `onCut`
 * is called. For people, `now` also adds the changes that were overwritten.
 */
export function boundedView(
  bytes: number | undefined,
  onCut: () => void,
  now?: Now,
): View<ShownIssue> {
  const view: View<ShownIssue> = {
    ...showView,
    human: (shown, style) => humanText(shown, style, { now }),
  };
  if (bytes === undefined) return view;
  return {
    ...view,
    agent: (shown, quiet) => {
      const whole = showView.agent(shown, quiet);
      if (Buffer.byteLength(whole) < bytes) return whole;
      onCut();
      return agentShow(shown, bytes, quiet);
    },
  };
}

export function renderedView(prose: Prose, now?: Now): View<ShownIssue> {
  return { ...showView, human: (shown, style) => humanText(shown, style, { prose, now }) };
}

interface HowShown {
  readonly prose?: Prose | undefined;
  /** Without `now`, changes that were overwritten are left out. */
  readonly now?: Now | undefined;
}

function humanText(shown: ShownIssue, style: Style, { prose, now }: HowShown = {}): string {
  const { issue, comments, children } = shown;
  const { paint, columns } = style;
  const section = (name: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ["", paint("faint", `--- ${name} ---`), ...lines];
  const written = manyLines(issue.body).trimEnd();
  const body = prose === undefined || written === "" ? written : prose(issue.body, columns);
  const { requests, rest } = requestsIn(issue.metadata);
  // Anybody can write any sender into an issue's metadata, so print the sender that the daemon has determined from the
  // event log.
  const proven = new Map(shown.requests?.map((request) => [request.to, request]));
  return [
    heading(shown, paint),
    facts(issue, paint),
    ...seriesText(issue).map((text) => `series: ${text}`),
    ...leaseLines(shown),
    ...syncedText(shown).map((text) => `synced from ${text}`),
    ...rootText(shown).map((text) => `title and body from ${text}`),
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
    ...section(
      "requests",
      requests.map(({ to, message }) => requestText({ to, message, ...proven.get(to) })),
    ),
    ...section("overwritten", now === undefined ? [] : overwrittenLines(shown, now)),
    ...section(
      "metadata",
      metadataLines(rest).map(([key, value]) => `${key} = ${value}`),
    ),
  ].join("\n");
}

function overwrittenLines({ overwritten = [] }: ShownIssue, now: Now): readonly string[] {
  return overwritten.map((event) => {
    const change = `${shortTime(event.created_at)}  ${oneLine(event.actor)}  `;
    return `${change}${rowText(describeEvent(event))}${lostText(event, now)}`;
  });
}

function closeText({ close }: ShownIssue): readonly string[] {
  if (close === undefined) return [];
  const { reason, actor, message = "", evidence } = close;
  return [
    `${oneLine(reason)} by ${oneLine(actor)}`,
    ...(message === "" ? [] : [manyLines(message).trimEnd()]),
    ...storedEvidence(evidence).map((text) => `evidence ${oneLine(text)}`),
  ];
}

function heading({ issue }: ShownIssue, paint: Paint): string {
  const { short_id, title, author } = issue;
  const status = statusOf(issue);
  const closed = issue.closed_reason === undefined ? "" : `: ${issue.closed_reason}`;
  const shown = status === "closed" ? paint("closed", `[${status}${closed}]`) : `[${status}]`;
  return `${paint("id", short_id)}  ${paint("strong", oneLine(title))}  ${shown}  by ${oneLine(author)}`;
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
