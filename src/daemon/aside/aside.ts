import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Principal } from "../../ops/deps.ts";
import type { AsideData, AsideOutcome, AsideTask } from "./messages.ts";

/** A thread with nothing to do for so long ends: what it read of a large project would stay in memory. */
const IDLE_MS = 10_000;

/** Beside this module, as source or built. */
const FILE = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "worker.ts" : "aside.cjs",
);

export interface AsideOptions extends AsideData {
  readonly clock: Clock;
  readonly log: Log;
}

interface Waiting {
  resolve(body: Uint8Array): void;
  reject(error: unknown): void;
}

/**
 * Computes what takes long in a thread of its own, so that the daemon goes on answering: SQLite and JSON work
 * synchronously. The thread begins with the first task and ends when it is idle.
 */
export class Aside {
  readonly #options: AsideOptions;
  readonly #stopped = new AbortController();
  #thread: Thread | undefined;

  constructor(options: AsideOptions) {
    this.#options = options;
  }

  /** The JSON of the answer. */
  async run(route: string, who: Principal, input: unknown): Promise<Uint8Array> {
    if (this.#stopped.signal.aborted) throw new SvcError("daemon_stopping");
    this.#thread ??= this.#begin();
    return await this.#thread.run({ route, who, input });
  }

  #begin(): Thread {
    const { database, settings, clock, log } = this.#options;
    // Loaded by the first task: a command may wait for the daemon to start.
    const { Worker: NodeWorker } = process.getBuiltinModule("node:worker_threads");
    const worker = new NodeWorker(FILE, { workerData: { database, settings } satisfies AsideData });
    log.info("aside.started");
    const thread = new Thread(worker, () => {
      if (this.#thread === thread) this.#thread = undefined;
      log.info("aside.ended");
    });
    void endWhenIdle(thread, clock, this.#stopped.signal);
    return thread;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#thread?.end();
  }
}

/** A task may come just when the thread is to end: then it begins to be idle anew. */
async function endWhenIdle(thread: Thread, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    const done = thread.done;
    await clock.sleep(IDLE_MS, signal);
    if (signal.aborted || thread.over) return;
    if (thread.idle && thread.done === done) return await thread.end();
  }
}

class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #given = 0;
  over = false;

  constructor(worker: Worker, ended: () => void) {
    this.#worker = worker;
    worker.on("message", (outcome: AsideOutcome) => this.#settle(outcome));
    let reason: unknown = new SvcError("daemon_stopping");
    worker.on("error", (error) => {
      reason = error;
    });
    this.#ended = new Promise((resolve) =>
      worker.once("exit", () => {
        this.over = true;
        for (const { reject } of this.#waiting.values()) reject(reason);
        this.#waiting.clear();
        ended();
        resolve();
      }),
    );
    // A process that has nothing else to do may end.
    worker.unref();
  }

  get idle(): boolean {
    return this.#waiting.size === 0;
  }

  /** How many tasks it was given. */
  get done(): number {
    return this.#given;
  }

  async run(task: Omit<AsideTask, "id">): Promise<Uint8Array> {
    const id = ++this.#given;
    return await new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...task } satisfies AsideTask);
    });
  }

  #settle(outcome: AsideOutcome): void {
    const waiting = this.#waiting.get(outcome.id);
    this.#waiting.delete(outcome.id);
    if ("body" in outcome) waiting?.resolve(outcome.body);
    else if ("refused" in outcome) {
      const { code, data, message } = outcome.refused;
      waiting?.reject(new SvcError(code, data, { message }));
    } else waiting?.reject(new Error(outcome.fault));
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
    await this.#ended;
  }
}
