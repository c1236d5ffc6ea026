import { SvcError } from "../../contract/errors.ts";

/**
 * Runs requests to a hub. A refusal of the hub says that it is the hub's: the command asks two daemons, and the hints of
 * a refusal would otherwise be taken for those of this machine's.
 */
export async function saidByHub<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, data, message, hint } = error;
    const shown = hint === undefined ? {} : { hint };
    throw new SvcError(code, data, {
      ...shown,
      message: `the hub refuses: ${message}`,
      cause: error,
    });
  }
}
