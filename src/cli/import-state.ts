import { CommandError, failureOf } from "./failure.ts";

/** How far an import came: issues are sent first, then the links of those that have any. */
export interface ImportState {
  readonly issues: number;
  readonly done: number;
  readonly all: number;
}

/**
 * The error that ended an import, and how many issues were imported before it. Those stay; running the command again
 * imports the rest.
 */
export function importFault(error: unknown, state: ImportState): CommandError {
  const { kind, message, hint, ...failure } = failureOf(error);
  const again = "the same command again brings in the rest";
  // Without its answer a portion that is under way may be in as well.
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
