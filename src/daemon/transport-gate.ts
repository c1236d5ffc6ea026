import type { Clock } from "../base/clock.ts";

/** How long running requests may continue after the gate was closed. After that, they are aborted. */
const PATIENCE_MS = 10_000;

interface Door {
  /** The running requests, each with the controller that aborts it. */
  readonly inside: Map<Promise<unknown>, AbortController>;
  /** Resolves when the door is open again; undefined while it is open. */
  closed: Promise<void> | undefined;
}

/**
 * A gate for the requests that a copy sends to its hub. It is closed while the hub's address is changed: running
 * requests end or are aborted, and no other request begins.
 */
export class TransportGate {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #doors = new Map<string, Door>();

  constructor(clock: Pick<Clock, "sleep">) {
    this.#clock = clock;
  }

  /** Runs the work as soon as the gate of the project is open. The signal is aborted when the work must end. */
  async through<T>(projectUid: string, work: (cut: AbortSignal) => Promise<T>): Promise<T> {
    let door = this.#doorOf(projectUid);
    while (door.closed !== undefined) {
      await door.closed;
      door = this.#doorOf(projectUid);
    }
    const cut = new AbortController();
    const call = work(cut.signal);
    door.inside.set(call, cut);
    try {
      return await call;
    } finally {
      door.inside.delete(call);
      this.#forget(projectUid, door);
    }
  }

  /**
   * Closes the gate of the project, waits until no request is running, and runs the work. Then opens the gate again.
   */
  async closed<T>(projectUid: string, work: () => Promise<T>): Promise<T> {
    let door = this.#doorOf(projectUid);
    while (door.closed !== undefined) {
      await door.closed;
      door = this.#doorOf(projectUid);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    door.closed = promise;
    try {
      await this.#emptied(door);
      return await work();
    } finally {
      door.closed = undefined;
      resolve();
      this.#forget(projectUid, door);
    }
  }

  async #emptied({ inside }: Door): Promise<void> {
    if (inside.size === 0) return;
    const done = new AbortController();
    const ended = Promise.allSettled([...inside.keys()]);
    const late = async (): Promise<void> => {
      await this.#clock.sleep(PATIENCE_MS, done.signal);
      if (!done.signal.aborted) for (const cut of inside.values()) cut.abort();
    };
    void late().catch(() => undefined);
    await ended;
    done.abort();
  }

  #doorOf(projectUid: string): Door {
    const door = this.#doors.get(projectUid) ?? { inside: new Map(), closed: undefined };
    this.#doors.set(projectUid, door);
    return door;
  }

  #forget(projectUid: string, door: Door): void {
    if (door.inside.size === 0 && door.closed === undefined) this.#doors.delete(projectUid);
  }
}
