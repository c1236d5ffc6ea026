import type { Instant } from "../../base/clock.ts";
import type { listCronJobs } from "../../contract/cron-jobs.ts";
import type { previewCronJob, showCronJobLedger } from "../../contract/cron-ledger.ts";
import type { listCronRuns } from "../../contract/cron-runs.ts";
import type { listCronWorkflows } from "../../contract/cron-workflows.ts";
import type { Output } from "../../contract/route.ts";

export type CronJob = Output<typeof listCronJobs>["jobs"][number];
export type CronRun = Output<typeof listCronRuns>["runs"][number];

export const CRON_TABS = ["runs", "jobs", "workflows", "ledger", "preview"] as const;
export type CronTab = (typeof CRON_TABS)[number];

export interface CronState {
  readonly tab: CronTab;
  readonly cursor: number;
  readonly jobs: readonly CronJob[] | undefined;
  readonly workflows: Output<typeof listCronWorkflows>["workflows"] | undefined;
  readonly runs: readonly CronRun[] | undefined;
  /** The last run that was read, where older ones may follow. */
  readonly more: string | undefined;
  /** Whose ledger and preview are shown. */
  readonly job: { readonly uid: string; readonly name: string } | undefined;
  readonly ledger: Output<typeof showCronJobLedger> | undefined;
  readonly preview: Output<typeof previewCronJob> | undefined;
  /** The newest runs of the job that was under the cursor last. */
  readonly lastRuns: LastRuns | undefined;
  /** From the ledger and the preview of a job the way back: the tabs it was come from, the last one at the end. */
  readonly before: readonly CronTab[];
  /** On which row each of the other tabs was left. */
  readonly places: Readonly<Partial<Record<CronTab, string>>>;
  /** Over the rows: definitions as they were, or as they are now. */
  readonly page: DefinitionPage | undefined;
  /** The daemon knows nothing of jobs and runs, and is not asked again. */
  readonly unsupported: boolean;
  readonly error: string | undefined;
}

/** What became of a job when it was run last; `error` says why that is not known. */
export interface LastRuns {
  readonly job: string;
  readonly runs: readonly CronRun[] | undefined;
  readonly error: string | undefined;
}

/** A definition of that event; without one, as it is now. */
export interface VersionAsked {
  readonly kind: "job" | "workflow";
  readonly uid: string;
  readonly event: string | undefined;
}

/** A definition as the log has it. */
export interface Version extends VersionAsked {
  readonly name: string;
  /** Who made it so, and when; of the one that holds now only when is known. */
  readonly actor: string | undefined;
  readonly at: Instant;
  readonly isCurrent: boolean;
  /** What of it is another by now, by its names. */
  readonly differs: readonly string[];
  /** As JSON, each number as it was written. */
  readonly text: string;
}

/** What could not be read says why in its own place. */
export type ReadVersion = Version | (VersionAsked & { readonly error: string });

export interface DefinitionPage {
  /** The run, job or workflow whose definitions they are. */
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
