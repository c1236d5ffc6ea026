import type { LastObservation, Spent, WholeIssue } from "../../domain/drafts/snapshots.ts";
import type { Rows } from "../../domain/tables/tables.ts";

export type CronTable = "cron_workflows" | "cron_jobs" | "cron_runs";

/** The rows that a project's baseline is made of (`ops/federation/baseline.ts`), deleted ones included. */
export interface Baselines {
  /** The issues of the project, oldest first. */
  issueUids(projectUid: string): Promise<readonly string[]>;
  /** The issues with everything that belongs to them, in the given order. Issues that are not there are left out. */
  wholes(issueUids: readonly string[]): Promise<readonly WholeIssue[]>;
  spent(projectUid: string): Promise<Spent>;
  /** The workflows, jobs or runs of the project, oldest first. */
  cronUids(projectUid: string, table: CronTable): Promise<readonly string[]>;
  /** The rows with these uids, in the given order. Rows that are not there are left out. */
  cronRows<T extends CronTable>(table: T, uids: readonly string[]): Promise<readonly Rows[T][]>;
  /** The last observation, after the event `after`, of each run of the project that was observed after it. */
  observations(projectUid: string, after: number): Promise<ReadonlyMap<string, LastObservation>>;
}
