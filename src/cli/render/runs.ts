import { age } from "../../base/age.ts";
import { instantToMs } from "../../base/clock.ts";
import type { listRunningCronRuns, reportCronRuns } from "../../contract/cron-runs.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { aligned } from "./table.ts";

type Report = Output<typeof reportCronRuns>;
type Sums = Report["total"];

const HEAD = ["runs", "failed", "in", "out", "time"];
const isNumber = (column: number): boolean => column > 0;

export const runReportView: View<Report> = {
  human: ({ by, total, groups }, { quiet, paint }) => {
    if (groups.length === 0) return quiet ? "" : "No runs.";
    const lines = groups.map((group) => [label(group), ...cells(group)]);
    if (quiet) return lines.map((line) => line.join("\t")).join("\n");
    const sums = ["total", ...cells(total)];
    const [head = "", ...rows] = aligned([[by, ...HEAD], ...lines, sums], isNumber);
    return [paint("faint", head), ...rows].join("\n");
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

/** Formats a duration, for example `1h 02m`, `2m 05s` or `7s`. */
function timeText(seconds: number): string {
  const whole = Math.round(seconds);
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  if (whole >= 3600)
    return `${Math.floor(whole / 3600)}h ${twoDigits(Math.floor((whole % 3600) / 60))}m`;
  return whole >= 60 ? `${Math.floor(whole / 60)}m ${twoDigits(whole % 60)}s` : `${whole}s`;
}

type Running = Output<typeof listRunningCronRuns>;
type Run = Running["runs"][number];

const RUNNING_HEAD = ["since", "silent", "job", "worker", "executor", "issue", "run"];

export const runningView: View<Running> = {
  human: ({ now, runs }, { quiet, paint }) => {
    if (quiet) return runs.map(({ uid }) => oneLine(uid)).join("\n");
    if (runs.length === 0) return "No run says that it is running.";
    const lines = runs.map((run) => runningCells(run, now));
    const [head = "", ...rows] = aligned([RUNNING_HEAD, ...lines], (column) => column < 2);
    const hint =
      "Is a worker gone? Record how its run ended: svc cron run running --help has an example.";
    return [paint("faint", head), ...rows, paint("faint", hint)].join("\n");
  },
  agent: ({ now, runs, truncated }, quiet) => {
    const rows = runs.map((run) => {
      const { uid, job_name: job, actor, teammate, executor_label: executor, issue } = run;
      const since = sinceOf(run);
      const { updated_at, revision } = run;
      return row({ run: uid, since, updated_at, job, actor, teammate, executor, issue, revision });
    });
    return agentOutput(header("running", { count: runs.length, truncated, now }), rows, quiet);
  },
};

function sinceOf({ started_at, created_at }: Run): string {
  return started_at ?? created_at;
}

function runningCells(run: Run, now: string): readonly string[] {
  const ago = (instant: string): string => age(instantToMs(instant), instantToMs(now));
  const { job_name, job_uid, actor, teammate, executor_label, issue, uid } = run;
  const worker = teammate === undefined ? actor : `${actor} / ${teammate}`;
  const texts = [job_name ?? job_uid, worker, executor_label, issue, uid];
  return [ago(sinceOf(run)), ago(run.updated_at), ...texts.map((text) => oneLine(text ?? "-"))];
}
