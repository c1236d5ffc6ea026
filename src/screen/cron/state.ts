import type { Instant } from "../../base/clock.ts";
import type { listCronJobs } from "../../contract/cron-jobs.ts";
import type { previewCronJob, showCronJobLedger } from "../../contract/cron-ledger.ts";
import type { listCronRuns } from "../../contract/cron-runs.ts";
import type { listCronWorkflows } from "../../contract/cron-workflows.ts";
import type { listRecurrences } from "../../contract/recurrences.ts";
import type { Output } from "../../contract/route.ts";

export type CronJob = Output<typeof listCronJobs>["jobs"][number];
/** A recurrence rule with the template of the issues that it creates. */
export type Series = Output<typeof listRecurrences>["recurrences"][number];
export type CronRun = Output<typeof listCronRuns>["runs"][number];

export const CRON_TABS = ["runs", "jobs", "workflows", "ledger", "preview", "series"] as const;
export type CronScreenTab = (typeof CRON_TABS)[number];

export interface CronState {
  readonly tab: CronScreenTab;
  readonly cursor: number;
  readonly jobs: readonly CronJob[] | undefined;
  readonly workflows: Output<typeof listCronWorkflows>["workflows"] | undefined;
  readonly runs: readonly CronRun[] | undefined;
  readonly series: readonly Series[] | undefined;
  /** The uid of the oldest run that was read; `undefined` if there are no older runs to read. */
  readonly more: string | undefined;
  /** The job whose ledger and preview are shown. */
  readonly job: { readonly uid: string; readonly name: string } | undefined;
  readonly ledger: Output<typeof showCronJobLedger> | undefined;
  readonly preview: Output<typeof previewCronJob> | undefined;
  /** The newest runs of the job that was last under the cursor. */
  readonly lastRuns: LastRuns | undefined;
  /** The tabs to return to from a job's ledger or preview, the most recent at the end. */
  readonly before: readonly CronScreenTab[];
  /** For each tab that was left, the key of the row that was under the cursor. */
  readonly places: Readonly<Partial<Record<CronScreenTab, string>>>;
  /** The page of definitions that is shown instead of the rows. */
  readonly page: DefinitionPage | undefined;
  /** Whether the daemon has no cron routes, so that it is not asked again. */
  readonly unsupported: boolean;
  readonly error: string | undefined;
}

/** The next days that the rule, the first day and the zone in a series form give. */
export interface SeriesDays {
  readonly asked: DaysAsked;
  /** The days, such as `Mon 2026-11-30`; `undefined` until they are computed. */
  readonly days: readonly string[] | undefined;
  readonly goesOn: boolean;
  readonly error: string | undefined;
}

export interface DaysAsked {
  readonly rrule: string;
  readonly dtstart: string;
  readonly timezone: string;
  /** Only days after this one are wanted; `undefined` to begin with the first day. */
  readonly after: string | undefined;
}

declare module "../state.ts" {
  interface ScreenStates {
    readonly cron: CronState;
  }
}

export interface LastRuns {
  readonly job: string;
  readonly runs: readonly CronRun[] | undefined;
  readonly error: string | undefined;
}

/**
 * A definition to read. `event` is the uid of the event that stored it. Without `event`, the current definition is
 * read.
 */
export interface VersionAsked {
  readonly kind: "job" | "workflow";
  readonly uid: string;
  readonly event: string | undefined;
}

export interface Version extends VersionAsked {
  readonly name: string;
  /** The actor of the event; unknown for the current definition. */
  readonly actor: string | undefined;
  readonly at: Instant;
  readonly isCurrent: boolean;
  /** The names of the members that differ from the current definition. */
  readonly differs: readonly string[];
  /** The definition as JSON. Its numbers keep the digits with which they were stored, so `1.0` does not become `1`. */
  readonly text: string;
}

export type ReadVersion = Version | (VersionAsked & { readonly error: string });

export interface DefinitionPage {
  /** The uid of the run, job or workflow that the page is about. */
  readonly of: string;
  readonly title: string;
  readonly asked: readonly VersionAsked[];
  readonly versions: readonly ReadVersion[] | undefined;
  readonly scroll: number;
}

export const EMPTY_CRON: CronState = {
  tab: "runs",
  cursor: 0,
  jobs: undefined,
  workflows: undefined,
  runs: undefined,
  series: undefined,
  more: undefined,
  job: undefined,
  ledger: undefined,
  preview: undefined,
  lastRuns: undefined,
  before: [],
  places: {},
  page: undefined,
  unsupported: false,
  error: undefined,
};

declare module "../message.ts" {
  interface ScreenMessages {
    readonly cron: {
      readonly cron: {
        readonly cron: Partial<CronState>;
        /** The project, tab and job of the request that this answers. */
        readonly project_id?: number | undefined;
        readonly tab?: CronScreenTab | undefined;
        readonly job?: string | undefined;
        /** Set if the request was for older rows: rows before this run or this due time. */
        readonly older?: string | undefined;
      };
      readonly "job-runs": LastRuns;
      readonly "series-days": SeriesDays;
      readonly versions: {
        /** The uid of the run, job or workflow to which the definitions belong. */
        readonly of: string;
        readonly versions: readonly ReadVersion[];
      };
    };
  }
}

declare module "../effect.ts" {
  interface ScreenEffects {
    readonly "series-days": { readonly wait: number } & DaysAsked;
    readonly "load-cron": {
      readonly project_id: number;
      readonly tab: CronScreenTab;
      readonly job: string | undefined;
      /** The minimum number of rows to read. */
      readonly shown: number;
      readonly wait: number;
    };
    /** Reads more runs, or more rows of a ledger, that are older than `before`. */
    readonly "load-older": {
      readonly project_id: number;
      readonly tab: CronScreenTab;
      readonly job: string | undefined;
      readonly before: string;
    };
    readonly "load-job-runs": {
      readonly project_id: number;
      readonly job: string;
      readonly wait: number;
    };
    readonly "load-versions": {
      readonly project_id: number;
      readonly of: string;
      readonly asked: readonly VersionAsked[];
    };
  }
}
