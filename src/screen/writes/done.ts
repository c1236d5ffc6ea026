import type { Issue } from "../board/issues.ts";
import type { CronJob } from "../cron/state.ts";
import type { Dialog } from "../forms/dialog.ts";
import type { Write } from "./writes.ts";

/** Writes that were sent together: one thing that was done, and one that is taken back. */
export interface Batch {
  readonly id: number;
  /** What they were typed into, to be opened again when they are refused. */
  readonly input: Dialog | undefined;
  readonly via: "person" | "undo" | "redo";
  /** What is taken back, or made again. */
  readonly step?: UndoStep;
}

/** A write that was made, and what takes it back. */
export interface Pair {
  readonly forward: Write;
  readonly inverse: Write;
}

export interface UndoStep {
  readonly id: number;
  readonly pairs: readonly Pair[];
}

/** A write that was made or is under way. */
export interface Done {
  readonly id: number;
  readonly batch: Batch;
  readonly write: Write;
  readonly state: "pending" | "done" | "failed";
  readonly text: string;
  readonly code: string | undefined;
  /** Which part of what was typed was refused. */
  readonly field?: string | undefined;
  /** The issue as it was. */
  readonly before: Issue | undefined;
  /** What takes it back; nothing where nothing does. */
  readonly inverse: Write | undefined;
  /** What looks like the issue that was not made. */
  readonly candidates?: readonly string[] | undefined;
  /** The job as it is now, which was not turned. */
  readonly current?: CronJob | undefined;
}
