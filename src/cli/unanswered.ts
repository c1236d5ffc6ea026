import { UnavailableError, unansweredMessage } from "../shared/answer-errors.ts";
import { printFailure } from "./oclif-command.ts";

/** What a plain reading that waited in vain says in the command's place: asking once more would take as long again. */
export async function printUnanswered(address: string, argv: string[]): Promise<void> {
  const error = new UnavailableError(unansweredMessage(address));
  await printFailure(error, { argv, id: argv[0] ?? "" }, {});
}
