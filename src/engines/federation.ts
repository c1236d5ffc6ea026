import { NeedsWorker } from "../base/budget.ts";
import type { JsonObject } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import type { Deps } from "../ops/deps.ts";
import {
  type AdoptionAnswer,
  type AdoptionRequest,
  adoptExisting,
  finishAdoption,
} from "../ops/federation/adopt-existing.ts";
import { unfinishedAdoptions } from "../ops/federation/adopt-project.ts";
import type { Replica } from "../ops/federation/bound-replica.ts";
import { beginSending, type RejoinOutcome } from "../ops/federation/rejoin.ts";
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

/**
 * Writes a page of a hub's events. Its input is a `PageToWrite`: JSON but for the bytes of the page and absent values.
 */
export const writeHubPage: BulkWrite<JsonObject, WrittenPage> = {
  name: "federation.write_page",
  run: async (deps, input) => await writePage(deps, input as unknown as PageToWrite),
};

/** Clears the copy of a project. Its input is a `ReplicaReset`. */
export const clearForReset: BulkWrite<JsonObject, ResetOutcome> = {
  name: "federation.reset",
  run: async (deps, input) => await resetReplica(deps, input as unknown as ReplicaReset),
};

/** Lets a project that joined its hub again send what was changed before it joined. Its input has a `Replica`. */
export const beginSendingOnRejoin: BulkWrite<JsonObject, RejoinOutcome> = {
  name: "federation.begin_sending",
  run: async (deps, input) => await beginSending(deps, input as unknown as { replica: Replica }),
};

/** Makes a project a copy, and hands its issues over to the hub. Its input is an `AdoptionRequest`. */
export const adoptForHub: BulkWrite<JsonObject, AdoptionAnswer> = {
  name: "federation.adopt",
  run: async (deps, input) => await adoptExisting(deps, input as unknown as AdoptionRequest),
};

/** Finishes an adoption that was interrupted. `uid` is the uid of the hub's project. */
export const finishForHub: BulkWrite<{ readonly uid: string }, null> = {
  name: "federation.finish_adoption",
  run: async ({ store, smallWorkOnly }, { uid }) => {
    if (smallWorkOnly === true) throw new NeedsWorker();
    await finishAdoption({ store }, uid);
    return null;
  },
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
  /**
   * The copies that were written to since the last sweep. A sweep that begins for these copies leaves out the others.
   */
  readonly written: Set<string>;
  /** Called at each sweep. `isOn`: a copy sends its events, so `written` must be filled. */
  watchWrites(isOn: boolean): Promise<void>;
  /**
   * Sends the hub of the project what was written here, and reads what the hub has. Throws only for a fault of this
   * daemon.
   */
  pull(project_uid: string, signal: AbortSignal): Promise<Pulled>;
  /** Lets other daemons on the database read the project: this one has no copy of it any more. */
  release(project_uid: string): Promise<void>;
  /**
   * Deletes the tokens of projects that have left their hubs: another daemon on the database may have carried out the
   * leave.
   */
  forgetTokens(): Promise<void>;
}

/** How many projects are read at a time, so that a hub that does not answer does not keep the others waiting. */
const MAX_PROJECTS_AT_ONCE = 4;
/** The longest wait that a hub may ask for. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Asks the hubs of the copies that this daemon keeps (docs/contract/federation.md#71-a-pass): every 30 seconds, when a
 * project was joined, and when a copy was written to. If several daemons share a database, `pull` ensures that only one
 * of them reads a project, so the engine itself is not elected.
 */
export function federationEngine(needs: Needs): Engine {
  const { clock, log, wake, intervalMs, joined, written, pull, release, forgetTokens } = needs;
  const state = { running: false, failing: 0 };
  const notBefore = new Map<string, number>();
  const failing = new Set<string>();
  const known = new Set<string>();
  let nextRound = 0;
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
      // A hub that sends pages without events, and without end, must not be asked more often than others.
      return pulled.outcome === "more" && pulled.events !== 0;
    } catch (error) {
      if (error instanceof TermOver) return false;
      failing.add(project_uid);
      log.warn("federation.pass_failed", { project_uid, error });
      return false;
    }
  };
  /**
   * The projects whose hubs are asked in this sweep: all, or only those that were written to if the next round is not
   * due yet. A hub that failed is asked again only in the next round.
   */
  const chosen = (all: readonly string[]) => {
    const now = clock.nowMs();
    const isRound = written.size === 0 || joined.size > 0 || now >= nextRound;
    const asked = isRound ? all : all.filter((uid) => written.has(uid) && !failing.has(uid));
    for (const uid of joined) notBefore.delete(uid);
    joined.clear();
    written.clear();
    return { due: asked.filter((uid) => (notBefore.get(uid) ?? 0) <= now), isRound };
  };
  return {
    name: "federation",
    firstMs: 2000,
    elected: false,
    delaysIdle: true,
    wake,
    health: { field: "federation", read: () => ({ ...state }) },
    sweep: async ({ store, signal, bulk }) => {
      wake.taken();
      for (const uid of await store.read(unfinishedAdoptions)) await bulk(finishForHub, { uid });
      const replicas = await readableReplicas(store);
      await needs.watchWrites(replicas.some(({ pushes }) => pushes));
      const all = replicas.map(({ project_uid }) => project_uid);
      const gone = [...known].filter((uid) => !all.includes(uid));
      for (const uid of gone) await forget(uid);
      if (gone.length > 0) await forgetTokens();
      for (const uid of all) known.add(uid);
      const { due, isRound } = chosen(all);
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
      await Promise.all(Array.from({ length: MAX_PROJECTS_AT_ONCE }, lane));
      Object.assign(state, { running: false, failing: failing.size });
      if (isRound) nextRound = clock.nowMs() + intervalMs;
      if (isMore) nextRound = 0;
      return isMore || wake.isSet ? 0 : Math.max(0, nextRound - clock.nowMs());
    },
  };
}
