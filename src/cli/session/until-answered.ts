import { UnavailableError } from "../../shared/answer-errors.ts";

const MOST_TRIES = 3;

/** Sends a request again whose answer was lost. Only for requests that do the same however often they arrive. */
export async function untilAnswered<T>(send: () => Promise<T>, tries = MOST_TRIES): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof UnavailableError) || tries === 1) throw error;
    return await untilAnswered(send, tries - 1);
  }
}
