import { age } from "../../src/base/age.ts";
import { instantToMs } from "../../src/base/clock.ts";
import { type Peer, peerName } from "../../src/screen/detail/peers.ts";
import { runsText } from "../../src/screen/detail/runs.ts";
import type { IssueView } from "../../src/screen/detail/shown.ts";
import type { Letter } from "../../src/screen/issues/relations.ts";
import { slotsIn } from "../../src/screen/issues/slots.ts";
import { syncedText } from "../../src/screen/issues/synced.ts";
import { timeText } from "../../src/screen/times.ts";
import { storedEvidence } from "../../src/shared/evidence.ts";
import { type Span, type SpanLine, widthOf, wrapSpans } from "../spans.ts";
import type { Role } from "../style.ts";
import { cells } from "../text.ts";

const GAP = "   ";

export type NumberOf = (uid: string) => number;

export function headLines(shown: IssueView, width: number, number: NumberOf): readonly SpanLine[] {
  const groups = [people(shown, number), plan(shown, number), now(shown)];
  return [...groups.flatMap((items) => flow(items, width)), ...closeLines(shown, width)];
}

/** The lines about the close: first who closed the issue and the message, then one line for each item of evidence. */
function closeLines({ close }: IssueView, width: number): readonly SpanLine[] {
  if (close === undefined) return [];
  const { actor, message = "", evidence } = close;
  const items = [
    item("closed by", message === "" ? actor : `${actor}: ${message.replaceAll(/\s+/g, " ")}`),
    ...storedEvidence(evidence).map((text) => item("evidence", text)),
  ];
  return items.flatMap((line) => wrapSpans(line, width, "  "));
}

export function stateSpans({ issue, letter }: IssueView): SpanLine {
  const { status, priority, revision, deleted_at: deleted } = issue;
  const word = deleted != null ? "deleted" : (WORDS[letter] ?? status);
  return [
    { text: word, role: deleted != null ? "error" : STATE_ROLES[letter] },
    { text: priority === undefined ? "" : `  P${priority}` },
    { text: `  rev ${revision}`, role: "dim" },
  ];
}

const WORDS: Readonly<Partial<Record<Letter, string>>> = { b: "blocked", w: "waiting" };

/**
 * The style of each state letter: `o` open, `b` blocked, `w` waiting, `x` closed. `~` means that the issue does not
 * match the filter, `?` that it was not read yet.
 */
export const STATE_ROLES: Readonly<Record<Letter | "~" | "?", Role>> = {
  o: "ok",
  b: "warn",
  w: "dim",
  x: "done",
  "~": "dim",
  "?": "dim",
};

const item = (name: string, value: string): SpanLine => [
  { text: `${name} `, role: "dim" },
  { text: value },
];

function peersItem(
  name: string,
  peers: readonly Peer[],
  shown: IssueView,
  number: NumberOf,
): readonly SpanLine[] {
  if (peers.length === 0) return [];
  const names = peers.flatMap((peer, at): SpanLine => {
    const text = peerName(shown, peer);
    const blank = at === 0 ? [] : [{ text: " " }];
    return [...blank, { text, role: "ref", ref: number(peer.uid) }];
  });
  return [[{ text: `${name} `, role: "dim" }, ...names]];
}

function people(shown: IssueView, number: NumberOf): readonly SpanLine[] {
  const { issue, how, parent } = shown;
  const { owner, author, labels, updated_at } = issue;
  return [
    item("owner", owner ?? "-"),
    item("author", author),
    ...(labels.length === 0 ? [] : [item("labels", labels.join(" "))]),
    ...peersItem("parent", parent === undefined ? [] : [parent], shown, number),
    ...(issue.synced === undefined ? [] : [item("synced", syncedText(issue.synced))]),
    item("updated", timeText(how, updated_at)),
  ];
}

function plan(shown: IssueView, number: NumberOf): readonly SpanLine[] {
  const { issue, blockers, blocking, children } = shown;
  const { metadata, status } = issue;
  const zone = plannedText(issue, "timezone");
  const dated = (key: string): string => {
    const date = plannedText(issue, key);
    return date !== undefined && zone !== undefined ? `${date} (${zone})` : (date ?? "-");
  };
  const waits =
    blockers.length === 0
      ? [item("blocked", "no")]
      : peersItem("blocked by", blockers, shown, number);
  return [
    item("scheduled", dated("scheduled_on")),
    item("deadline", dated("deadline_on")),
    ...(metadata["someday"] === true ? [[{ text: "parked" }]] : []),
    ...(status === "closed" ? [] : waits),
    ...peersItem("blocks", blocking, shown, number),
    ...(children.total === 0
      ? []
      : [item("children", `${children.total} (${children.open} open)`)]),
  ];
}

export function plannedText({ metadata }: IssueView["issue"], key: string): string | undefined {
  const value = metadata[key];
  return typeof value === "string" ? value : undefined;
}

function now({ issue, lease, detail, how, nowMs }: IssueView): readonly SpanLine[] {
  const requests = slotsIn(issue.metadata).toSorted((a, b) => (a.to < b.to ? -1 : 1));
  const endsMs = lease?.expires_at === undefined ? undefined : instantToMs(lease.expires_at);
  const left =
    endsMs === undefined ? "" : endsMs <= nowMs ? ", it ran out" : `, ${age(nowMs, endsMs)} left`;
  return [
    ...(issue.closed_at == null
      ? []
      : [item(`closed as ${issue.closed_reason ?? "done"}`, timeText(how, issue.closed_at))]),
    ...(lease === undefined ? [] : [item("leased to", `${lease.holder}${left}`)]),
    ...(detail?.runs === undefined ? [] : [item("runs", runsText(detail.runs))]),
    ...requests.map(({ to, request }) =>
      request === undefined
        ? item(`${to} is asked:`, "(not readable)")
        : item(`${request.from} asks ${to}:`, request.message.replaceAll(/\s+/g, " ")),
    ),
  ];
}

/** Puts items side by side and starts a new line when an item does not fit. */
function flow(items: readonly SpanLine[], width: number): readonly SpanLine[] {
  const lines: SpanLine[] = [];
  let line: readonly Span[] = [];
  for (const one of items) {
    const fits = widthOf(line) + cells(GAP) + widthOf(one) <= width;
    if (line.length > 0 && !fits) lines.push(line);
    line = line.length > 0 && fits ? [...line, { text: GAP }, ...one] : one;
  }
  return [...lines, ...(line.length === 0 ? [] : [line])].flatMap((one) =>
    wrapSpans(one, width, "  "),
  );
}
