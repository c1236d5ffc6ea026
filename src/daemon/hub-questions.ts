import { type Hub, HubFault } from "../federation/hub.ts";
import type { Replica } from "../ops/federation/bound-replica.ts";
import type { HubProjectAnswer } from "../ops/federation/far-side.ts";
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

/** The time limit of the request that `askAt` sends (docs/contract/federation.md#12-limits). */
export const REBIND_MS = 15_000;

export async function answerAt(open: () => Promise<Hub>): Promise<HubProjectAnswer> {
  try {
    const hub = await open();
    const { project_id, project_uid, enrollment } = await hub
      .metadata(new AbortController().signal)
      .finally(() => hub.close());
    return {
      hub_project_id: project_id,
      hub_project_uid: project_uid,
      permits_adoption: enrollment.allow_adoption_snapshot_authors,
      actor: enrollment.actor,
      capabilities: enrollment.capabilities,
    };
  } catch (error) {
    if (!(error instanceof HubFault)) throw error;
    if (error.status === 401 || error.status === 403) return { refused: "token" };
    return { refused: error.status === 404 ? "project" : "unavailable" };
  }
}
