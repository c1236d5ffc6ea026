import {
  type SilentDaemon,
  silenceHint,
  UnavailableError,
  unansweredMessage,
} from "../../shared/answer-errors.ts";
import { printFailure } from "../bases/oclif-command.ts";

/**
 * Reports that the daemon did not answer a request of the fast path (`fast-path/read.ts`) in time. The ordinary command
 * is not tried, because it would wait just as long again.
 */
export async function printUnanswered(daemon: SilentDaemon, argv: string[]): Promise<void> {
  const hint = silenceHint(daemon);
  const error = new UnavailableError(unansweredMessage(daemon), hint === undefined ? {} : { hint });
  await printFailure(error, { argv, id: argv[0] ?? "" }, {});
}
