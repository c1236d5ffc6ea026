import { type Hub, HubFault } from "../federation/hub.ts";
import type { Replica } from "../ops/federation/bound-replica.ts";
import type { HubQuestions } from "../ops/federation/hub-questions.ts";

/** Asks the hub of a copy one question. Throws an `SvcError` if the hub refuses, or gives no answer. */
export type AskHub = <T>(
  replica: Replica,
  question: (hub: Hub, signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/** Returns the requests by which copies are compared with their hubs. */
export function hubQuestionsOf(ask: AskHub): HubQuestions {
  return {
    sums: async (replica, range) =>
      await ask(replica, async (hub, signal) => await orTooOld(hub.sums(range, signal))),
    rowHashes: async (replica, range) =>
      await ask(replica, async (hub, signal) => await orTooOld(hub.rowHashes(range, signal))),
  };
}

/**
 * Returns `too_old` if the hub does not have the route: it then answers `not_found`. If something else is missing, the
 * hub's code names what is missing, and the error is thrown.
 */
async function orTooOld<T>(answer: Promise<T>): Promise<T | "too_old"> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof HubFault && error.status === 404 && error.code === "not_found")
      return "too_old";
    throw error;
  }
}
