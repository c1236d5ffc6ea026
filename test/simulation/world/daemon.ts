import type { Ids } from "../../../src/base/ids.ts";
import type { RunningApp } from "../../../src/daemon/lifecycle/start.ts";
import { startApp } from "../../../src/daemon/lifecycle/start.ts";
import type { Backend } from "../../../src/store/backend.ts";
import type { Term } from "../../../src/store/types/elections.ts";
import type { Received, Sent } from "../send.ts";
import type { LifeClock, WorldClock } from "./clock.ts";
import type { Order } from "./order.ts";
import { overlay } from "./overlay.ts";
import type { Fate, Ground, Place } from "./place.ts";
import type { Plant } from "./plant.ts";
import type { Terms } from "./terms.ts";

/** What a daemon of a world is made of. */
export interface Around {
  readonly place: Place;
  readonly order: Order;
  readonly clock: WorldClock;
  readonly ids: Ids;
  readonly terms: Terms;
  readonly plant: Plant;
}

/** After so many starts that failed, the fault is not that of a moment. */
const STARTS = 20;

/** From a start of the daemon to its end. */
interface Life {
  readonly clock: LifeClock;
  readonly over: AbortController;
  /** Resolves when it is over. */
  readonly end: Promise<void>;
  ground?: Ground;
  running?: RunningApp;
  backend?: Backend;
}

/** A daemon in this process. One that is killed, or that ends by itself, is started again. */
export class SimulatedDaemon {
  readonly name: string;
  readonly #around: Around;
  #life: Life | undefined;
  #starting: Promise<void> = Promise.resolve();
  #deaths = 0;
  #fate: Fate | undefined;

  constructor(name: string, around: Around) {
    this.name = name;
    this.#around = around;
  }

  async start(): Promise<void> {
    const { place, clock, ids } = this.#around;
    const over = new AbortController();
    const end = new Promise<void>((resolve) =>
      over.signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    const life: Life = { clock: clock.of(this.name), over, end };
    life.ground = await place.open(() => this.#end(life));
    life.running = await startApp({
      ...life.ground.settings,
      version: "1.2.3",
      ops: { timezone: "UTC", close_throttle: { enabled: false, window_ms: 60_000, limit: 3 } },
      clock: life.clock,
      ids,
      between: (backend) => this.#seams(life, backend),
    });
    this.#life = life;
    const ended = (): void => {
      if (!over.signal.aborted) this.#end(life);
    };
    void life.running.stopped.then(ended, ended);
  }

  /** What becomes of the next commit of this daemon. */
  doom(fate: Fate): void {
    this.#fate = fate;
  }

  get isDoomed(): boolean {
    return this.#fate !== undefined;
  }

  spare(): void {
    this.#fate = undefined;
  }

  /** SIGKILL. `meanwhile` happens when all is closed, before the next start. */
  kill(meanwhile: () => void = () => undefined): void {
    const life = this.#life;
    if (life === undefined) return;
    life.ground?.die();
    this.#end(life, meanwhile);
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
    life?.clock.end();
    await life?.running?.stop();
  }

  /** Carries the request to the daemon. Gives nothing if the daemon has ended meanwhile. */
  async answer(sent: Sent): Promise<Received | undefined> {
    const life = this.#life;
    if (life === undefined) return undefined;
    const received = this.#fetch(life, sent).then(async (response) => ({
      status: response.status,
      text: await response.text(),
    }));
    received.catch(() => undefined);
    const first = await Promise.race([received, life.end]);
    return life.over.signal.aborted || first === undefined ? undefined : first;
  }

  /** Opens an event stream. Its pieces end with the daemon. */
  async stream(sent: Sent): Promise<Streaming | undefined> {
    const life = this.#life;
    if (life === undefined) return undefined;
    const opening = this.#fetch(life, sent);
    opening.catch(() => undefined);
    const response = await Promise.race([opening, life.end]);
    const isOver = (): boolean => life.over.signal.aborted;
    if (isOver() || response === undefined) {
      // A daemon that ends waits for the readers of its streams.
      void opening.then(async ({ body }) => await body?.cancel()).catch(() => undefined);
      return undefined;
    }
    return { response, end: life.end, isOver };
  }

  /** Another daemon than the one whose engine has the term asks for it now, as its engine would some time. */
  async elect(name: string): Promise<void> {
    const { terms } = this.#around;
    const term = await this.#life?.backend?.elections.elect(name);
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

  #end(life: Life, meanwhile: () => void = () => undefined): void {
    if (life.over.signal.aborted) return;
    life.over.abort();
    life.clock.end();
    if (this.#life === life) this.#life = undefined;
    this.#deaths += 1;
    this.#starting = this.#starting.then(async () => {
      const stop = async (): Promise<void> => await life.running?.stop();
      await (life.ground?.bury(stop) ?? stop());
      meanwhile();
      await this.#startAgain();
    });
  }

  /** A start fails when the server ends its sessions meanwhile. Whoever needs the daemon then starts it once more. */
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

  /** Stands between the store of one life and its database. */
  #seams(life: Life, backend: Backend): Backend {
    const { plant, terms, order } = this.#around;
    life.backend = backend;
    const remembersDeath = this.#deaths > 0 && plant.afterDeath !== undefined;
    let under: Term[] = [];
    return overlay<Backend>(backend, {
      begin: async (connection, kind) => {
        under = [];
        await backend.begin(connection, kind);
        if (remembersDeath) await plant.afterDeath(connection);
      },
      commit: async (connection, proof) => {
        const commit = plant.commit ?? (async (session) => await backend.commit(session, proof));
        for (const term of under) terms.commits(this.name, term);
        const fate = life.running === undefined ? undefined : this.#fate;
        if (fate === undefined) return await commit(connection);
        this.#fate = undefined;
        await (life.ground?.commit(fate, connection, commit) ?? commit(connection));
      },
      elections: overlay<Backend["elections"]>(backend.elections, {
        elect: async (name) => {
          const term = await backend.elections.elect(name);
          if (term !== undefined) terms.elected(this.name, term);
          await Promise.race([order.ready(`${this.name} hears who has ${name}`), life.end]);
          return term;
        },
        holds: async (connection, term) => {
          const isHeld = await (plant.holds?.() ?? backend.elections.holds(connection, term));
          if (isHeld) under.push(term);
          return isHeld;
        },
      }),
    });
  }
}

export interface Streaming {
  readonly response: Response;
  readonly end: Promise<void>;
  isOver(): boolean;
}
