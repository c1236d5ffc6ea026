import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Principal } from "../../ops/deps.ts";
import type { AdminStore } from "../../store/admin-store.ts";
import { ClientGone } from "../requests/incoming.ts";
import { threadFault } from "../threads/thread-fault.ts";
import { messageToError } from "../threads/worker-error.ts";
import { SharedThread, type StartWorker, WorkerThread } from "../threads/worker-thread.ts";
import type { ReadOutcome, ReadRequest, ReadTask, ReadWorkerData } from "./messages.ts";
import { StreamedAnswer } from "./streamed-answer.ts";

/** At most this many tasks run at once; others wait. Each running task keeps a snapshot of the database open. */
const AT_ONCE = 8;

const FILE = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "worker.ts" : "read-worker.cjs",
);

export interface ReadWorkerOptions extends ReadWorkerData {
  /** The daemon's store. The worker reads on connections of its own. */
  readonly store: Pick<AdminStore, "synced">;
  readonly clock: Clock;
  readonly log: Log;
  /** By default the worker is a thread. */
  readonly start?: StartWorker | undefined;
}

/**
 * Runs long reads in a thread of their own. SQLite and JSON work synchronously, so such a read would otherwise delay
 * all other answers. The thread starts with the first task and ends when it is idle.
 */
export class ReadWorker {
  readonly #thread: SharedThread<Thread>;
  readonly #store: ReadWorkerOptions["store"];
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ database, settings, store, clock, log, start }: ReadWorkerOptions) {
    this.#store = store;
    const data: ReadWorkerData = { database, settings };
    const options = { name: "read-worker", file: FILE, data, start, clock, log } as const;
    this.#thread = new SharedThread(options, (begin) => new Thread(begin));
  }

  /** Resolves with the answer's JSON once its first piece has arrived. `gone` is aborted if the client disconnects. */
  async run(
    route: string,
    who: Principal,
    input: unknown,
    gone: AbortSignal = new AbortController().signal,
  ): Promise<StreamedAnswer> {
    await this.#waitForRoom(gone);
    if (this.#thread.stopped.aborted) {
      this.#next();
      throw new SvcError("daemon_stopping");
    }
    const { answer, ended } = this.#thread.get().run({ route, who, input });
    const leave = (): void => answer.leave();
    gone.addEventListener("abort", leave, { once: true });
    void ended.then(() => {
      gone.removeEventListener("abort", leave);
      this.#next();
    });
    await answer.begun();
    await this.#store.synced();
    if (gone.aborted) throw new ClientGone();
    return answer;
  }

  async #waitForRoom(gone: AbortSignal): Promise<void> {
    const { stopped } = this.#thread;
    while (this.#running >= AT_ONCE && !gone.aborted && !stopped.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        gone.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    if (gone.aborted) {
      // The end of another task may have woken this task, whose client is gone. So wake the next task.
      this.#waiting.shift()?.();
      throw new ClientGone();
    }
    this.#running++;
  }

  #next(): void {
    this.#running--;
    this.#waiting.shift()?.();
  }

  async stop(): Promise<void> {
    const stopping = this.#thread.stop();
    for (const wake of this.#waiting.splice(0)) wake();
    await stopping;
  }
}

interface RunningRead {
  readonly answer: StreamedAnswer;
  end(): void;
}

class Thread extends WorkerThread<RunningRead, ReadRequest, ReadOutcome> {
  run(task: Omit<ReadTask, "id">): {
    readonly answer: StreamedAnswer;
    readonly ended: Promise<void>;
  } {
    const id = ++this.taskCount;
    const answer = new StreamedAnswer({
      taken: () => this.tell({ id, now: "taken" }),
      left: () => {
        this.tell({ id, now: "left" });
        this.#end(id);
      },
    });
    const ended = new Promise<void>((end) => this.tasks.set(id, { answer, end }));
    this.tell({ id, ...task });
    return { answer, ended };
  }

  protected override take(outcome: ReadOutcome): void {
    const { id } = outcome;
    const answer = this.tasks.get(id)?.answer;
    if ("piece" in outcome) {
      if (outcome.headers !== undefined && answer !== undefined) answer.headers = outcome.headers;
      answer?.push(outcome.piece, outcome.last);
      if (outcome.last) this.#end(id);
      return;
    }
    answer?.fail(messageToError(outcome));
    this.#end(id);
  }

  protected override lose({ answer, end }: RunningRead, fault: unknown): void {
    answer.fail(threadFault(fault, TOO_LARGE));
    end();
  }

  #end(id: number): void {
    this.tasks.get(id)?.end();
    this.tasks.delete(id);
  }
}

const TOO_LARGE = {
  message: "the answer needs more memory than the daemon has",
  hint: "ask for less at once, by a limit or filters",
};
