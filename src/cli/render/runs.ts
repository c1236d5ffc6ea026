import { counted } from "../../base/counted.ts";
import type { reportCronRuns } from "../../contract/cron-runs.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output.ts";
import { aligned } from "./table.ts";

type Report = Output<typeof reportCronRuns>;
type Sums = Report["total"];

const HEAD = ["runs", "failed", "in", "out", "time"];
const isNumber = (column: number): boolean => column > 0;

export const runReportView: View<Report> = {
  human: ({ by, total, groups, truncated }, { quiet, paint }) => {
    if (groups.length === 0) return quiet ? "" : "No runs.";
    const lines = groups.map((group) => [label(group), ...cells(group)]);
    if (quiet) return lines.map((line) => line.join("\t")).join("\n");
    const sums = ["total", ...cells(total)];
    const [head = "", ...rows] = aligned([[by, ...HEAD], ...lines, sums], isNumber);
    const more = truncated
      ? [`... ${counted(groups.length, "line")} shown (raise --limit to see more)`]
      : [];
    return [paint("faint", head), ...rows, ...more].join("\n");
  },
  agent: ({ by, total, groups, truncated }, quiet) => {
    const rows = groups.map(({ key = "-", name, ...sums }) => row({ key, ...fields(sums), name }));
    const count = groups.length;
    return agentOutput(header("report", { by, count, truncated, ...fields(total) }), rows, quiet);
  },
};

function label({ key, name }: Report["groups"][number]): string {
  return oneLine(name ?? key ?? "(none)");
}

function cells({ runs, failed, input_tokens, output_tokens, seconds }: Sums): readonly string[] {
  return [runs, failed, input_tokens, output_tokens].map(String).concat(timeText(seconds));
}

function fields({ runs, succeeded, failed, input_tokens, output_tokens, seconds }: Sums) {
  return { runs, succeeded, failed, input_tokens, output_tokens, seconds };
}

/** `1h 02m`, `2m 05s` or `7s`. */
function timeText(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number): string => String(value).padStart(2, "0");
  if (whole >= 3600) return `${Math.floor(whole / 3600)}h ${two(Math.floor((whole % 3600) / 60))}m`;
  return whole >= 60 ? `${Math.floor(whole / 60)}m ${two(whole % 60)}s` : `${whole}s`;
}
