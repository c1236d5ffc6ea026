import type { Command } from "./keys.ts";
import type { State } from "./state.ts";
import type { Step } from "./step.ts";

export interface CommandHandler {
  run(state: State): Step;
  /**
   * Whether the command needs a daemon although it changes no issue, so that it cannot run while a recording is shown.
   * The commands that change an issue are refused by `whyNoWrites`.
   */
  readonly needsDaemon?: true;
  /** Why the command cannot run now; `undefined` if it can. */
  why?(state: State): string | undefined;
  /** The number of issues on which the command would work now; absent if it never works on several. */
  count?(state: State): number;
}

export type CommandHandlers = Readonly<Partial<Record<Command, CommandHandler>>>;
