import type { Instant } from "../../base/clock.ts";

export type Tone = "info" | "error";

/** A line for the person. Errors stay until they are dismissed, others fade. */
export interface Notice {
  readonly tone: Tone;
  readonly text: string;
  readonly at: Instant;
  /** It is about the last key: it is not kept, and goes with the next key. */
  readonly isHint?: true;
  /** How long it is shown, if not as long as others. */
  readonly seenMs?: number;
  /** The refused write that it is about, which can be tried again. */
  readonly failed?: number;
  /** It says what this key would do with the step `id`, so the next press of that key does it. */
  readonly offers?: "undo" | "redo";
  readonly id?: number;
}

export interface MessagesState {
  /** The one that is shown now. */
  readonly notice: Notice | undefined;
  /** The newest first. */
  readonly all: readonly Notice[];
}

export const NO_MESSAGES: MessagesState = { notice: undefined, all: [] };
