import { CommandError, failureOf } from "../failure/failure.ts";

/**
 * Progress of an import. All issues are sent once, then the issues with links a second time, to add their links. `all`
 * counts both rounds, and `done` counts how many of `all` were sent.
 */
export interface ImportState {
  readonly issues: number;
  readonly done: number;
  readonly all: number;
}

/** Adds to the error how much was imported. The same command can be run again and imports the rest. */
export function importFault(error: unknown, state: ImportState): CommandError {
  const { kind, message, hint, ...failure } = failureOf(error);
  const again = "the same command again brings in the rest";
  // The daemon may have imported the last portion, although its answer did not arrive.
  const least = kind === "interrupted" || kind === "daemon_unavailable" ? "at least " : "";
  return new CommandError(kind, `${message}; ${least}${stateText(state)}`, {
    ...failure,
    hint: hint === undefined || kind === "interrupted" ? again : `${hint}; ${again}`,
  });
}

function stateText({ issues, done, all }: ImportState): string {
  if (done < issues) return `${done} of ${issues} issues are in`;
  return `the links of ${done - issues} of ${all - issues} and all ${issues} issues are in`;
}
