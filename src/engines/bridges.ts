import { type Instant, msToInstant } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { SvcError } from "../contract/errors.ts";
import { dueBridges, dueOfIssues, MOST_DUE } from "../ops/bridges/due.ts";
import { ConnectorFault } from "../ops/bridges/far-side.ts";
import { textOf } from "../ops/bridges/faults.ts";
import { isLost, type RunCounts } from "../ops/bridges/reconcile.ts";
import type { Deps, OpStore } from "../ops/deps.ts";
import type { DueBridge } from "../store/types/bridges.ts";
import { BridgeRuns } from "./bridge-runs.ts";
import type { Engine, Sweep } from "./engines.ts";
import type { Wake } from "./wake.ts";
import type { WokenIssues } from "./woken-issues.ts";

const PERIOD_MS = 30_000; // docs/contract/connectors.md#63-by-itself

interface Needs extends Pick<Deps, "clock"> {
  readonly log: Log;
  readonly wake: Wake;
  readonly woken: WokenIssues;
  /** Called at each scan. Fills `woken` from then on. */
  watchEvents(): Promise<void>;
  /** Delays idle shutdown until the returned function is called; undefined after the deadline of idle shutdown. */
  beginWork(): (() => void) | undefined;
  /**
   * Runs the bridge if it is still due, otherwise returns undefined. Throws what made the run fail, which is noted at
   * the bridge.
   */
  run(uid: string, signal: AbortSignal): Promise<RunCounts | undefined>;
}

/**
 * Runs the bridges that are due, every 30 seconds, and those of issues that somebody has changed at once. A sweep only
 * begins runs and waits for none, so that a connector that hangs delays nobody else; a run that ends wakes the engine,
 * which begins further ones. One daemon of a database runs it, and the claim of a bridge keeps any other run away.
 */
export function bridgeEngine(needs: Needs): Engine {
  const sweeper = new Sweeper(needs);
  return {
    name: "bridges",
    firstMs: 2000,
    elected: true,
    delaysIdle: true,
    wake: needs.wake,
    health: { field: "bridges", read: () => sweeper.health() },
    sweep: async (sweep) => await sweeper.sweep(sweep),
  };
}

/** A scan. Until the next one, only bridges are run that were due when it began, each once. */
interface Round {
  readonly asOf: Instant;
  readonly endMs: number;
  /** The uids of the bridges whose runs were begun. */
  readonly begun: Set<string>;
}

class Sweeper {
  readonly #needs: Needs;
  readonly #runs = new BridgeRuns();
  #round: Round = { asOf: "", endMs: 0, begun: new Set() };
  #counts = { enabled: 0, failing: 0 };

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  health() {
    return { ...this.#counts, running: this.#runs.size };
  }

  /** Begins the runs for which there is room. Returns the time until the next scan, in ms. */
  async sweep({ store, signal }: Sweep): Promise<number> {
    const { clock, wake } = this.#needs;
    wake.taken();
    const leftMs = this.#round.endMs - clock.nowMs();
    // More is left than a round takes if the clock was set back.
    if (leftMs <= 0 || leftMs > PERIOD_MS) await this.#beginRound(store);
    await this.#runWoken(store, signal);
    await this.#runDue(store, signal);
    return Math.max(0, this.#round.endMs - clock.nowMs());
  }

  async #beginRound(store: OpStore): Promise<void> {
    const { clock, watchEvents } = this.#needs;
    this.#counts = await store.read(async ({ bridges }) => await bridges.counts());
    await watchEvents();
    const nowMs = clock.nowMs();
    this.#round = { asOf: msToInstant(nowMs), endMs: nowMs + PERIOD_MS, begun: new Set() };
  }

  async #runWoken(store: OpStore, signal: AbortSignal): Promise<void> {
    const { clock, woken } = this.#needs;
    const issueUids = woken.take();
    if (issueUids.length === 0) return;
    // A run that is under way may have read the issue before it was changed, so another one follows it.
    const running = new Set(issueUids.filter((uid) => this.#runs.hasIssue(uid)));
    const due = await store.read(
      async (reader) => await dueOfIssues(reader, { issueUids, now: clock.now() }),
    );
    for (const uid of issueUids) {
      const bridge = due.get(uid);
      const isBegun = bridge !== undefined && this.#begin(bridge, signal);
      if (bridge === undefined ? running.has(uid) : !isBegun) woken.add(uid);
    }
  }

  async #runDue(store: OpStore, signal: AbortSignal): Promise<void> {
    const { asOf, begun } = this.#round;
    while (!signal.aborted && !this.#runs.isFull) {
      const look = { asOf, now: this.#needs.clock.now(), without: this.#runs.withoutRoom() };
      const due = await store.read(async (reader) => await dueBridges(reader, look));
      const now = due.filter((bridge) => !begun.has(bridge.uid) && this.#begin(bridge, signal));
      // If a connector got as many runs as it may have, bridges of others can stand behind its own.
      if (now.length === 0 || due.length < MOST_DUE) return;
    }
  }

  /** Begins a run, if there is room for it. */
  #begin(bridge: DueBridge, signal: AbortSignal): boolean {
    const { beginWork, wake } = this.#needs;
    const { issue_uid, connector_instance } = bridge;
    if (this.#runs.hasIssue(issue_uid) || !this.#runs.hasRoom(connector_instance)) return false;
    const end = beginWork();
    if (end === undefined) return false;
    this.#round.begun.add(bridge.uid);
    const running = this.#runs.run(bridge, async () => await this.#run(bridge, signal));
    void running.finally(() => {
      end();
      wake.wake();
    });
    return true;
  }

  /** Returns whether the connector was too slow; undefined if it was not asked. */
  async #run(bridge: DueBridge, signal: AbortSignal): Promise<boolean | undefined> {
    const { run, log } = this.#needs;
    const { uid: binding_uid, connector_instance: instance } = bridge;
    try {
      return (await run(binding_uid, signal)) === undefined ? undefined : false;
    } catch (error) {
      if (signal.aborted) return undefined;
      const about = { binding_uid, instance };
      if (error instanceof ConnectorFault) {
        log.info("bridges.failed", { ...about, fault: textOf(error) });
        return error.kind === "timeout";
      }
      if (isLost(error)) log.info("bridges.given_up", about);
      else if (error instanceof SvcError)
        log.info("bridges.failed", { ...about, fault: error.code });
      else log.warn("bridges.failed", { ...about, error });
      return undefined;
    }
  }
}
