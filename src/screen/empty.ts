import { shellWord } from "../base/shell-word.ts";
import { CHOOSE_PROJECT, type Empty, type EmptyAct } from "./empty-text.ts";
import { keyFor } from "./keymap.ts";
import type { MissingProject } from "./scope/state.ts";
import { screenOf } from "./screen.ts";
import type { State } from "./state.ts";

/**
 * Whether the browser page's address names a project that does not exist or is archived. The screens whose rows depend
 * on the chosen project then show no rows.
 */
export function isProjectMissing(state: State): boolean {
  return missingIn(state) !== undefined;
}

function missingIn(state: State): MissingProject | undefined {
  return screenOf(state).isOfProject === true ? state.scope.missing : undefined;
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
