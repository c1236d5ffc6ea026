import { age } from "../../src/base/age.ts";
import { instantToMs } from "../../src/base/clock.ts";
import { cronCount } from "../../src/screen/cron/cron.ts";
import { stepCount } from "../../src/screen/cron/definition.ts";
import {
  definitionOf,
  jobState,
  RUN_LETTERS,
  rowFacts,
  runDuration,
  runTokens,
  whyHeld,
} from "../../src/screen/cron/facts.ts";
import { CRON_TABS, type CronState } from "../../src/screen/cron/state.ts";
import { isToggling, shownJobs } from "../../src/screen/cron/toggles.ts";
import { emptyOf } from "../../src/screen/empty.ts";
import type { Target } from "../../src/screen/message.ts";
import { firstRow } from "../../src/screen/scroll.ts";
import type { State } from "../../src/screen/state.ts";
import { timeText, wallTime, wallTimeAhead } from "../../src/screen/times.ts";
import { pageView } from "../document/versions.ts";
import type { Pane } from "../layout.ts";
import { paintSpans } from "../spans.ts";
import type { Paint, Role } from "../style.ts";
import { cells, clean, unreadLines, wrap } from "../text.ts";
import { timeCells, zoneIn } from "../times.ts";
import { drawEmpty, drawError } from "./empty.ts";
import {
  type Cell,
  capitalized,
  cellsRow,
  ends,
  padded,
  plainRow,
  type RowsIn,
  textAt,
} from "./rows.ts";

/**
 * Draws the cron screen: jobs, workflows, runs, series, and the ledger and the next times of a job. Nothing here starts
 * or stops a run.
 */
export function drawCron(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const view = pageView(state);
  if (view !== undefined) {
    const shown = view.lines.slice(view.top, view.top + height);
    const lines = shown.map((line) => paintSpans(paint, width, line));
    return padded(lines, width, height);
  }
  const { cron } = state;
  // The rows have priority: the details of the row under the cursor get only the lines that the rows leave free.
  const below = shownBelow(state, width, height);
  const room = roomOf(state, below, pane);
  const top = firstRow(cron.cursor, cronCount(state), room);
  const table = tableOf(state, width, top, top + room);
  const draw = (mark: string, texts: readonly string[], whole?: Role): string =>
    cellsRow(paint, width, fitted(mark, table, texts, width), whole);
  const errors = drawError(cron.error, paint, width);
  const head = [...(table === undefined ? [] : [draw("", table.head, "dim")]), ...errors];
  const empty = emptyOf(state);
  if (table === undefined || empty !== undefined) {
    const lines = errors.length > 0 ? [] : drawEmpty(empty, paint, width);
    return padded([...head, ...lines], width, height);
  }
  const rows = table.rows.map((texts, at) => {
    const isCursor = top + at === cron.cursor;
    return draw(markOf(state, paint, top + at), texts, isCursor ? "cursor" : undefined);
  });
  const upper = padded([...head, ...rows], width, height - below.length);
  return [...upper, ...below.map((text) => plainRow(paint, width, text, "dim"))];
}

function markOf(state: State, { glyphs }: Paint, at: number): string {
  const { cron } = state;
  const { failed } = state.writes;
  const uid = cron.tab === "jobs" ? cron.jobs?.[at]?.uid : undefined;
  const sign =
    uid === undefined
      ? ""
      : isToggling(state, uid)
        ? glyphs.pending
        : failed.has(uid)
          ? glyphs.failed
          : "";
  return `${at === cron.cursor ? glyphs.cursor : " "}${sign}`;
}

/** At least this many rows stay visible above the details. */
const MIN_ROWS = 5;

function shownBelow(state: State, width: number, height: number): readonly string[] {
  const room = Math.max(
    0,
    height - headOf(state, width) - Math.min(cronCount(state), MIN_ROWS) - 1,
  );
  return rowFacts(state)
    .flatMap((text) => wrap(text, width))
    .slice(0, room);
}

function headOf({ cron }: State, width: number): number {
  return 1 + unreadLines(cron.error, width).length;
}

function roomOf(state: State, below: readonly string[], { width, height }: Pane): number {
  return Math.max(1, height - headOf(state, width) - (below.length === 0 ? 0 : below.length + 1));
}

export function cronRowsIn(state: State, pane: Pane): RowsIn {
  const { width, height } = pane;
  if (state.cron.page !== undefined) return { head: 0, room: 0 };
  const room = roomOf(state, shownBelow(state, width, height), pane);
  return { head: headOf(state, width), room };
}

/**
 * The tabs with their counts, and the job that the current tab is about. A narrow screen shows the current tab only.
 */
export function cronStatus({ cron }: State, paint: Paint, width: number): string {
  const { tab, page } = cron;
  if (page !== undefined) return plainRow(paint, width, ` definition: ${page.title}`, "bold");
  const names = tabNames(cron);
  const shown = CRON_TABS.indexOf(tab);
  const all = ` ${names.join(" ")}`;
  const narrow = ` ${names[shown]} ${shown + 1} of ${CRON_TABS.length}`;
  const tabs = cells(all) <= width ? all : narrow;
  const job = jobName(cron);
  const stopReason = tab === "ledger" || tab === "preview" ? cron[tab]?.job.held : undefined;
  const paused = stopReason === undefined ? "" : ` (${clean(stopReason.replaceAll("_", " "))})`;
  const about = job === undefined ? "" : `   job:${clean(job)}${paused}`;
  const order = tab === "runs" || tab === "ledger" ? "newest first " : "";
  const right = cells(tabs) + cells(about) + cells(order) + 1 <= width ? order : "";
  return paint("bold", ends(paint, width, `${tabs}${about}`, right));
}

function tabNames(cron: CronState): readonly string[] {
  return CRON_TABS.map((name) => {
    const isCounted = name === "jobs" || name === "workflows" || name === "series";
    const count = isCounted ? cron[name]?.length : undefined;
    const text = `${capitalized(name)}${count === undefined ? "" : ` ${count}`}`;
    return name === cron.tab ? `[${text}]` : ` ${text} `;
  });
}

/** Returns the tab at this cell of the terminal. Returns `undefined` if the terminal is too narrow to show the tabs. */
export function cronTabAt({ cron, window }: State, x: number, y: number): Target | undefined {
  const names = tabNames(cron);
  const isDrawn = cron.page === undefined && cells(` ${names.join(" ")}`) <= window.columns;
  const tab = y === 1 && isDrawn ? CRON_TABS[textAt(names, x, 1, 1)] : undefined;
  return tab === undefined ? undefined : { is: "tab", tab };
}

function jobName({ tab, job, jobs, runs, cursor }: CronState): string | undefined {
  if (tab === "ledger" || tab === "preview") return job?.name;
  if (tab !== "runs") return undefined;
  const uid = runs?.[cursor]?.job_uid;
  return jobs?.find((one) => one.uid === uid)?.name;
}

interface Table {
  readonly head: readonly string[];
  /** The widths of the columns; a column of width 0 gets the remaining space. */
  readonly widths: readonly number[];
  /** Columns from here on contain names of people and agents. */
  readonly namesFrom?: number;
  readonly rows: readonly (readonly string[])[];
}

/** The width in cells of the cursor and a sign. */
const MARKS = 2;

function fitted(
  mark: string,
  table: Table | undefined,
  texts: readonly string[],
  width: number,
): readonly Cell[] {
  const { widths = [], namesFrom = widths.length } = table ?? {};
  const fixed = widths.reduce((sum, size) => sum + size, MARKS + widths.length - 1);
  const cells = widths.map(
    (size, at): Cell => ({
      text: texts[at] ?? "",
      width: size === 0 ? Math.max(8, width - fixed) : size,
      isName: at >= namesFrom || undefined,
      joined: at === 0,
    }),
  );
  return [{ text: mark, width: MARKS }, ...cells];
}

function tableOf(state: State, width: number, from: number, to: number): Table | undefined {
  const { cron, issues, now } = state;
  const { zone } = state.preferences;
  const nowMs = instantToMs(now);
  const shown = <T>(all: readonly T[]): readonly T[] => all.slice(from, to);
  const time = width < WIDE ? 19 : 26;
  const wall = (at: string): string => (width < WIDE ? wallTime : wallTimeAhead)(at, zone);
  const ago = (at: string | undefined): string => (at === undefined ? "-" : timeText(state, at));
  const when = Math.max(7, timeCells(state));
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
        widths: [1, 0, 8, when, 6, 11, 12, ...(width < WIDE ? [] : [10])],
        namesFrom: 6,
        rows: shown(cron.runs).map((run) => [
          RUN_LETTERS[run.status],
          jobName(run.job_uid),
          issueName(run.issue_uid),
          ago(run.started_at ?? run.created_at),
          runDuration(run, nowMs),
          runTokens(run),
          run.actor,
          run.teammate ?? "-",
        ]),
      };
    }
    case "jobs":
      if (cron.jobs === undefined) return undefined;
      return {
        head: ["ON", "NAME", "TRIGGER", "ACTION", "CATCHUP", "CHANGED", "HELD"],
        widths: [4, 0, 24, 8, 7, when, ...(width < WIDEST ? [] : [18])],
        rows: shown(shownJobs(state)).map((job) => {
          const { trigger, action, catchup } = definitionOf(job);
          const { name, updated_at } = job;
          const stopReason = (whyHeld(job) ?? "").replaceAll("_", " ");
          return [jobState(job), name, trigger, action, catchup, ago(updated_at), stopReason];
        }),
      };
    case "workflows":
      if (cron.workflows === undefined) return undefined;
      return {
        head: ["NAME", "STEPS", "CHANGED"],
        widths: [0, 5, when],
        rows: shown(cron.workflows).map(({ name, definition, updated_at }) => [
          name,
          String(stepCount(definition)),
          ago(updated_at),
        ]),
      };
    case "series":
      if (cron.series === undefined) return undefined;
      return {
        head: ["NEXT", "TITLE", "RULE", "ISSUE", "OWNER"],
        widths: [10, 0, width < WIDE ? 20 : 34, 8, 12],
        namesFrom: 4,
        rows: shown(cron.series).map((series) => [
          series.next_occurrence_key ?? "ended",
          series.template_title,
          series.rrule,
          issueName(series.last_materialized_uid),
          series.template_owner ?? "-",
        ]),
      };
    case "ledger":
      if (cron.ledger === undefined) return undefined;
      return {
        head: [`DUE IN ${zoneIn(zone, time - 7)}`, "OUTCOME", "LATE", "ISSUE", "HELD"],
        widths: [time, 20, 6, 8, 0],
        rows: shown(cron.ledger.entries).map((entry) => [
          wall(entry.at),
          entry.policy === undefined ? entry.outcome : `${entry.outcome} by ${entry.policy}`,
          entry.late_seconds === undefined ? "" : age(0, entry.late_seconds * 1000),
          entry.child_short_id ?? "",
          entry.held ?? "",
        ]),
      };
    case "preview": {
      if (cron.preview === undefined) return undefined;
      const { job, occurrences } = cron.preview;
      return {
        head: [
          `ITS CLOCK ${zoneIn(job.timezone, time - 10)}`,
          `HERE ${zoneIn(zone, time - 5)}`,
          "",
        ],
        widths: [time, time, 0],
        rows: shown(occurrences).map(({ at, local, offset, offset_changed }) => [
          `${local.replace("T", " ")}${width < WIDE ? "" : ` ${offset}`}`,
          wall(at),
          offset_changed ? "the clock has changed" : "",
        ]),
      };
    }
  }
}

/** Screens of at least this width show why a job is held. */
const WIDEST = 120;

/** Screens of at least this width show the teammate of a run, and UTC offsets. */
const WIDE = 80;
