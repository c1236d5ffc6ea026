import { agentOutput, codeFence, header, line } from "../../shared/agent.ts";
import { storedEvidence } from "../../shared/evidence.ts";
import { oneLine } from "../../shared/text.ts";
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

/** Bytes reserved for the first line, and for the last line, which says what was left out. */
const AROUND_BYTES = 400;

export function agentShow(shown: ShownIssue, bytes: number, quiet: boolean): string {
  const { issue, comments, children, comment_count, child_count } = shown;
  const head = [
    ...line("Issue", `${issue.short_id} ${issue.title}`),
    ...line("Status", statusOf(issue)),
    ...line("Owner", issue.owner),
    ...(issue.labels.length === 0 ? [] : line("Labels", issue.labels)),
    ...line("Priority", issue.priority),
    ...syncedText(shown).flatMap((text) => line("Synced", text)),
    ...rootText(shown).flatMap((text) => line("Root", text)),
    ...namesakesText(shown).flatMap((text) => line("Note", text)),
  ];
  const tail = line("Revision", issue.revision);
  const closed = closedLines(shown);
  const room = new ByteBudget(
    bytes - AROUND_BYTES - bytesOf(head) - bytesOf(tail) - bytesOf(closed.about),
  );
  // Give the evidence its share of the bytes before the body, because people who build on a closed issue need the
  // evidence.
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
    ...overwrittenLines(shown),
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
  const commentRows = room.rows(
    "comments",
    comments.toReversed().map((comment) => {
      const { text, isCut } = shortened(comment.body, room.left / 2);
      return [
        `Comment: ${comment.uid} ${oneLine(comment.author)}${isCut ? " cut=true" : ""}`,
        ...codeFence(text),
      ];
    }),
    1,
    comment_count,
  );
  const rest = [
    ...head,
    ...metadata.flat(),
    ...about,
    ...(body === "" ? [] : ["Body:", ...codeFence(body)]),
    ...commentRows.toReversed().flat(),
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

/** Times are in UTC, as in `svc log --agent`. */
function overwrittenLines({ overwritten = [] }: ShownIssue): readonly string[] {
  return overwritten.flatMap(({ event_id, type, actor, overwritten_by: by }) =>
    by === undefined
      ? []
      : line("Overwritten", `${type} ${event_id} of ${actor} by ${by.actor} at ${by.at}`),
  );
}

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

/** The bytes that are left for an issue, and a note for each part that was cut or left out. */
class ByteBudget {
  readonly missing: string[] = [];
  left: number;

  constructor(bytes: number) {
    this.left = Math.max(0, bytes);
  }

  take(lines: readonly string[]): void {
    this.left -= bytesOf(lines);
  }

  /** Returns the beginning of a text, cut to the fraction `part` of the remaining bytes. */
  text(name: string, whole: string, part: number): string {
    const { text, isCut } = shortened(whole, this.left * part);
    if (isCut)
      this.missing.push(`${name} ${Buffer.byteLength(text)} of ${Buffer.byteLength(whole)} bytes`);
    this.left -= Buffer.byteLength(text);
    return text;
  }

  /**
   * Returns the first rows that fit into the fraction `part` of the remaining bytes. `total` includes the rows that the
   * daemon did not send.
   */
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
  // If a character was cut in half, decoding gives a replacement character; remove it.
  const kept = Buffer.from(text).subarray(0, Math.floor(limit)).toString("utf8");
  return { text: kept.replace(/\ufffd$/, ""), isCut: true };
}

/** Bytes reserved for each code fence and the name before it. */
const FENCE_BYTES = 80;
