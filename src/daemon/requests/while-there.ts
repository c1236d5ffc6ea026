import type { H3Event } from "h3";
import { goneOf } from "./event.ts";
import { ClientGone } from "./incoming.ts";

/** Carries out the work while the client waits. If the client hangs up, the work ends and is no failure. */
export async function whileThere<T>(
  event: H3Event,
  work: (gone: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = goneOf(event);
  try {
    return await work(gone);
  } catch (error) {
    throw gone.aborted ? new ClientGone("", { cause: error }) : error;
  }
}
