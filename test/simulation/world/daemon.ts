import { fdatasyncSync } from "node:fs";
import type { Clock } from "../../../src/base/clock.ts";
import { msToInstant } from "../../../src/base/clock.ts";
import type { Ids } from "../../../src/base/ids.ts";
import type { RunningApp } from "../../../src/daemon/lifecycle/start.ts";
import { startApp } from "../../../src/daemon/lifecycle/start.ts";
import type { Backend } from "../../../src/store/backend.ts";
import type { Connection } from "../../../src/store/connection.ts";
import type { Received, Sent } from "../send.ts";
import { type MachineClock, realTimeOf, type Sleepers, type WorldClock } from "./clock.ts";
import type { Order } from "./order.ts";
import type { Fate, Ground, Place } from "./place.ts";
import type { Plant } from "./plant.ts";
import { seamsOf } from "./seams.ts";
import type { Terms } from "./terms.ts";
import { type SimulatedWorker, workersOf } from "./workers.ts";

/** What a daemon of a world is made of. */
export interface DaemonParts {
  readonly place: Place;
  readonly order: Order;
  readonly time: WorldClock;
  /** The clock of the database server; undefined where there is none. */
  readonly serverClock: MachineClock | undefined;
  readonly ids: Ids;
  readonly terms: Terms;
  readonly plant: Plant;
}

/** After this many failed starts, the fault is not a temporary one. */
const STARTS = 100;

/** A daemon that has not answered for this long is killed by whoever watches over it. */
const FROZEN_MS = 30_000;

/** The time in which a silence has consequences: the silence, and ten seconds until a daemon gives up lost sessions. */
const HEARS_NOTHING_MS = 36_000;

/** From a start of the daemon to its end. */
interface Life {
  readonly sleepers: Sleepers;
  readonly clock: Clock;
  readonly over: AbortController;
  /** Resolves when this life is over. */
  readonly end: Promise<void>;
  isFrozen: boolean;
  ground?: Ground;
  running?: RunningApp;
  backend?: Backend;
}

/** How a write worker ends at its next commit. */
export type WorkerEnd = "before" | "after";

/** A daemon in this process. When it is killed or ends by itself, it is started again. */
export class SimulatedDaemon {
  readonly name: string;
  readonly clock: MachineClock;
  readonly #around: DaemonParts;
  #life: Life | undefined;
  #starting: Promise<void> = Promise.resolve();
  #deaths = 0;
  #fate: Fate | undefined;
  #workerEnd: WorkerEnd | undefined;
  readonly #deposing = new Map<string, () => Promise<void>>();
  /** Until when the silence of a server has consequences, in ms of the world. */
  #silentUntilMs = 0;

  constructor(name: string, clock: MachineClock, around: DaemonParts) {
    this.name = name;
    this.clock = clock;
    this.#around = around;
  }

  async start(): Promise<void> {
    const { place, ids } = this.#around;
    const life = this.#begin();
    life.ground = await place.open({
      died: () => this.#end(life),
      freezes: () => this.#freeze(life),
      wait: async (ms) => await life.sleepers.sleep(ms),
      end: life.end,
    });
    const realTime = realTimeOf(this.#around.time, life.sleepers);
    life.running = await startApp({
      ...life.ground.settings,
      version: "1.2.3",
      ops: { timezone: "UTC", close_throttle: { enabled: false, window_ms: 60_000, limit: 3 } },
      ...{ clock: life.clock, ids, realTime },
      // Synchronously, because the speed of the disk would otherwise decide what happens next.
      syncFile: async (file) => await Promise.resolve(fdatasyncSync(file)),
      between: (backend) => {
        life.backend = backend;
        return this.#seams(life, backend);
      },
      startWorker: workersOf({
        ...{ name: this.name, order: this.#around.order, clock: life.clock, ids, realTime },
        end: life.end,
        serverNow: this.#serverNow,
        seams: (backend, worker) => this.#seams(life, backend, worker),
      }),
    });
    this.#life = life;
    const ended = (): void => {
      if (!life.over.signal.aborted) this.#end(life);
    };
    void life.running.stopped.then(ended, ended);
  }

  #begin(): Life {
    const over = new AbortController();
    const end = new Promise<void>((resolve) =>
      over.signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    const sleepers = this.#around.time.sleepers(this.name);
    return { sleepers, clock: this.clock.seenBy(sleepers), over, end, isFrozen: false };
  }

  get #serverNow(): (() => string) | undefined {
    const { serverClock } = this.#around;
    return serverClock && (() => msToInstant(serverClock.nowMs));
  }

  /** Decides what becomes of the next commit of this daemon. */
  doom(fate: Fate): void {
    this.#fate = fate;
  }

  /** Ends the write worker shortly before or after its next commit. */
  doomWorker(end: WorkerEnd): void {
    this.#workerEnd = end;
  }

  /** Runs the work when the daemon next hears that it has a term of the engine. */
  depose(engine: string, work: () => Promise<void>): void {
    this.#deposing.set(engine, work);
  }

  spare(): void {
    this.#deposing.clear();
    this.#fate = undefined;
    this.#workerEnd = undefined;
  }

  /** Whether the server is silent to this daemon, or was until so recently that the daemon may still wait for it. */
  get hearsNothing(): boolean {
    return this.#around.time.passedMs < this.#silentUntilMs;
  }

  /** Ends the daemon as SIGKILL does; false if it does not run. `meanwhile` runs before the next start. */
  kill(meanwhile: () => Promise<void> = async () => undefined): boolean {
    const life = this.#life;
    if (life === undefined) return false;
    life.ground?.die();
    this.#end(life, meanwhile);
    return true;
  }

  /** Kills the daemon as soon as it runs. Resolves when it runs again. */
  async restart(meanwhile: () => Promise<void>): Promise<void> {
    do await this.running();
    while (!this.kill(meanwhile));
    await this.running();
  }

  /** Resolves when a daemon that has ended runs again. */
  async running(): Promise<void> {
    await this.#starting;
  }

  async stop(): Promise<void> {
    await this.#starting;
    const life = this.#life;
    this.#life = undefined;
    life?.over.abort();
    life?.sleepers.end();
    await life?.running?.stop();
  }

  /** Carries the request to the daemon. Returns `undefined` if the daemon ends before its answer is complete. */
  async answer(sent: Sent): Promise<Received | undefined> {
    const life = this.#life;
    if (life === undefined) return undefined;
    const received = this.#fetch(life, sent).then(async (response) => {
      const text = await response.text().catch(() => undefined);
      return text === undefined ? undefined : { status: response.status, text };
    });
    received.catch(() => undefined);
    const first = await Promise.race([received, life.end]);
    if (life.isFrozen) await life.end;
    return life.over.signal.aborted || first === undefined ? undefined : first;
  }

  /** Opens an event stream. Returns `undefined` if the daemon ends before the stream begins. */
  async stream(sent: Sent): Promise<Streaming | undefined> {
    const life = this.#life;
    if (life === undefined) return undefined;
    const opening = this.#fetch(life, sent);
    opening.catch(() => undefined);
    const response = await Promise.race([opening, life.end]);
    if (life.isFrozen) await life.end;
    const isOver = (): boolean => life.over.signal.aborted;
    if (isOver() || response === undefined) {
      // A daemon that ends waits for the readers of its streams.
      void opening.then(async ({ body }) => await body?.cancel()).catch(() => undefined);
      return undefined;
    }
    const { end } = life;
    return { response, end, isOver, isFrozen: () => life.isFrozen };
  }

  /**
   * Lets this daemon ask for a term of the engine now, as its engine would at some time. Has no effect while the daemon
   * cannot reach the server.
   */
  async elect(name: string): Promise<void> {
    const { terms } = this.#around;
    const term = await this.#life?.backend?.elections.elect(name).catch(() => undefined);
    if (term !== undefined) terms.elected(this.name, term);
  }

  async #fetch({ running }: Life, sent: Sent): Promise<Response> {
    const { plant } = this.#around;
    const { method, path, body, headers } = plant.request?.(sent) ?? sent;
    if (running === undefined) throw new Error("a life begins with its app");
    return await running.fetch(
      new Request(`http://svc.invalid/api/v1${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  }

  /** From now on the daemon answers nobody. It is killed after `FROZEN_MS`. */
  #freeze(life: Life): void {
    life.isFrozen = true;
    void life.sleepers.sleep(FROZEN_MS).then(() => this.#end(life));
  }

  #end(life: Life, meanwhile: () => Promise<void> = async () => undefined): void {
    if (life.over.signal.aborted) return;
    life.over.abort();
    life.sleepers.end();
    if (this.#life === life) this.#life = undefined;
    this.#deaths += 1;
    this.#starting = this.#starting.then(async () => {
      const stop = async (): Promise<void> => await life.running?.stop();
      await (life.ground?.bury(stop) ?? stop());
      await meanwhile();
      await this.#startAgain();
    });
  }

  /** Starts the daemon again. Repeats a start that fails because the server has ended the daemon's sessions. */
  async #startAgain(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.start();
      } catch (error) {
        if (tries === STARTS) throw error;
        await this.#around.order.rest();
      }
    }
  }

  /** Stands between a store of one life and its database. `worker` is the worker that the store belongs to. */
  #seams(life: Life, backend: Backend, worker?: SimulatedWorker): Backend {
    const { plant, terms, order } = this.#around;
    return seamsOf(backend, {
      ...{ name: this.name, plant, terms, order, end: life.end, serverNow: this.#serverNow },
      remembersDeath: this.#deaths > 0,
      heard: async (engine) => {
        const work = this.#deposing.get(engine);
        this.#deposing.delete(engine);
        await work?.();
      },
      commit: async (connection, commit) => {
        if (worker?.isOver === true) throw new Error("the worker has ended");
        const workerEnd = worker === undefined ? undefined : this.#workerEnd;
        if (workerEnd !== undefined) this.#workerEnd = undefined;
        if (workerEnd === "before") {
          worker?.die(outOfMemory());
          throw new Error("the worker has ended");
        }
        await this.#meetFate(life, connection, commit);
        if (workerEnd === "after") worker?.die(outOfMemory());
      },
    });
  }

  async #meetFate(
    { running, ground }: Life,
    connection: Connection,
    commit: (connection: Connection) => Promise<void>,
  ): Promise<void> {
    const fate = this.#fate;
    if (fate === undefined || running === undefined || ground === undefined)
      return await commit(connection);
    this.#fate = undefined;
    const { serverClock, time } = this.#around;
    if (fate.startsWith("silent") && serverClock !== undefined)
      this.#silentUntilMs = time.passedMs + HEARS_NOTHING_MS;
    await ground.commit(fate, connection, commit);
  }
}

/** The error with which Node ends a thread that needs more memory than it may have. */
function outOfMemory(): Error {
  return Object.assign(new Error("out of memory"), { code: "ERR_WORKER_OUT_OF_MEMORY" });
}

export interface Streaming {
  readonly response: Response;
  readonly end: Promise<void>;
  isOver(): boolean;
  isFrozen(): boolean;
}
