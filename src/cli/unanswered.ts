import { UnavailableError, unansweredMessage } from "../shared/answer-errors.ts";
import { printFailure } from "./oclif-command.ts";

/** Reports a timeout of the fast path; the command itself would wait as long again. */
export async function printUnanswered(address: string, argv: string[]): Promise<void> {
  const error = new UnavailableError(unansweredMessage(address));
  await printFailure(error, { argv, id: argv[0] ?? "" }, {});
}
