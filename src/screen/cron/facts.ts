import { age } from "../../base/age.ts";
import { instantToMs } from "../../base/clock.ts";
import { nativeParentOf } from "../../domain/cron/native.ts";
import { stoppedText } from "../../domain/cron/stopped-text.ts";
import { keyFor } from "../keymap.ts";
import { shortCount } from "../short-count.ts";
import type { State } from "../state.ts";
import { timePhrase, wallTime } from "../times.ts";
import { failureOf } from "../writes/failed.ts";
import { jobUnderCursor } from "./cron.ts";
import { wordOf } from "./definition.ts";
import { seriesFacts } from "./series.ts";
import type { CronJob, CronRun } from "./state.ts";

export const RUN_LETTERS: Readonly<Record<CronRun["status"], string>> = {
  running: "R",
  succeeded: "S",
  failed: "F",
  cancelled: "C",
  unknown: "?",
};

/** The duration of a run; a plus before it means that the run is still running. */
export function runDuration({ status, started_at, ended_at }: CronRun, nowMs: number): string {
  if (started_at === undefined) return "-";
  if (ended_at !== undefined) return age(instantToMs(started_at), instantToMs(ended_at));
  return status === "running" ? `+${age(instantToMs(started_at), nowMs)}` : "-";
}

export function runTokens({ summary }: CronRun): string {
  const { input_tokens: input, output_tokens: output } = summary as Readonly<
    Record<string, number | undefined>
  >;
  return input === undefined && output === undefined
    ? "-"
    : `${shortCount(input)}/${shortCount(output)}`;
}

/**
 * Reads the fields to show from a job's definition. A definition is stored as it was sent, so any of these fields may
 * be missing or invalid.
 */
export function definitionOf({ definition }: CronJob) {
  const { enabled, trigger, action, catchup } = definition as {
    readonly enabled?: boolean;
    readonly trigger?: Readonly<Record<string, unknown>>;
    readonly action?: { readonly kind?: string };
    readonly catchup?: string;
  };
  const text = (key: string): string => {
    const value = trigger?.[key];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const kind = text("kind");
  const when: Readonly<Record<string, string>> = {
    cron: text("cron"),
    interval: `every ${text("interval_seconds")}s`,
    once: `once ${text("at")}`,
  };
  const zone = text("timezone") === "" ? "" : ` ${text("timezone")}`;
  return {
    enabled: enabled === true,
    trigger: `${when[kind] ?? kind}${zone}`,
    action: action?.kind ?? "",
    catchup: catchup ?? "",
  };
}

/** Why an enabled job does not run. For a disabled job this is `undefined`, because the column ON says so. */
export function whyHeld({ held }: Pick<CronJob, "held">): string | undefined {
  return held === "disabled" ? undefined : held;
}

export function jobState(job: CronJob): "on" | "off" | "held" {
  if (!definitionOf(job).enabled) return "off";
  return whyHeld(job) === undefined ? "on" : "held";
}

/** The lines below the list about the row under the cursor. */
export function rowFacts(state: State): readonly string[] {
  const { cron } = state;
  if (cron.tab === "runs") {
    const run = cron.runs?.[cron.cursor];
    return run === undefined ? [] : runLines(state, run);
  }
  if (cron.tab === "series") return seriesFacts(state);
  if (cron.tab !== "jobs") return [];
  const job = jobUnderCursor(state);
  return job === undefined ? [] : jobLines(state, job);
}

const EVIDENCE = "evidence only: a status here never starts or stops anything";

function runLines({ cron, issues, preferences: { zone } }: State, run: CronRun): readonly string[] {
  const { job_uid, workflow_uid, issue_uid, summary } = run;
  const { message } = summary as { readonly message?: unknown };
  const nameOf = (
    all: readonly { readonly uid: string; readonly name: string }[] | undefined,
    uid: string | undefined,
  ) => all?.find((one) => one.uid === uid)?.name ?? uid;
  const issue = issue_uid === undefined ? undefined : issues.get(issue_uid);
  return [
    facts(["run", run.uid], ["revision", String(run.revision)], ["occurrence", run.occurrence_key]),
    facts(
      ["definition", nameOf(cron.jobs, job_uid)],
      ["event", run.definition_event_uid],
      ["workflow", nameOf(cron.workflows, workflow_uid)],
      ["event", run.workflow_definition_event_uid],
    ),
    facts(["issue", issue === undefined ? issue_uid : `${issue.qualified_id}  ${issue.title}`]),
    `${facts(
      ["started", wallOf(run.started_at, zone)],
      ["ended", wallOf(run.ended_at, zone)],
      ["recorded", wallOf(run.created_at, zone)],
    )}   (${zone})`,
    facts(
      ["status", run.status],
      ["tokens in/out", runTokens(run) === "-" ? undefined : runTokens(run)],
      ["by", run.actor],
      ["teammate", run.teammate],
      ["executor", run.executor_label],
    ),
    facts(["summary", typeof message === "string" ? message : undefined]),
    EVIDENCE,
  ].filter((line) => line !== "");
}

function wallOf(instant: string | undefined, zone: string): string | undefined {
  return instant === undefined ? undefined : wallTime(instant, zone);
}

function facts(...known: readonly (readonly [string, string | undefined])[]): string {
  return known
    .flatMap(([name, value]) => (value === undefined ? [] : `${name} ${value}`))
    .join("   ");
}

function jobLines(state: State, job: CronJob): readonly string[] {
  const failure = failureOf(state, job.uid);
  const reason = whyHeld(job);
  return [
    ...(failure === undefined ? [] : [`! ${failure.text}`]),
    ...(reason === undefined
      ? []
      : [`held: ${stoppedText(reason) ?? reason.replaceAll("_", " ")}`]),
    facts(["job", job.uid], ["event", job.definition_event_uid], ["by", job.author]),
    ...lastRunLines(state, job),
    ...Object.entries(job.definition).map(([name, value]) => `${name}: ${wordOf(value)}`),
  ];
}

/** A job that svc delivers itself has a ledger and no runs (docs/contract/cron-and-inbox.md#85-one-delivery). */
function lastRunLines(state: State, { uid, definition }: CronJob): readonly string[] {
  const { cron, now } = state;
  if (nativeParentOf(definition) !== null)
    return [`delivered by svc: ${keyFor(state, "cron-open")} shows what became of each time`];
  const { lastRuns } = cron;
  if (lastRuns?.job !== uid) return ["last runs: loading..."];
  const { runs, error } = lastRuns;
  if (runs === undefined) return [`last runs: ${error ?? "not known"}`];
  if (runs.length === 0) return ["it was never run: svc cron run observe records a run"];
  const nowMs = instantToMs(now);
  const lines = runs.map((run) => {
    const when = timePhrase(state, run.started_at ?? run.created_at);
    return `${RUN_LETTERS[run.status]} ${when}   took ${runDuration(run, nowMs)}   ${run.actor}`;
  });
  return ["last runs", ...lines];
}
