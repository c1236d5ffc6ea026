import { actsOnMarks } from "./chosen.ts";
import type { CommandHandler, CommandHandlers } from "./command.ts";
import { DETAIL_COMMANDS } from "./commands/detail.ts";
import { EVERYWHERE_COMMANDS } from "./commands/everywhere.ts";
import { FILTER_COMMANDS } from "./commands/filter.ts";
import { ISSUE_COMMANDS } from "./commands/issue.ts";
import { LINE_COMMANDS } from "./commands/lines.ts";
import { paneOf } from "./detail/panes.ts";
import {
  type Command,
  DETAIL_SCOPES,
  type Key,
  type KeyScope,
  type ScopeHelp,
  type ScopeList,
  SHARED_HELP,
  type SharedCommand,
} from "./keys.ts";
import { hint } from "./messages/messages.ts";
import { screenOf } from "./screen.ts";
import { NO_DAEMON } from "./session/replay.ts";
import type { State } from "./state.ts";
import type { Step } from "./step.ts";

/** The handlers of the commands that do not belong to a screen. */
const SHARED: CommandHandlers = {
  ...LINE_COMMANDS,
  ...DETAIL_COMMANDS,
  ...ISSUE_COMMANDS,
  ...EVERYWHERE_COMMANDS,
  ...FILTER_COMMANDS,
} satisfies Readonly<Record<SharedCommand, CommandHandler>>;

function handlerOf({ screens }: Pick<State, "screens">, command: Command): CommandHandler {
  const own = screens.find(({ commands }) => commands[command] !== undefined);
  const found = own?.commands[command] ?? SHARED[command];
  if (found === undefined) throw new Error(`no step belongs to the command ${command}`);
  return found;
}

export function scopesOf(state: State): ScopeList {
  const isIssue = state.detail.open.length > 0 || paneOf(state) === "detail";
  if (isIssue) return DETAIL_SCOPES;
  const { scopes, scopesNow } = screenOf(state);
  return scopesNow?.(state) ?? scopes[0];
}

/** Returns the help texts of a scope. Throws if the scope has none. */
export function helpOf({ screens }: Pick<State, "screens">, scope: KeyScope): ScopeHelp {
  const own = screens.find(({ help }) => help[scope] !== undefined);
  const found = own?.help[scope] ?? SHARED_HELP[scope];
  if (found === undefined) throw new Error(`help has no words for the scope ${scope}`);
  return found;
}

export interface CommandState {
  readonly row: Key;
  readonly isHere: boolean;
  /** Why the command cannot run now, or the only place where it can run; `undefined` if it can run. */
  readonly why: string | undefined;
}

/**
 * The rows of the key table: first those of the current scopes, from the nearest scope to the farthest, then all
 * others.
 */
export function commandStateOf(state: State): readonly CommandState[] {
  const scopes = scopesOf(state);
  const place = ({ row }: CommandState): number =>
    scopes.includes(row.scope) ? scopes.indexOf(row.scope) : scopes.length;
  return state.preferences.keys
    .map((row) => {
      const isHere = scopes.includes(row.scope);
      const why = isHere ? whyNot(state, row.command) : `only ${helpOf(state, row.scope).where}`;
      return { row, isHere, why };
    })
    .sort((a, b) => place(a) - place(b));
}

/** The key binding that a key has in the current scopes; `undefined` if the key has none. */
export function keyBindingOf(state: State, key: string): Key | undefined {
  for (const scope of scopesOf(state)) {
    const row = state.preferences.keys.find((one) => one.scope === scope && one.keys.includes(key));
    if (row !== undefined) return row;
  }
  return undefined;
}

export function whyNot(state: State, command: Command): string | undefined {
  const handler = handlerOf(state, command);
  const lacksDaemon = handler.needsDaemon === true && state.session.replay !== undefined;
  return lacksDaemon ? NO_DAEMON : handler.why?.(state);
}

/**
 * The number of marked issues on which the command would work now. `undefined` if commands do not act on marks now, or
 * if this command never works on several issues.
 */
export function countOf(state: State, command: Command): number | undefined {
  return actsOnMarks(state) ? handlerOf(state, command).count?.(state) : undefined;
}

export function runCommand(state: State, command: Command): Step {
  const why = whyNot(state, command);
  return why === undefined ? handlerOf(state, command).run(state) : hint(state, why);
}
