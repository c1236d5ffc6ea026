import { age } from "../../src/base/age.ts";
import { instantToMs } from "../../src/base/clock.ts";
import type { Pane } from "../layout.ts";
import { centred, shownAt } from "../scroll.ts";
import { cronCount } from "../state/cron.ts";
import { emptyOf } from "../state/empty.ts";
import { CRON_TABS, type CronState } from "../state/slices.ts";
import type { State } from "../state/state.ts";
import type { Paint, Role } from "../style.ts";
import { cells, clean, wrap } from "../text.ts";
import { belowOf, definitionOf, RUN_LETTERS, tokensOf, tookOf } from "./cron-facts.ts";
import { drawEmpty } from "./empty.ts";
import { type Cell, cellsRow, ends, padded, plainRow } from "./rows.ts";

/** Jobs, workflows and runs of a project; a job's ledger and what comes next. Nothing here starts or stops anything. */
export function drawCron(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const { cron } = state;
  if (cron.error !== undefined)
    return padded([plainRow(paint, width, cron.error, "error")], width, height);
  const table = tableOf(state, width);
  const draw = (texts: readonly string[], whole?: Role): string =>
    cellsRow(paint, width, fitted(table?.widths ?? [], texts, width), whole);
  const head = table === undefined ? [] : [draw(table.head, "dim")];
  const empty = emptyOf(state);
  if (table === undefined || empty !== undefined) {
    const lines = empty === undefined ? [] : drawEmpty(empty, paint, width);
    return padded([...head, ...lines], width, height);
  }
  // The rows are what a person came for: what is said of one of them gives way.
  const below = shownBelow(state, width, height).map((text) => plainRow(paint, width, text, "dim"));
  const room = roomOf(below, height);
  const top = centred(cron.cursor, table.rows.length, room);
  const rows = table.rows
    .slice(top, top + room)
    .map((texts, at) => draw(texts, top + at === cron.cursor ? "cursor" : undefined));
  const upper = padded([...head, ...rows], width, height - below.length);
  return [...upper, ...below];
}

/** So many rows are seen before one of them is told in full. */
const MIN_ROWS = 5;

function shownBelow(state: State, width: number, height: number): readonly string[] {
  const room = Math.max(0, height - 1 - Math.min(cronCount(state), MIN_ROWS) - 1);
  return belowOf(state)
    .flatMap((text) => wrap(text, width))
    .slice(0, room);
}

/** Lines of the table between its header and what stands below it. */
function roomOf(below: readonly string[], height: number): number {
  return Math.max(1, height - 1 - (below.length === 0 ? 0 : below.length + 1));
}

/** Which row of the table stands on that line of the pane. */
export function cronRowAt(state: State, { width, height }: Pane, line: number): number | undefined {
  const room = roomOf(shownBelow(state, width, height), height);
  return shownAt(line - 1, state.cron.cursor, cronCount(state), room);
}

/** The tabs, how much is in them, and whose rows are looked at; on a narrow screen the one that is shown, and its place. */
export function cronStatus({ cron }: State, paint: Paint, width: number): string {
  const { tab } = cron;
  const names = CRON_TABS.map((name) => {
    const count = name === "jobs" || name === "workflows" ? cron[name]?.length : undefined;
    const text = `${name[0]?.toUpperCase()}${name.slice(1)}${count === undefined ? "" : ` ${count}`}`;
    return name === tab ? `[${text}]` : ` ${text} `;
  });
  const shown = CRON_TABS.indexOf(tab);
  const all = ` ${names.join(" ")}`;
  const narrow = ` ${names[shown]} ${shown + 1} of ${CRON_TABS.length}`;
  const tabs = cells(all) <= width ? all : narrow;
  const job = jobName(cron);
  const about = job === undefined ? "" : `   job:${clean(job)}`;
  const order = tab === "runs" || tab === "ledger" ? "newest first " : "";
  const right = cells(tabs) + cells(about) + cells(order) + 1 <= width ? order : "";
  return paint("bold", ends(width, `${tabs}${about}`, right));
}

function jobName({ tab, job, jobs, runs, cursor }: CronState): string | undefined {
  if (tab === "ledger" || tab === "preview") return job?.name;
  if (tab !== "runs") return undefined;
  const uid = runs?.[cursor]?.job_uid;
  return jobs?.find((one) => one.uid === uid)?.name;
}

/** Which row of how many; more may follow behind the last run. */
export function cronPlace({ cron }: State): string {
  const count = cronCount({ cron });
  if (count === 0) return "";
  const more = cron.tab === "runs" && cron.more !== undefined ? "+" : "";
  return `${cron.cursor + 1}/${count}${more}`;
}

interface Table {
  readonly head: readonly string[];
  /** 0 takes what the others leave. */
  readonly widths: readonly number[];
  readonly rows: readonly (readonly string[])[];
}

function fitted(widths: readonly number[], texts: readonly string[], width: number): Cell[] {
  const fixed = widths.reduce((sum, size) => sum + size, widths.length - 1);
  return widths.map((size, at) => ({
    text: texts[at] ?? "",
    width: size === 0 ? Math.max(8, width - fixed) : size,
  }));
}

function tableOf({ cron, issues, now }: State, width: number): Table | undefined {
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
        head: ["S", "JOB", "ISSUE", "STARTED", "TOOK", "TOKENS", "BY", "TEAMMATE"],
        widths: [1, 0, 8, 7, 6, 11, 12, ...(width < WIDE ? [] : [10])],
        rows: cron.runs.map((run) => [
          RUN_LETTERS[run.status],
          jobName(run.job_uid),
          issueName(run.issue_uid),
          ago(run.started_at ?? run.created_at),
          tookOf(run, nowMs),
          tokensOf(run),
          run.actor,
          run.teammate ?? "-",
        ]),
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
      };
    case "ledger":
      if (cron.ledger === undefined) return undefined;
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
      };
    case "preview":
      if (cron.preview === undefined) return undefined;
      return {
        head: ["ON ITS CLOCK", "OFFSET", "INSTANT", ""],
        widths: [20, 7, 20, 0],
        rows: cron.preview.occurrences.map(({ at, local, offset, offset_changed }) => [
          local.replace("T", " "),
          offset,
          at,
          offset_changed ? "the clock has changed" : "",
        ]),
      };
  }
}

/** From here on there is room for who worked on a run. */
const WIDE = 80;
