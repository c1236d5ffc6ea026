import type { Instant } from "../../base/clock.ts";
import type { CronRunRow, IssueRow, ProjectRow, RecurrenceRow } from "../../domain/state.ts";
import type { Derived as DerivedOf } from "../../domain/tables/tables.ts";

/** A row with its local integer id, which is not part of the fold. */
export type WithId<T> = T & { readonly id: number };

/** The derived columns of an issue, by which lists filter and sort (docs/architecture/issues.md, Readiness). */
export type Derived = DerivedOf<"issue">;

export type StoredIssue = WithId<IssueRow> &
  Derived & {
    readonly recurrence_id: number | null;
    readonly project_id: number;
    readonly project_name: string;
    /** When the project was archived, which also hides the issue. */
    readonly project_deleted_at: Instant | null;
  };

export type StoredProject = WithId<ProjectRow>;

export type StoredRecurrence = WithId<RecurrenceRow>;

export type StoredRun = WithId<CronRunRow>;
