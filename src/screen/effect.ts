import type { Tagged } from "./tagged.ts";
import type { Write } from "./writes/writes.ts";

/**
 * The effects that only one screen asks for, by their name. The folder of the screen adds them, so that this file knows
 * no screen.
 */
// biome-ignore lint/suspicious/noEmptyInterface: each screen adds its effects.
export interface ScreenEffects {}

/**
 * A request of the reducers to the program around them, such as a read from the daemon. The answer arrives as a
 * message. An effect with `wait` runs after that many milliseconds. If another effect of the same kind comes before
 * then, its values replace the values of the waiting effect, so that only one of the two runs.
 */
export type Effect =
  | Tagged<ScreenEffects, "effect">
  | { readonly effect: "load-projects"; readonly wait: number }
  | { readonly effect: "load-auth" }
  | { readonly effect: "connect"; readonly name: string }
  | { readonly effect: "create-project"; readonly name: string }
  | {
      readonly effect: "load-issues";
      readonly project_id: number | undefined;
      readonly serial: number;
    }
  | {
      readonly effect: "load-detail";
      readonly uid: string;
      readonly now: boolean;
    }
  /** Reads the bridge of an issue that has a root. */
  | {
      readonly effect: "load-bridge";
      readonly uid: string;
      readonly project_id: number;
      readonly wait: number;
    }
  /** Asks the daemon about a project that the page's address names and that the list of projects does not contain. */
  | { readonly effect: "find-project"; readonly name: string }
  /** Asks which issue the page's address names. A short id is looked up in the project `project_id`, if it is given. */
  | {
      readonly effect: "find-issue";
      readonly name: string;
      readonly project_id: number | undefined;
    }
  | { readonly effect: "write"; readonly id: number; readonly write: Write }
  | {
      readonly effect: "search";
      readonly serial: number;
      readonly words: string;
      readonly labels: readonly string[];
      readonly withoutLabels: readonly string[];
      readonly projects: readonly number[];
    }
  /** Saves the view, or removes it if there is no query. */
  | { readonly effect: "save-view"; readonly name: string; readonly query: string | undefined }
  /** Saves which columns the list shows; `undefined` means the default columns. */
  | { readonly effect: "save-columns"; readonly columns: string | undefined }
  /** Deletes the file of a draft that is no longer needed. */
  | { readonly effect: "drop-draft"; readonly id: string }
  | { readonly effect: "refresh"; readonly uids: readonly string[] }
  | { readonly effect: "reconnect" }
  /** Asks the daemon for issues that a text may mean, once typing pauses. */
  | {
      readonly effect: "complete";
      readonly text: string;
      readonly project_id: number;
      readonly q: string;
    }
  | { readonly effect: "edit-text"; readonly text: string }
  /** Runs a program on the terminal and waits for it. */
  | { readonly effect: "run-program"; readonly name: string; readonly argv: readonly string[] }
  | { readonly effect: "copy"; readonly text: string }
  | { readonly effect: "wake"; readonly ms: number }
  | { readonly effect: "repaint" }
  | { readonly effect: "suspend" }
  | { readonly effect: "quit" };

export type EffectOf<Name extends Effect["effect"]> = Extract<Effect, { readonly effect: Name }>;
