import type { Instant } from "../../base/clock.ts";

export type Tone = "info" | "error";

/** A line for the person. Errors stay until they are dismissed, other notices fade. */
export interface Notice {
  readonly tone: Tone;
  readonly text: string;
  readonly at: Instant;
  /**
   * Whether the notice is only about the last key. Such a notice is not kept in the list of messages, and the next key
   * or click removes it.
   */
  readonly isHint?: true;
  /** How many milliseconds the notice is shown; `undefined` for the usual time. */
  readonly seenMs?: number;
  /** The id of the refused write that the notice is about. With this id, the write can be tried again. */
  readonly failed?: number;
  /** The notice says what undo or redo would do with the step `id`. The next press of the same key does it. */
  readonly offers?: "undo" | "redo";
  readonly id?: number;
}

export interface MessagesState {
  readonly notice: Notice | undefined;
  /** The notices of this session except hints, the newest first. */
  readonly all: readonly Notice[];
}

export const NO_MESSAGES: MessagesState = { notice: undefined, all: [] };
