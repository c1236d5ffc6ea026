import type { auditCloses } from "../../contract/activity.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output.ts";
import { shortTime } from "./show.ts";

export const auditView: View<Output<typeof auditCloses>> = {
  human: ({ rows }, { paint, quiet }) => {
    if (quiet) return rows.map(({ issue }) => oneLine(issue)).join("\n");
    if (rows.length === 0) return "No closes.";
    return rows
      .map(({ time, actor, issue, reason, evidence_types, flags }) =>
        [
          paint("faint", shortTime(time)),
          oneLine(actor),
          paint("id", oneLine(issue)),
          oneLine(reason),
          ...(evidence_types.length === 0 ? [] : [oneLine(evidence_types.join(", "))]),
          ...flags.map((flag) => paint("blocked", `[${oneLine(flag)}]`)),
        ].join("  "),
      )
      .join("\n");
  },
  agent: ({ rows }, quiet) =>
    agentOutput(
      header("closes", { count: rows.length, next: rows.at(-1)?.event_id }),
      rows.map(({ event_id, time, actor, issue, reason, evidence_types, flags, parent, message }) =>
        row({
          id: event_id,
          time,
          actor,
          issue,
          reason,
          evidence: evidence_types,
          flags,
          parent,
          message,
        }),
      ),
      quiet,
    ),
};
