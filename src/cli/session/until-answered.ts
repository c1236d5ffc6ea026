import { UnavailableError } from "../../shared/answer-errors.ts";

const MOST_TRIES = 3;

/**
 * Sends a request up to `tries` times, as long as its answer is lost. Use it only for requests that have the same
 * effect if they arrive several times.
 */
export async function untilAnswered<T>(send: () => Promise<T>, tries = MOST_TRIES): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof UnavailableError) || tries === 1) throw error;
    return await untilAnswered(send, tries - 1);
  }
}
