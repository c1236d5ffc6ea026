import { shellWord } from "../base/shell-word.ts";
import { keyFor } from "./keymap.ts";
import type { Command } from "./keys.ts";
import type { MissingProject } from "./projects/state.ts";
import { screenOf } from "./screen.ts";
import type { State } from "./state.ts";

/** What a screen without rows shows: why it is empty, and how to make the first row. */
export interface Empty {
  readonly why: string;
  /**
   * The keys that lead out of this state, as text. The text is shown after `why` and a colon. The browser page shows
   * buttons instead.
   */
  readonly how?: string;
  /** Further lines that name keys. The browser page leaves them out. */
  readonly byKey?: readonly string[];
  readonly next: readonly string[];
}

export function textsOf({ why, how, byKey = [], next }: Empty): readonly string[] {
  return [how === undefined ? why : `${why}: ${how}`, ...byKey, ...next];
}

export const LOADING: Empty = { why: "loading...", next: [] };

/** A button on a screen without rows. It runs a command or sets the filter. Only the browser page draws buttons. */
export type EmptyAct = { readonly label: string } & (
  | { readonly command: Command }
  | { readonly query: string }
);

export const CHOOSE_PROJECT: EmptyAct = { command: "projects", label: "Choose a project" };
export const NEW_PROJECT: EmptyAct = { command: "project-new", label: "New project" };
export const TO_BOARD: EmptyAct = { command: "board", label: "Go to the board" };

/**
 * Whether the browser page's address names a project that does not exist or is archived. The screens whose rows depend
 * on the chosen project then show no rows.
 */
export function isProjectMissing(state: State): boolean {
  return missingIn(state) !== undefined;
}

function missingIn(state: State): MissingProject | undefined {
  return screenOf(state).isOfProject === true ? state.projects.missing : undefined;
}

/** What the current screen shows instead of rows; `undefined` if it has rows. */
export function emptyOf(state: State): Empty | undefined {
  const missing = missingIn(state);
  return missing === undefined ? screenOf(state).empty(state) : noProject(state, missing);
}

export function emptyActs(state: State): readonly EmptyAct[] {
  return isProjectMissing(state) ? [CHOOSE_PROJECT] : screenOf(state).emptyActs(state);
}

function noProject(state: State, { name, isArchived }: MissingProject): Empty {
  const others = `${keyFor(state, "projects")} shows the projects that there are.`;
  return isArchived
    ? {
        why: `The project ${name} is archived.`,
        byKey: [others],
        next: [`svc projects restore ${shellWord(name)} brings it back with its issues.`],
      }
    : {
        why: `There is no project called ${name}.`,
        byKey: [others],
        next: [
          "It was renamed, merged into another or removed, or the address is that of another daemon.",
        ],
      };
}

export type KeyWord = (command: Command) => string;

/** The key of a command, as the texts of empty screens name it. */
export const keysOf =
  (state: State): KeyWord =>
  (command) =>
    keyFor(state, command);
