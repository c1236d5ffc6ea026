import type { JsonObject } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import type { Deps } from "../ops/deps.ts";
import { readableReplicas } from "../ops/federation/replica.ts";
import {
  type ReplicaReset,
  type ResetOutcome,
  resetReplica,
} from "../ops/federation/reset-replica.ts";
import { type PageToWrite, type WrittenPage, writePage } from "../ops/federation/write-page.ts";
import { removeProject } from "../ops/projects/remove.ts";
import { TermOver } from "../ops/term.ts";
import type { BulkWrite } from "./bulk-write.ts";
import type { Engine } from "./engines.ts";
import type { Wake } from "./wake.ts";

/** Writes a page of a hub's events. Its input is a `PageToWrite`: JSON but for the bytes of the page and absent values. */
export const writeHubPage: BulkWrite<JsonObject, WrittenPage> = {
  name: "federation.write_page",
  run: async (deps, input) => await writePage(deps, input as unknown as PageToWrite),
};

/** Clears the copy of a project. Its input is a `ReplicaReset`. */
export const clearForReset: BulkWrite<JsonObject, ResetOutcome> = {
  name: "federation.reset",
  run: async (deps, input) => await resetReplica(deps, input as unknown as ReplicaReset),
};

/** Archives a copy that leaves its hub. */
export const archiveReplica: BulkWrite<
  { readonly project_id: number; readonly actor: string; readonly force: boolean },
  null
> = {
  name: "federation.archive",
  run: async (deps, { project_id, actor, force }) => {
    const who = { kind: "none", actor, local: false } as const;
    await removeProject(deps, who, {
      params: { project_id },
      query: { force },
      headers: {},
      body: {},
    });
    return null;
  },
};

/** How a pass of one project went. */
interface Pulled {
  readonly outcome: "current" | "more" | "failed" | "gone";
  /** How many events were new. */
  readonly events?: number;
  readonly code?: string;
  /** For how long the hub does not want to be asked again. */
  readonly retryAfterMs?: number | undefined;
}

interface Needs extends Pick<Deps, "clock"> {
  readonly log: Log;
  readonly wake: Wake;
  readonly intervalMs: number;
  /** The projects that were joined since the last sweep, which are read although their hubs asked for a wait. */
  readonly joined: Set<string>;
  /** Reads what the hub of the project has. Throws only for a fault of this daemon. */
  pull(project_uid: string, signal: AbortSignal): Promise<Pulled>;
  /** Lets other daemons on the database read the project: this one has no copy of it any more. */
  release(project_uid: string): Promise<void>;
  /** Deletes the tokens of projects that have left their hubs, which another daemon on the database may have done. */
  forgetTokens(): Promise<void>;
}

/** How many projects are read at a time, so that a hub that does not answer does not keep the others waiting. */
const AT_A_TIME = 4;
/** The longest wait that a hub may ask for. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Reads the hubs of the copies that this daemon keeps (facts federation 7.1): every 30 seconds, and when a project was
 * joined. Each project is read by one daemon of those that share a database (`pull` sees to it), so the engine itself is
 * not elected.
 */
export function federationEngine(needs: Needs): Engine {
  const { clock, log, wake, intervalMs, joined, pull, release, forgetTokens } = needs;
  const state = { running: false, failing: 0 };
  const notBefore = new Map<string, number>();
  const failing = new Set<string>();
  const known = new Set<string>();
  const forget = async (project_uid: string): Promise<void> => {
    for (const memory of [notBefore, failing, known]) memory.delete(project_uid);
    await release(project_uid);
  };
  const pullOne = async (project_uid: string, signal: AbortSignal): Promise<boolean> => {
    try {
      const pulled = await pull(project_uid, signal);
      if (pulled.outcome !== "failed") failing.delete(project_uid);
      else {
        if (!failing.has(project_uid))
          log.info("federation.failed", { project_uid, code: pulled.code });
        failing.add(project_uid);
      }
      const wait = Math.min(pulled.retryAfterMs ?? 0, LONGEST_WAIT_MS);
      if (wait > 0) notBefore.set(project_uid, clock.nowMs() + wait);
      // A hub whose pages have no events, without end, is asked no more often than others.
      return pulled.outcome === "more" && pulled.events !== 0;
    } catch (error) {
      if (error instanceof TermOver) return false;
      failing.add(project_uid);
      log.warn("federation.pass_failed", { project_uid, error });
      return false;
    }
  };
  return {
    name: "federation",
    firstMs: 2000,
    elected: false,
    delaysIdle: true,
    wake,
    health: { field: "federation", read: () => ({ ...state }) },
    sweep: async ({ store, signal }) => {
      wake.taken();
      for (const uid of joined) notBefore.delete(uid);
      joined.clear();
      const all = await readableReplicas(store);
      const gone = [...known].filter((uid) => !all.includes(uid));
      for (const uid of gone) await forget(uid);
      if (gone.length > 0) await forgetTokens();
      for (const uid of all) known.add(uid);
      const due = all.filter((uid) => (notBefore.get(uid) ?? 0) <= clock.nowMs());
      state.running = due.length > 0;
      const left = due.values();
      let isMore = false;
      const lane = async (): Promise<void> => {
        for (const uid of left) {
          if (signal.aborted) return;
          notBefore.delete(uid);
          isMore = (await pullOne(uid, signal)) || isMore;
        }
      };
      await Promise.all(Array.from({ length: AT_A_TIME }, lane));
      Object.assign(state, { running: false, failing: failing.size });
      return isMore || wake.isSet ? 0 : intervalMs;
    },
  };
}
