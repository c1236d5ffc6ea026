import type { PromptDialog, PromptKind } from "./forms/dialog.ts";
import type { State } from "./state.ts";
import type { Step } from "./step.ts";

/**
 * One kind of prompt: what its line of text means, and what is done with the line. Each screen has the records of its
 * own prompts. The prompts about issues are in `dialogs/shared-prompts.ts`.
 */
export interface PromptRecord {
  /** Called with the trimmed text when the person presses Enter. */
  answer(state: State, dialog: PromptDialog, text: string): Step;
  /** Whether the prompt refuses an empty line. */
  readonly needsText?: true;
  /**
   * What the line names; absent if the line may be any text. If only one suggestion is left, Enter takes this
   * suggestion by these rules:
   *
   * - `choice`: only the offered choices are accepted. A part of a choice is enough.
   * - `issue`: a part of the title of an issue is enough. The daemon is asked if no loaded issue matches.
   * - `name`: a name that may be new, so Ctrl+S sends the line as it was typed.
   */
  readonly names?: "choice" | "issue" | "name";
  /** Returns suggestions for the last word that was typed. Without it, the suggestions are for the whole line. */
  readonly wordChoices?: (text: string, choices: readonly string[]) => readonly string[];
  /** Whether Enter on a suggestion only completes the last word, so that the person can go on typing. */
  readonly staysOpen?: true;
  /**
   * Whether the space bar takes the chosen suggestion while the line is empty, because the suggestions work like
   * checkboxes.
   */
  readonly spaceTakes?: true;
  /** Called at each change of the text, if the text takes effect while it is typed. */
  readonly onChange?: (state: State, text: string) => State;
  /** Called when the person leaves the prompt. */
  readonly onLeave?: (state: State, dialog: PromptDialog) => State;
  /** Handles the keys that this prompt treats in its own way. Returns `undefined` for other keys. */
  readonly key?: (state: State, dialog: PromptDialog, key: string) => Step | undefined;
}

export type PromptRecords<Kind extends PromptKind> = Readonly<Record<Kind, PromptRecord>>;
