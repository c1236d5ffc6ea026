import type { auditCloses } from "../../contract/activity.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { storedEvidence } from "../../shared/evidence.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { fittingRows, rowText } from "./bounded.ts";
import type { Paint } from "./palette.ts";
import { shortTime } from "./show.ts";

type Audit = Output<typeof auditCloses>;
type Close = Audit["rows"][number];

export const auditView: View<Audit> = {
  human: ({ rows }, { paint }) => {
    if (rows.length === 0) return "No closes.";
    return rows.map((close) => humanRow(close, paint)).join("\n");
  },
  agent: ({ rows, truncated }, quiet) =>
    agentOutput(
      header("closes", { count: rows.length, next: rows.at(-1)?.event_id, truncated }),
      rows.map(agentRow),
      quiet,
    ),
  refs: ({ rows }) => rows.map(({ issue }) => issue),
};

export function fittedCloses(audit: Audit, bytes: number, forAgent: boolean): Audit {
  const lineOf = forAgent ? agentRow : (close: Close) => humanRow(close, (_tone, text) => text);
  const rows = fittingRows(audit.rows, bytes, lineOf);
  return rows === undefined ? audit : { ...audit, rows: [...rows], truncated: true };
}

function humanRow(close: Close, paint: Paint): string {
  const { time, actor, issue, reason, flags, message } = close;
  return [
    paint("faint", shortTime(time)),
    oneLine(actor),
    paint("id", oneLine(issue)),
    oneLine(reason),
    ...(close.evidence_types.length === 0 ? [] : [oneLine(valuesOf(close).join(", "))]),
    ...flags.map((flag) => paint("blocked", `[${oneLine(flag)}]`)),
    ...(message === undefined ? [] : [rowText(message)]),
  ].join("  ");
}

function agentRow({
  event_id,
  time,
  actor,
  issue,
  reason,
  evidence_types,
  flags,
  parent,
  message,
  evidence,
}: Close): string {
  return row({
    id: event_id,
    time,
    actor,
    issue,
    reason,
    evidence: evidence_types,
    flags,
    parent,
    message: message === undefined ? undefined : rowText(message),
    values: valuesOf({ evidence_types: [], evidence }),
  });
}

/** Each item of evidence with its value. A daemon before 0.15.0 sends only the types of the items. */
function valuesOf({
  evidence,
  evidence_types,
}: Pick<Close, "evidence" | "evidence_types">): readonly string[] {
  return evidence === undefined ? evidence_types : storedEvidence(evidence);
}
