import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../base/clock.ts";
import { systemIds } from "../../base/ids.ts";
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
import { openStoreAgain } from "../../store/open.ts";
import type { Erased } from "../../store/types/store.ts";
import { asCaller } from "../requests/caller.ts";
import { type Incoming, incomingFromBytes } from "../requests/incoming.ts";
import { parserOf } from "../requests/parse.ts";
import { errorToMessage, messageToError, type WorkerError } from "../threads/worker-error.ts";
import type { FromWorker, ToWorker, WriteRequest, WriteWorkerData } from "./messages.ts";
import { WRITE_WORKER_OPS } from "./ops.ts";

/** The write worker. It carries out large writes with a store of its own on the daemon's database. */
const { database, settings } = workerData as WriteWorkerData;
const ids = systemIds();
const clock = systemClock;
let opened: Promise<AdminStore> | undefined;
/** The request whose write runs. There is one at a time, since the daemon pauses its writes for each. */
let writing = 0;

const pauses = new Map<number, (pause: "granted" | WorkerError) => void>();
const erasures = new Map<number, (erased: Erased) => void>();

parentPort?.on("message", (message: ToWorker) => {
  if ("request" in message)
    void answer(message.id, async (id) => await runRequest(id, message.request));
  else if ("sweep" in message)
    void answer(message.id, async (id) => await runSweep(id, message.sweep));
  else if ("pause" in message) pauses.get(message.id)?.(message.pause);
  else erasures.get(message.id)?.(message.erased);
});

async function storeOf(): Promise<AdminStore> {
  const committing = (commits: CommitProof): void => postToDaemon({ id: writing, commits });
  opened ??= openStoreAgain({ ...database, clock, ids, timezone: settings.timezone, committing });
  try {
    return await opened;
  } catch (error) {
    opened = undefined;
    throw error;
  }
}

async function answer(id: number, work: (id: number) => Promise<unknown>): Promise<void> {
  const outcome = await outcomeOf(id, work);
  postToDaemon(outcome, "body" in outcome ? [outcome.body.buffer as ArrayBuffer] : []);
}

async function outcomeOf(id: number, work: (id: number) => Promise<unknown>): Promise<FromWorker> {
  try {
    const output = await work(id);
    return { id, body: new TextEncoder().encode(JSON.stringify(output)) };
  } catch (error) {
    return error instanceof TermOver ? { id, termOver: true } : { id, ...errorToMessage(error) };
  }
}

/** Carries out the operation of a request. */
async function runRequest(id: number, task: WriteRequest): Promise<unknown> {
  const op = WRITE_WORKER_OPS.get(task.route);
  invariant(op !== undefined, `${task.route} can be carried out by the thread`);
  const parsed = await parserOf(op.route)(incomingOf(task), task.params);
  const input = asCaller(op.route, task.who, parsed);
  const store = await storeOf();
  const { who, fence } = task;
  const { store: gated, ...deps } = underLease({ store, clock, ids, settings }, who, fence);
  const pausing = pausingStore(id, store, gated);
  return await op.run({ ...deps, store: pausing }, who, input as never);
}

/** Carries out a write of an engine, for the term in which this daemon is elected to run the engine. */
async function runSweep(id: number, { write, input, term }: BulkRequest): Promise<unknown> {
  const store = await storeOf();
  const checked = term === undefined ? withGuard(store, {}) : underTerm(store, term);
  const deps = { store: pausingStore(id, store, checked), clock, ids, settings };
  return await runBulkWrite(write, deps, input);
}

function incomingOf({ url, headers, body }: WriteRequest): Incoming {
  return incomingFromBytes({ url, header: (name) => headers[name] }, body);
}

/** The store for the operation of one request. Each write first waits until the daemon has paused its own writes. */
function pausingStore(id: number, whole: Pick<AdminStore, "onCommit">, store: OpStore): OpStore {
  return {
    ...store,
    write: async (work) => {
      await pauseOf(id);
      writing = id;
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
        postToDaemon({ id, wrote });
      }
    },
    erase: async () => await erasureOf(id),
  };
}

async function erasureOf(id: number): Promise<Erased> {
  const erased = await new Promise<Erased>((resolve) => {
    erasures.set(id, resolve);
    postToDaemon({ id, wants: "erasure" });
  });
  erasures.delete(id);
  return erased;
}

async function pauseOf(id: number): Promise<void> {
  const pause = await new Promise<"granted" | WorkerError>((resolve) => {
    pauses.set(id, resolve);
    postToDaemon({ id, wants: "pause" });
  });
  pauses.delete(id);
  if (pause !== "granted") throw messageToError(pause);
}

function postToDaemon(message: FromWorker, moved: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}
