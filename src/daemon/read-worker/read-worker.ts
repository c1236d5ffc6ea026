import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { newThread } from "../../base/thread.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Principal } from "../../ops/deps.ts";
import { type IdleWorker, stopWhenIdle } from "../idle-worker.ts";
import { ClientGone } from "../incoming.ts";
import { threadFault } from "../thread-fault.ts";
import { messageToError } from "../worker-error.ts";
import type { ReadOutcome, ReadRequest, ReadTask, ReadWorkerData } from "./messages.ts";
import { StreamedAnswer } from "./streamed-answer.ts";

/** How many tasks run at once; the others wait. Each keeps a snapshot of the database open. */
const AT_ONCE = 8;

const FILE = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "worker.ts" : "read-worker.cjs",
);

export interface ReadWorkerOptions extends ReadWorkerData {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Runs long reads in a thread of its own, so that the daemon goes on answering: SQLite and JSON work synchronously. The
 * thread starts with the first task and ends when it is idle.
 */
export class ReadWorker {
  readonly #options: ReadWorkerOptions;
  readonly #stopped = new AbortController();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #thread: Thread | undefined;
  /** `#thread`, and threads that are about to end. */
  readonly #alive = new Set<Thread>();

  constructor(options: ReadWorkerOptions) {
    this.#options = options;
  }

  /**
   * Resolves with the JSON of the answer once its first piece has arrived. `gone` is aborted when the client
   * disconnects.
   */
  async run(
    route: string,
    who: Principal,
    input: unknown,
    gone: AbortSignal = new AbortController().signal,
  ): Promise<StreamedAnswer> {
    await this.#turn(gone);
    if (this.#stopped.signal.aborted) {
      this.#next();
      throw new SvcError("daemon_stopping");
    }
    this.#thread ??= this.#begin();
    const { answer, ended } = this.#thread.run({ route, who, input });
    const leave = (): void => answer.leave();
    gone.addEventListener("abort", leave, { once: true });
    void ended.then(() => {
      gone.removeEventListener("abort", leave);
      this.#next();
    });
    await answer.begun();
    if (gone.aborted) throw new ClientGone();
    return answer;
  }

  /** Waits until fewer than `AT_ONCE` tasks run. */
  async #turn(gone: AbortSignal): Promise<void> {
    const stopped = this.#stopped.signal;
    while (this.#running >= AT_ONCE && !gone.aborted && !stopped.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        gone.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    if (gone.aborted) {
      // This wake-up may have been meant for a task that still waits, so wake the next one.
      this.#waiting.shift()?.();
      throw new ClientGone();
    }
    this.#running++;
  }

  #next(): void {
    this.#running--;
    this.#waiting.shift()?.();
  }

  #begin(): Thread {
    const { database, settings, clock, log } = this.#options;
    const worker = newThread(FILE, { database, settings } satisfies ReadWorkerData);
    log.info("aside.started");
    const retire = (): void => {
      if (this.#thread === thread) this.#thread = undefined;
    };
    const thread = new Thread(worker, () => {
      retire();
      this.#alive.delete(thread);
      log.info("aside.ended");
    });
    this.#alive.add(thread);
    void stopWhenIdle(thread, { clock, signal: this.#stopped.signal, retire });
    return thread;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    for (const wake of this.#waiting.splice(0)) wake();
    await Promise.all([...this.#alive].map(async (thread) => await thread.end()));
  }
}

interface Running {
  readonly answer: StreamedAnswer;
  end(): void;
}

class Thread implements IdleWorker {
  readonly #worker: Worker;
  readonly #running = new Map<number, Running>();
  readonly #ended: Promise<void>;
  given = 0;
  over = false;

  constructor(worker: Worker, ended: () => void) {
    this.#worker = worker;
    worker.on("message", (outcome: ReadOutcome) => this.#take(outcome));
    let reason: unknown = new SvcError("daemon_stopping");
    worker.on("error", (error) => {
      reason = threadFault(error, TOO_LARGE);
    });
    this.#ended = new Promise((resolve) =>
      worker.once("exit", () => {
        this.over = true;
        for (const [id, { answer }] of this.#running) {
          answer.fail(reason);
          this.#end(id);
        }
        ended();
        resolve();
      }),
    );
    // The thread alone does not keep the process alive.
    worker.unref();
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  run(task: Omit<ReadTask, "id">): {
    readonly answer: StreamedAnswer;
    readonly ended: Promise<void>;
  } {
    const id = ++this.given;
    const answer = new StreamedAnswer({
      taken: () => this.#tell({ id, now: "taken" }),
      left: () => {
        this.#tell({ id, now: "left" });
        this.#end(id);
      },
    });
    const ended = new Promise<void>((end) => this.#running.set(id, { answer, end }));
    this.#tell({ id, ...task });
    return { answer, ended };
  }

  #tell(request: ReadRequest): void {
    this.#worker.postMessage(request);
  }

  #take(outcome: ReadOutcome): void {
    const { id } = outcome;
    const answer = this.#running.get(id)?.answer;
    if ("piece" in outcome) {
      answer?.push(outcome.piece, outcome.last);
      if (outcome.last) this.#end(id);
      return;
    }
    answer?.fail(messageToError(outcome));
    this.#end(id);
  }

  #end(id: number): void {
    this.#running.get(id)?.end();
    this.#running.delete(id);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
    await this.#ended;
  }
}

const TOO_LARGE = {
  message: "the answer needs more memory than the daemon has",
  hint: "ask for less at once, by a limit or filters",
};
