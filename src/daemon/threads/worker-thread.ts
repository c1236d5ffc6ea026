import type { TransferListItem, Worker } from "node:worker_threads";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { newThread } from "../../base/thread.ts";
import { SvcError } from "../../contract/errors.ts";

/** A thread that has had no task for this long ends, which frees the memory that a large project has taken. */
const IDLE_MS = 10_000;

export abstract class WorkerThread<Task, Sent extends object, Received> {
  readonly #worker: Worker;
  protected readonly tasks = new Map<number, Task>();
  readonly ended: Promise<void>;
  taskCount = 0;
  over = false;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (message: Received) => this.take(message));
    let fault: unknown = new SvcError("daemon_stopping");
    worker.on("error", (error) => {
      fault = error;
    });
    this.ended = new Promise((resolve) =>
      worker.once("exit", () => {
        this.over = true;
        for (const task of this.tasks.values()) this.lose(task, fault);
        this.tasks.clear();
        resolve();
      }),
    );
    // Without this, the thread would keep the process alive.
    worker.unref();
  }

  get isIdle(): boolean {
    return this.tasks.size === 0;
  }

  protected abstract take(message: Received): void;

  /** Called for each task that the thread leaves unfinished when it ends. */
  protected abstract lose(task: Task, fault: unknown): void;

  protected tell(message: Sent, transfer: readonly TransferListItem[] = []): void {
    if (!this.over) this.#worker.postMessage(message, transfer);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
    await this.ended;
  }
}

export interface ThreadOptions {
  readonly file: string;
  readonly data: object;
  /** Limits the memory for new objects. */
  readonly youngMiB?: number;
  /** The first part of the names of log entries about the thread, such as `write-worker` in `write-worker.started`. */
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
}

type AnyThread = WorkerThread<unknown, object, never>;

/** Gives all tasks to one thread, which starts with the first task and ends when it has been idle for a while. */
export class SharedThread<T extends AnyThread> {
  readonly #options: ThreadOptions;
  readonly #threadOf: (worker: Worker) => T;
  readonly #stopped = new AbortController();
  #current: T | undefined;
  /** The current thread, and those that are about to end. */
  readonly #alive = new Set<T>();

  constructor(options: ThreadOptions, threadOf: (worker: Worker) => T) {
    this.#options = options;
    this.#threadOf = threadOf;
  }

  get stopped(): AbortSignal {
    return this.#stopped.signal;
  }

  get(): T {
    if (this.#current === undefined || this.#current.over) this.#current = this.#start();
    return this.#current;
  }

  #start(): T {
    const { file, data, youngMiB, name, log } = this.#options;
    const thread = this.#threadOf(newThread(file, data, youngMiB));
    log.info(`${name}.started`);
    this.#alive.add(thread);
    void thread.ended.then(() => {
      this.#alive.delete(thread);
      log.info(`${name}.ended`);
    });
    void this.#stopWhenIdle(thread);
    return thread;
  }

  /**
   * Ends the thread once it has had no task for a while. Before that, the thread ceases to be `#current`, so that it
   * gets no new task.
   */
  async #stopWhenIdle(thread: T): Promise<void> {
    for (;;) {
      const { taskCount } = thread;
      await this.#options.clock.sleep(IDLE_MS, this.stopped);
      if (this.stopped.aborted || thread.over) return;
      if (!thread.isIdle || thread.taskCount !== taskCount) continue;
      if (this.#current === thread) this.#current = undefined;
      return await thread.end();
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all([...this.#alive].map(async (thread) => await thread.end()));
  }
}
