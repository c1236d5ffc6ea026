import type { CronJob } from "../cron/state.ts";
import type { Dialog } from "../forms/dialog.ts";
import type { Issue } from "../issues/issues.ts";
import type { Write } from "./writes.ts";

/** Writes that were sent together and are undone together. */
export interface Batch {
  readonly id: number;
  /** The dialog to open again if the writes are refused. */
  readonly input: Dialog | undefined;
  readonly via: "person" | Way;
  /** What the original batch did, as text, if this batch undoes or repeats it. */
  readonly did?: string | undefined;
}

export type Way = "undo" | "redo";

/** The writes that undo or redo a batch. */
export interface UndoStep {
  readonly id: number;
  /** What the batch did, as text. */
  readonly did: string;
  readonly writes: readonly Write[];
}

/** A write that is in flight or was answered. */
export interface SentWrite {
  readonly id: number;
  readonly batch: Batch;
  readonly write: Write;
  readonly state: "pending" | "done" | "failed";
  /** What the write did, or why it was refused; empty while it is in flight. */
  readonly text: string;
  readonly code?: string | undefined;
  /** The name of the field that was refused. */
  readonly field?: string | undefined;
  readonly before: Issue | undefined;
  /** The write that undoes this one; `undefined` if it cannot be undone. */
  readonly inverse?: Write | undefined;
  /** What the person should know about a write that was made. */
  readonly warning?: string | undefined;
  /** Similar issues, if these are why the write was refused. */
  readonly candidates?: readonly string[] | undefined;
  /** The current job, if its toggle was refused because somebody else changed the job. */
  readonly current?: CronJob | undefined;
}
