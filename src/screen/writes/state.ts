import type { Draft } from "../forms/dialog.ts";
import type { Issue } from "../issues/issues.ts";
import type { SentWrite, UndoStep } from "./done.ts";

export interface WritesState {
  readonly sent: readonly SentWrite[];
  /** Issues with a write in flight, as the daemon has them. */
  readonly truth: ReadonlyMap<string, Issue>;
  /**
   * The id of the last refused write of each issue (by uid) and of each form for something new (by the form's key),
   * until the person has seen the refusal.
   */
  readonly failed: ReadonlyMap<string, number>;
  /** What can be undone, the latest first. */
  readonly undo: readonly UndoStep[];
  readonly redo: readonly UndoStep[];
  /** The ids of batches in flight that the person wants to undo or redo as soon as the daemon has answered. */
  readonly toReverse: ReadonlySet<number>;
  /**
   * Drafts that wait for the person's decision. They were typed before a screen was ended from outside, or for another
   * daemon.
   */
  readonly drafts: readonly Draft[];
}

export function initialWrites(drafts: readonly Draft[] = []): WritesState {
  return {
    sent: [],
    truth: new Map(),
    failed: new Map(),
    undo: [],
    redo: [],
    toReverse: new Set(),
    drafts,
  };
}
