import type { Instant } from "../base/clock.ts";
import type { pollEvents } from "../contract/activity.ts";
import type { listCronJobs } from "../contract/cron-jobs.ts";
import type { previewCronJob, showCronJobLedger } from "../contract/cron-ledger.ts";
import type { listCronRuns } from "../contract/cron-runs.ts";
import type { listCronWorkflows } from "../contract/cron-workflows.ts";
import type { criticalPath, reachableIssueGraph } from "../contract/graph.ts";
import type { listInboxGlobal } from "../contract/inbox.ts";
import type { showIssue } from "../contract/issues.ts";
import type { Output } from "../contract/route.ts";
import type { Issue } from "./board/issues.ts";
import type { Order } from "./board/order.ts";
import type { At } from "./writes/writes.ts";

/** What each screen keeps of its own. */

export type IssueEvent = Output<typeof pollEvents>["events"][number];

/** What the detail of one issue shows. What could not be read says why in its own place. */
export interface Detail {
  readonly uid: string;
  readonly show: Output<typeof showIssue> | undefined;
  readonly error: string | undefined;
  readonly events: readonly IssueEvent[] | undefined;
  readonly eventsError: string | undefined;
  /** The other ends of its links, of other projects too. */
  readonly peers: readonly Issue[] | undefined;
  readonly peersError: string | undefined;
}

export type DetailPart = Partial<Omit<Detail, "uid">>;

export const SECTIONS = ["Comments", "Events", "Links", "Dates", "Children"] as const;
export type Section = (typeof SECTIONS)[number];

/** How the board shows its issues, in the order in which a key goes through them. */
export const VIEWS = ["nested", "flat", "states", "owners"] as const;
export type View = (typeof VIEWS)[number];

/** Where a lane was left: its card, which one in the lane that was, and how many lines were drawn above it. */
export interface LanePlace {
  readonly uid: string;
  readonly at: number;
  readonly line: number;
}

/** What the daemon found for these words. */
export interface Search {
  readonly words: string;
  /** An answer to another question is dropped. */
  readonly serial: number;
  /** The best match first; nothing while it looks. */
  readonly found: readonly string[] | undefined;
  /** By words, by meaning or both, as the daemon says. */
  readonly how: string;
}

export interface BoardState {
  /** Its rows are shown instead of those of the filter. */
  readonly search: Search | undefined;
  readonly query: string;
  readonly view: View;
  readonly order: Order;
  readonly cursor: string | undefined;
  /** On which line of the pane or lane the cursor is; it scrolls so that its issue stays there. */
  readonly line: number;
  /** The lanes where the cursor is not, by their names. */
  readonly places: ReadonlyMap<string, LanePlace>;
  /** Which lane is the leftmost that is drawn. */
  readonly left: number;
  readonly marks: ReadonlySet<string>;
  /** Where a range of marks began. */
  readonly anchor: string | undefined;
  readonly folded: ReadonlySet<string>;
}

export interface GraphState {
  readonly source: string;
  /** Whose graph was shown before, the last one last. */
  readonly before: readonly string[];
  readonly depth: number | "full";
  readonly hideDone: boolean;
  readonly transitive: boolean;
  readonly folded: ReadonlySet<string>;
  readonly cursor: number;
  readonly data: Output<typeof reachableIssueGraph> | undefined;
  /** Instead of the tree: the longest chain of open blockers. */
  readonly chain: Output<typeof criticalPath> | undefined;
  readonly showChain: boolean;
  readonly error: string | undefined;
}

type InboxRequest = Output<typeof listInboxGlobal>["requests"][number];
type RequestField =
  | "issue_uid"
  | "project_id"
  | "title"
  | "from"
  | "message"
  | "teammate"
  | "event_uid"
  | "requested_at";

/** A request, or what stands where one should. */
export type InboxItem = { readonly [K in RequestField]?: InboxRequest[K] | undefined } & {
  readonly to: string;
  /** `project#short_id` */
  readonly ref: string;
  /** Why it cannot be read; then nothing else of it is known. */
  readonly fault?: string;
};

/** Requests to exact addresses; reading clears none. */
export interface InboxState {
  readonly address: string;
  /** To every name of this person, not to the one address alone. */
  readonly all: boolean;
  readonly requests: readonly InboxItem[] | undefined;
  readonly cursor: number;
  readonly error: string | undefined;
}

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

/** Somebody who leases an issue or owns an open one, as the daemon last said. */
export interface FleetRow {
  readonly at: At;
  readonly title: string;
  /** A lease outlives the close of its issue; nothing where the daemon does not say. */
  readonly status: "open" | "closed" | undefined;
  readonly holder: string;
  /** Of the issue: who may be another than who leases it. */
  readonly owner: string | undefined;
  /** Since when the holder has it; nothing where the log does not tell. */
  readonly since: Instant | undefined;
  readonly lease:
    | {
        readonly expires_at: Instant | undefined;
        readonly fence: number;
        readonly purpose: string;
      }
    | undefined;
  /** What the holder did last, anywhere. */
  readonly last:
    | { readonly kind: string; readonly at: Instant; readonly uid: string | undefined }
    | undefined;
}

export interface FleetState {
  /** Whose issues the rows are of; nothing: of all projects. */
  readonly project_id: number | undefined;
  readonly rows: readonly FleetRow[] | undefined;
  readonly cursor: number;
  readonly text: string;
  readonly silentOnly: boolean;
  /** A holder without an event for so long is silent. */
  readonly silentAfterMs: number;
  readonly truncated: boolean;
  readonly error: string | undefined;
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

export const EMPTY_FLEET: Omit<FleetState, "silentAfterMs"> = {
  project_id: undefined,
  rows: undefined,
  cursor: 0,
  text: "",
  silentOnly: false,
  truncated: false,
  error: undefined,
};
