import { CommandError, failureOf } from "./failure.ts";

/**
 * Progress of an import. First all issues are sent, then once more those with links, to add their links. `issues`
 * counts the issues, `all` the issues and the issues with links, and `done` how many of `all` were sent.
 */
export interface ImportState {
  readonly issues: number;
  readonly done: number;
  readonly all: number;
}

/** Adds to the error how much was imported. That part is kept, and the same command run again imports the rest. */
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
