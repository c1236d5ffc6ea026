import type { LastObservation, Spent, WholeIssue } from "../../domain/drafts/snapshots.ts";
import type { Rows } from "../../domain/tables/tables.ts";

export type CronTable = "cron_workflows" | "cron_jobs" | "cron_runs";

/** Reads the rows from which a project's baseline is made (`ops/federation/baseline.ts`), including deleted ones. */
export interface Baselines {
  /** The issues of the project, oldest first. */
  issueUids(projectUid: string): Promise<readonly string[]>;
  /** The issues with everything that belongs to them, in the given order. Missing issues are left out. */
  wholes(issueUids: readonly string[]): Promise<readonly WholeIssue[]>;
  spent(projectUid: string): Promise<Spent>;
  /** The workflows, jobs or runs of the project, oldest first. */
  cronUids(projectUid: string, table: CronTable): Promise<readonly string[]>;
  /** The rows with these uids, in the given order. Missing rows are left out. */
  cronRows<T extends CronTable>(table: T, uids: readonly string[]): Promise<readonly Rows[T][]>;
  /** For each run of the project that was observed after the event `after`: its last observation. */
  observations(projectUid: string, after: number): Promise<ReadonlyMap<string, LastObservation>>;
}
