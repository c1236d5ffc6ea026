import type { TransferListItem } from "node:worker_threads";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { newThread } from "../../base/thread.ts";
import { SvcError } from "../../contract/errors.ts";

/** By default, a thread that has had no task for this long ends, which frees the memory that a large project has taken. */
const IDLE_MS = 10_000;

/** What a worker reports to the daemon. */
export interface WorkerEvents {
  message(message: unknown): void;
  /** The worker ends because of this error; `exit` follows. */
  error(error: unknown): void;
  exit(): void;
}

/** A worker that runs. */
export interface RunningWorker {
  postMessage(message: object, transfer: readonly TransferListItem[]): void;
  /** Ends the worker whatever it is doing; `exit` follows. */
  terminate(): Promise<unknown>;
}

export interface WorkerStart {
  readonly file: string;
  readonly data: object;
  /** Limits the memory for new objects. */
  readonly youngMiB?: number;
  /** The first part of the names of log entries about the worker, such as `write-worker` in `write-worker.started`. */
  readonly name: "read-worker" | "write-worker" | "scoring-worker";
}

/** Starts a worker. Calls nothing of `events` before it has returned. */
export type StartWorker = (start: WorkerStart, events: WorkerEvents) => RunningWorker;

/** Starts the worker as a thread of this process. */
export const startThread: StartWorker = ({ file, data, youngMiB }, events) => {
  const thread = newThread(file, data, youngMiB);
  thread.on("message", events.message);
  thread.on("error", events.error);
  thread.once("exit", events.exit);
  // Without this, the thread would keep the process alive.
  thread.unref();
  return thread;
};

export type Begin = (events: WorkerEvents) => RunningWorker;

export abstract class WorkerThread<Task, Sent extends object, Received> {
  readonly #worker: RunningWorker;
  protected readonly tasks = new Map<number, Task>();
  readonly ended: Promise<void>;
  taskCount = 0;
  over = false;

  constructor(begin: Begin) {
    const ended = Promise.withResolvers<void>();
    this.ended = ended.promise;
    let fault: unknown = new SvcError("daemon_stopping");
    this.#worker = begin({
      message: (message) => this.take(message as Received),
      error: (error) => {
        fault = error;
      },
      exit: () => {
        this.over = true;
        for (const task of this.tasks.values()) this.lose(task, fault);
        this.tasks.clear();
        ended.resolve();
      },
    });
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

export interface ThreadOptions extends WorkerStart {
  readonly start: StartWorker | undefined;
  /** The thread ends when it has had no task for this long. */
  readonly idleMs?: number;
  readonly clock: Clock;
  readonly log: Log;
}

type AnyThread = WorkerThread<unknown, object, never>;

/** Gives all tasks to one thread, which starts with the first task and ends when it has been idle for a while. */
export class SharedThread<T extends AnyThread> {
  readonly #options: ThreadOptions;
  readonly #threadOf: (begin: Begin) => T;
  readonly #stopped = new AbortController();
  #current: T | undefined;
  /** The current thread, and those that are about to end. */
  readonly #alive = new Set<T>();

  constructor(options: ThreadOptions, threadOf: (begin: Begin) => T) {
    this.#options = options;
    this.#threadOf = threadOf;
  }

  get stopped(): AbortSignal {
    return this.#stopped.signal;
  }

  /** The thread that gets the next task, if it runs. */
  get current(): T | undefined {
    return this.#current;
  }

  get(): T {
    if (this.#current === undefined || this.#current.over) this.#current = this.#start();
    return this.#current;
  }

  #start(): T {
    const { start = startThread, name, log } = this.#options;
    const thread = this.#threadOf((events) => start(this.#options, events));
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
    const { clock, idleMs = IDLE_MS } = this.#options;
    for (;;) {
      const { taskCount } = thread;
      await clock.sleep(idleMs, this.stopped);
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
