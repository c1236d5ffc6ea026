import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { invariant } from "../../base/invariant.ts";
import type { BulkRequest } from "../../engines/bulk-write.ts";
import { runBulkWrite } from "../../engines/bulk-writes.ts";
import type { OpStore } from "../../ops/deps.ts";
import { withGuard } from "../../ops/guarded.ts";
import { underLease } from "../../ops/leases/gate.ts";
import { TermOver, underTerm } from "../../ops/term.ts";
import type { AdminStore } from "../../store/admin-store.ts";
import type { CommitProof } from "../../store/backend.ts";
import { isOutcomeUnknown } from "../../store/errors.ts";
import type { openStoreAgain } from "../../store/open.ts";
import type { EraseResult } from "../../store/types/store.ts";
import { asCaller } from "../requests/caller.ts";
import { type Incoming, incomingFromBytes } from "../requests/incoming.ts";
import { parserOf } from "../requests/parse.ts";
import { errorToMessage, messageToError, type WorkerError } from "../threads/worker-error.ts";
import type { FromWorker, ToWorker, WriteRequest, WriteWorkerData } from "./messages.ts";
import { writeWorkerOp } from "./ops.ts";

export interface WriteServiceDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Opens the store of the worker. */
  readonly open: typeof openStoreAgain;
}

/** Sends a message to the daemon. The buffers in `moved` then belong to the daemon. */
export type PostWritten = (message: FromWorker, moved: readonly ArrayBuffer[]) => void;

/** The write worker. It carries out large writes with a store of its own on the daemon's database. */
export class WriteService {
  readonly #data: WriteWorkerData;
  readonly #deps: WriteServiceDeps;
  readonly #post: PostWritten;
  #opened: Promise<AdminStore> | undefined;
  /**
   * The id of the request whose write is running. Writes run one at a time, since each makes the daemon pause its own.
   */
  #writing = 0;
  readonly #pauses = new Map<number, (pause: "granted" | WorkerError) => void>();
  readonly #erasures = new Map<number, (erased: EraseResult) => void>();

  constructor(data: WriteWorkerData, deps: WriteServiceDeps, post: PostWritten) {
    this.#data = data;
    this.#deps = deps;
    this.#post = post;
  }

  take(message: ToWorker): void {
    if ("request" in message)
      void this.#answer(message.id, async (id) => await this.#runRequest(id, message.request));
    else if ("sweep" in message)
      void this.#answer(message.id, async (id) => await this.#runSweep(id, message.sweep));
    else if ("pause" in message) this.#pauses.get(message.id)?.(message.pause);
    else this.#erasures.get(message.id)?.(message.erased);
  }

  async #store(): Promise<AdminStore> {
    const { database, settings } = this.#data;
    const { clock, ids, open } = this.#deps;
    const committing = (commits: CommitProof): void => this.#tell({ id: this.#writing, commits });
    this.#opened ??= open({ ...database, clock, ids, timezone: settings.timezone, committing });
    try {
      return await this.#opened;
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  async #answer(id: number, work: (id: number) => Promise<unknown>): Promise<void> {
    const outcome = await outcomeOf(id, work);
    this.#tell(outcome, "body" in outcome ? [outcome.body.buffer as ArrayBuffer] : []);
  }

  /** Carries out the operation of a request. */
  async #runRequest(id: number, task: WriteRequest): Promise<unknown> {
    const op = writeWorkerOp(task.route);
    invariant(op !== undefined, `${task.route} can be carried out by the worker`);
    const parsed = await parserOf(op.route)(incomingOf(task), task.params);
    const input = asCaller(op.route, task.who, parsed);
    const store = await this.#store();
    const { who, fence } = task;
    const { clock, ids } = this.#deps;
    const whole = { store, clock, ids, settings: this.#data.settings };
    const { store: gated, ...deps } = underLease(whole, who, fence);
    return await op.run({ ...deps, store: this.#pausing(id, store, gated) }, who, input as never);
  }

  /** Carries out a write of an engine, for the term in which this daemon is elected to run the engine. */
  async #runSweep(id: number, { write, input, term }: BulkRequest): Promise<unknown> {
    const store = await this.#store();
    const { clock, ids } = this.#deps;
    const checked = term === undefined ? withGuard(store, {}) : underTerm(store, term);
    const pausing = this.#pausing(id, store, checked);
    const deps = { store: pausing, clock, ids, settings: this.#data.settings };
    return await runBulkWrite(write, deps, input);
  }

  /** The store for the operation of one request. Each write first waits until the daemon has paused its own writes. */
  #pausing(id: number, whole: Pick<AdminStore, "onCommit">, store: OpStore): OpStore {
    return {
      ...store,
      write: async (work) => {
        await this.#pause(id);
        this.#writing = id;
        let wrote: number | null | "unknown" = null;
        const end = whole.onCommit((lastEventId) => {
          wrote = lastEventId;
        });
        try {
          return await store.write(work);
        } catch (error) {
          if (isOutcomeUnknown(error)) wrote = "unknown";
          throw error;
        } finally {
          end();
          this.#tell({ id, wrote });
        }
      },
      erase: async () => await this.#erase(id),
    };
  }

  async #erase(id: number): Promise<EraseResult> {
    const erased = await new Promise<EraseResult>((resolve) => {
      this.#erasures.set(id, resolve);
      this.#tell({ id, wants: "erasure" });
    });
    this.#erasures.delete(id);
    return erased;
  }

  async #pause(id: number): Promise<void> {
    const pause = await new Promise<"granted" | WorkerError>((resolve) => {
      this.#pauses.set(id, resolve);
      this.#tell({ id, wants: "pause" });
    });
    this.#pauses.delete(id);
    if (pause !== "granted") throw messageToError(pause);
  }

  #tell(message: FromWorker, moved: readonly ArrayBuffer[] = []): void {
    this.#post(message, moved);
  }
}

async function outcomeOf(id: number, work: (id: number) => Promise<unknown>): Promise<FromWorker> {
  try {
    const output = await work(id);
    return { id, body: new TextEncoder().encode(JSON.stringify(output)) };
  } catch (error) {
    return error instanceof TermOver ? { id, termOver: true } : { id, ...errorToMessage(error) };
  }
}

function incomingOf({ url, headers, body }: WriteRequest): Incoming {
  return incomingFromBytes({ url, header: (name) => headers[name] }, body);
}
