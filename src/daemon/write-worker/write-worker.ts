import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import type { Log } from "../../base/log.ts";
import { SvcError } from "../../contract/errors.ts";
import type { BulkRequest } from "../../engines/bulk-write.ts";
import { TermOver } from "../../ops/term.ts";
import type { AdminStore } from "../../store/admin-store.ts";
import type { CommitProof } from "../../store/backend.ts";
import { outcomeUnknown } from "../../store/errors.ts";
import type { Term } from "../../store/types/elections.ts";
import { threadFault } from "../threads/thread-fault.ts";
import { errorToMessage, messageToError, type WorkerError } from "../threads/worker-error.ts";
import {
  type Begin,
  SharedThread,
  type StartWorker,
  WorkerThread,
} from "../threads/worker-thread.ts";
import type { FromWorker, ToWorker, WriteRequest, WriteWorkerData } from "./messages.ts";

const FILE = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "worker.ts" : "write-worker.cjs",
);

/** Most objects of a large write are needed for a moment only, so more space for them would save no time. */
const YOUNG_MIB = 12;

export interface WriteWorkerOptions extends WriteWorkerData {
  readonly store: Pick<AdminStore, "erase" | "pauseWrites" | "read" | "hasCommitted">;
  readonly clock: Clock;
  readonly log: Log;
  /** By default the worker is a thread. */
  readonly start?: StartWorker | undefined;
}

/**
 * Carries out large writes in a thread of its own, so that the daemon goes on answering. While one of them is in its
 * transaction, other writes wait in the daemon (`AdminStore.pauseWrites`); parsing a request and building its answer
 * delay nobody. If the thread ends during a transaction, the transaction is rolled back, unless its commit was under
 * way.
 */
export class WriteWorker {
  readonly #thread: SharedThread<Thread>;

  constructor({ database, settings, store, clock, log, start }: WriteWorkerOptions) {
    const data: WriteWorkerData = { database, settings };
    const options = { name: "write-worker", file: FILE, data, youngMiB: YOUNG_MIB } as const;
    this.#thread = new SharedThread(
      { ...options, start, clock, log },
      (begin) => new Thread(begin, store),
    );
  }

  /** Carries out the operation of a request. Returns the body of the answer. */
  async run(request: WriteRequest): Promise<Uint8Array> {
    return await this.#runningThread().run(
      (id) => ({ id, request }),
      [request.body.buffer as ArrayBuffer],
    );
  }

  /** Carries out a write of an engine. Returns the result of the write. */
  async sweep(sweep: BulkRequest): Promise<unknown> {
    const body = await this.#runningThread().run((id) => ({ id, sweep }), [], sweep.term);
    return JSON.parse(new TextDecoder().decode(body));
  }

  #runningThread(): Thread {
    if (this.#thread.stopped.aborted) throw new SvcError("daemon_stopping");
    return this.#thread.get();
  }

  /**
   * Ends the threads, which rolls back their open transactions. The daemon has already waited for them as long as for
   * any other request.
   */
  async stop(): Promise<void> {
    await this.#thread.stop();
  }
}

interface RunningWrite {
  /** Shows, after the worker has died, whether its write was committed. Set when the commit begins. */
  commits?: CommitProof;
  readonly wrote: (lastEventId: number | undefined) => void;
  /** `fault` says why it is not known whether the write was committed. */
  readonly failed: (fault: SvcError) => void;
}

interface WriteTask {
  readonly term: Term | undefined;
  resolve(body: Uint8Array): void;
  reject(error: unknown): void;
  /** Set while the worker writes: ends the pause of the daemon's writes. */
  writing?: RunningWrite | undefined;
  /** Settles when the worker's write has ended and the database files have been checked. */
  pause?: Promise<void>;
  hasWritten?: boolean;
}

class Thread extends WorkerThread<WriteTask, ToWorker, FromWorker> {
  readonly #store: WriteWorkerOptions["store"];

  constructor(begin: Begin, store: WriteWorkerOptions["store"]) {
    super(begin);
    this.#store = store;
  }

  async run(
    messageOf: (id: number) => ToWorker,
    moved: readonly ArrayBuffer[],
    term?: Term,
  ): Promise<Uint8Array> {
    const id = ++this.taskCount;
    return await new Promise((resolve, reject) => {
      this.tasks.set(id, { resolve, reject, term });
      this.tell(messageOf(id), moved);
    });
  }

  protected override take(message: FromWorker): void {
    const { id } = message;
    const task = this.tasks.get(id);
    if (task === undefined) return;
    if ("wants" in message && message.wants === "erasure") return void this.#erase(id);
    if ("wants" in message) {
      task.pause = this.#pauseWrites(id, task);
      task.pause.catch(() => undefined);
      return;
    }
    const { writing } = task;
    if ("commits" in message) {
      if (writing !== undefined) writing.commits = message.commits;
      return;
    }
    if ("wrote" in message) {
      task.writing = undefined;
      if (message.wrote === "unknown") return writing?.failed(outcomeUnknown(undefined));
      task.hasWritten ||= message.wrote !== null;
      return writing?.wrote(message.wrote ?? undefined);
    }
    this.tasks.delete(id);
    if ("body" in message) {
      const { body } = message;
      void (task.pause ?? Promise.resolve()).then(() => task.resolve(body), task.reject);
    } else task.reject(errorOf(message, task.term));
  }

  async #pauseWrites(id: number, task: WriteTask): Promise<void> {
    let begun = false;
    try {
      await this.#store.pauseWrites(
        async () =>
          await new Promise<number | undefined>((resolve, reject) => {
            if (this.over) return resolve(undefined);
            begun = true;
            task.writing = { wrote: resolve, failed: reject };
            this.tell({ id, pause: "granted" });
          }),
      );
    } catch (error) {
      if (begun) throw error;
      this.tell({
        id,
        pause: errorToMessage(error instanceof SvcError ? error : new SvcError("unavailable")),
      });
    }
  }

  /**
   * Erases purged data for the worker. The store of the daemon does it, because only this store can pause the daemon's
   * writes, and it allows one erasure at a time.
   */
  async #erase(id: number): Promise<void> {
    const erased = await this.#store.erase().catch(() => "held" as const);
    this.tell({ id, erased });
  }

  protected override lose(task: WriteTask, fault: unknown): void {
    void this.#endWrite(task).then(
      () =>
        task.reject(
          task.hasWritten === true ? withoutAnswer(fault) : threadFault(fault, TOO_LARGE),
        ),
      task.reject,
    );
  }

  /**
   * If a worker has died during its write, finds out whether the write was committed, and lets the daemon write again.
   * Throws `outcome_unknown` if that cannot be found out.
   */
  async #endWrite(task: WriteTask): Promise<void> {
    const { writing } = task;
    if (writing === undefined) return;
    try {
      const { commits } = writing;
      const isCommitted = commits !== undefined && (await this.#store.hasCommitted(commits));
      task.hasWritten ||= isCommitted;
      const readLastId = async () =>
        await this.#store.read(async ({ events }) => await events.lastId());
      writing.wrote(isCommitted ? await readLastId() : undefined);
    } catch (cause) {
      const fault = outcomeUnknown(cause);
      writing.failed(fault);
      throw fault;
    }
  }
}

function errorOf(message: WorkerError | { readonly termOver: true }, term: Term | undefined) {
  if (!("termOver" in message)) return messageToError(message);
  invariant(term !== undefined, "only a write of an engine has a term");
  return new TermOver(term);
}

const TOO_LARGE = {
  message: "the change needs more memory than the daemon has; nothing was changed",
  hint: "give the daemon a larger heap: svc daemon stop, then NODE_OPTIONS=--max-old-space-size=2048 svc daemon start",
};

/** The error for a change that was made by a thread which ended before it had answered. */
function withoutAnswer(cause: unknown): SvcError {
  return new SvcError(
    "outcome_unknown",
    {},
    {
      message: "the change was made, but its answer was lost: the thread that made it has ended",
      hint: "do not repeat it; look at what is there now: svc events, svc list",
      cause,
    },
  );
}
