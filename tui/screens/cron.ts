import { instantToMs } from "../../src/base/clock.ts";
import { age } from "../age.ts";
import type { Pane } from "../layout.ts";
import { centred } from "../scroll.ts";
import {
  CRON_TABS,
  type CronJob,
  type CronRun,
  type CronState,
  type State,
} from "../state/state.ts";
import type { Paint, Role } from "../style.ts";
import { wrap } from "../text.ts";
import { type Cell, cellsRow, padded, plainRow } from "./rows.ts";

/** Jobs, workflows and runs of a project; a job's ledger and what comes next. Nothing here starts or stops anything. */
export function drawCron(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const { cron, scope } = state;
  const line = (text: string, role?: Role): string => plainRow(paint, width, text, role);
  const tabs = line(tabsOf(cron), "bold");
  if (scope.project === undefined)
    return padded(
      [tabs, line("jobs and runs belong to a project: choose one", "dim")],
      width,
      height,
    );
  if (cron.error !== undefined) return padded([tabs, line(cron.error, "error")], width, height);
  const table = tableOf(state);
  if (table === undefined) return padded([tabs, line("loading...", "dim")], width, height);
  const draw = (texts: readonly string[], whole?: Role): string =>
    cellsRow(paint, width, fitted(table.widths, texts, width), whole);
  if (table.rows.length === 0)
    return padded([tabs, draw(table.head, "dim"), line(table.none, "dim")], width, height);
  const below = belowOf(state).flatMap((text) =>
    wrap(text, width).map((part) => line(part, "dim")),
  );
  const room = Math.max(1, height - 2 - (below.length === 0 ? 0 : below.length + 1));
  const top = centred(cron.cursor, table.rows.length, room);
  const rows = table.rows
    .slice(top, top + room)
    .map((texts, at) => draw(texts, top + at === cron.cursor ? "cursor" : undefined));
  const upper = padded([tabs, draw(table.head, "dim"), ...rows], width, height - below.length);
  return [...upper, ...below];
}

function tabsOf({ tab, job }: CronState): string {
  const names = CRON_TABS.map((name) => {
    const text = `${name[0]?.toUpperCase()}${name.slice(1)}`;
    return name === tab ? `[${text}]` : ` ${text} `;
  });
  const about =
    (tab === "ledger" || tab === "preview") && job !== undefined ? `   of ${job.name}` : "";
  return `${names.join(" ")}${about}`;
}

interface Table {
  readonly head: readonly string[];
  /** 0 takes what the others leave. */
  readonly widths: readonly number[];
  readonly rows: readonly (readonly string[])[];
  readonly none: string;
}

function fitted(widths: readonly number[], texts: readonly string[], width: number): Cell[] {
  const fixed = widths.reduce((sum, size) => sum + size, widths.length - 1);
  return widths.map((size, at) => ({
    text: texts[at] ?? "",
    width: size === 0 ? Math.max(8, width - fixed) : size,
  }));
}

function tableOf({ cron, issues, now }: State): Table | undefined {
  const nowMs = instantToMs(now);
  const ago = (at: string | undefined): string =>
    at === undefined ? "-" : age(instantToMs(at), nowMs);
  const issueName = (uid: string | undefined): string =>
    uid === undefined ? "-" : (issues.get(uid)?.short_id ?? uid.slice(-8));
  switch (cron.tab) {
    case "runs": {
      if (cron.runs === undefined) return undefined;
      const jobName = (uid: string | undefined): string =>
        uid === undefined
          ? "-"
          : (cron.jobs?.find((job) => job.uid === uid)?.name ?? uid.slice(-8));
      return {
        head: ["S", "JOB", "ISSUE", "STARTED", "TOOK", "TOKENS", "BY"],
        widths: [1, 0, 8, 7, 6, 11, 12],
        rows: cron.runs.map((run) => [
          RUN_LETTERS[run.status],
          jobName(run.job_uid),
          issueName(run.issue_uid),
          ago(run.started_at ?? run.created_at),
          tookOf(run),
          tokensOf(run),
          run.teammate ?? run.actor,
        ]),
        none: "no run was recorded yet: svc cron run observe",
      };
    }
    case "jobs":
      if (cron.jobs === undefined) return undefined;
      return {
        head: ["ON", "NAME", "TRIGGER", "ACTION", "CATCHUP", "CHANGED"],
        widths: [3, 0, 24, 8, 7, 7],
        rows: cron.jobs.map((job) => {
          const { enabled, trigger, action, catchup } = definitionOf(job);
          return [enabled ? "on" : "off", job.name, trigger, action, catchup, ago(job.updated_at)];
        }),
        none: "no job yet: svc cron job create",
      };
    case "workflows":
      if (cron.workflows === undefined) return undefined;
      return {
        head: ["NAME", "STEPS", "CHANGED"],
        widths: [0, 5, 7],
        rows: cron.workflows.map(({ name, definition, updated_at }) => {
          const { steps } = definition as { readonly steps?: readonly unknown[] };
          return [name, String(steps?.length ?? 0), ago(updated_at)];
        }),
        none: "no workflow yet: svc cron workflow create",
      };
    case "ledger":
      if (cron.ledger === undefined) return cron.job === undefined ? NO_JOB : undefined;
      return {
        head: ["CAME DUE", "OUTCOME", "LATE", "ISSUE", "HELD"],
        widths: [20, 20, 6, 8, 0],
        rows: cron.ledger.entries.map((entry) => [
          entry.at,
          entry.policy === undefined ? entry.outcome : `${entry.outcome} by ${entry.policy}`,
          entry.late_seconds === undefined ? "" : age(0, entry.late_seconds * 1000),
          entry.child_short_id ?? "",
          entry.held ?? "",
        ]),
        none: "nothing came due yet",
      };
    case "preview":
      if (cron.preview === undefined) return cron.job === undefined ? NO_JOB : undefined;
      return {
        head: ["ON ITS CLOCK", "OFFSET", "INSTANT", ""],
        widths: [20, 7, 20, 0],
        rows: cron.preview.occurrences.map(({ at, local, offset, offset_changed }) => [
          local.replace("T", " "),
          offset,
          at,
          offset_changed ? "the clock has changed" : "",
        ]),
        none: "no time to come",
      };
  }
}

const NO_JOB: Table = {
  head: [],
  widths: [],
  rows: [],
  none: "choose a job under Jobs: enter shows its ledger, p what comes next",
};

const RUN_LETTERS: Readonly<Record<CronRun["status"], string>> = {
  running: "R",
  succeeded: "S",
  failed: "F",
  cancelled: "C",
  unknown: "?",
};

function tookOf({ started_at, ended_at }: CronRun): string {
  if (started_at === undefined || ended_at === undefined) return "-";
  return age(instantToMs(started_at), instantToMs(ended_at));
}

function tokensOf({ summary }: CronRun): string {
  const { input_tokens: input, output_tokens: output } = summary as Readonly<
    Record<string, number | undefined>
  >;
  return input === undefined && output === undefined ? "-" : `${short(input)}/${short(output)}`;
}

function short(count: number | undefined): string {
  if (count === undefined) return "-";
  return count < 1000 ? String(count) : `${Math.round(count / 1000)}k`;
}

/** A definition is kept as it was written; what is shown of it is read here. */
function definitionOf({ definition }: CronJob) {
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

/** The rest of what the row under the cursor says. */
function belowOf({ cron }: State): readonly string[] {
  if (cron.tab !== "runs") return [];
  const run = cron.runs?.[cron.cursor];
  if (run === undefined) return [];
  const { message } = run.summary as { readonly message?: unknown };
  return [
    `run ${run.uid}   revision ${run.revision}${run.occurrence_key === undefined ? "" : `   occurrence ${run.occurrence_key}`}`,
    ...(typeof message === "string" ? [message] : []),
    "evidence only: a status here never starts or stops anything",
  ];
}
