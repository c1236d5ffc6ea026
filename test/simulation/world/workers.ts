import type { TransferListItem } from "node:worker_threads";
import type { Clock, RealTime } from "../../../src/base/clock.ts";
import type { Ids } from "../../../src/base/ids.ts";
import type { ReadRequest, ReadWorkerData } from "../../../src/daemon/read-worker/messages.ts";
import { ReadService } from "../../../src/daemon/read-worker/read-service.ts";
import type {
  RunningWorker,
  StartWorker,
  WorkerEvents,
} from "../../../src/daemon/threads/worker-thread.ts";
import type { ToWorker, WriteWorkerData } from "../../../src/daemon/write-worker/messages.ts";
import { WriteService } from "../../../src/daemon/write-worker/write-service.ts";
import type { Backend } from "../../../src/store/backend.ts";
import { openReading, openStoreAgain } from "../../../src/store/open.ts";
import type { Order } from "./order.ts";

/** The life of a daemon, as its workers see it. */
export interface Lived {
  readonly name: string;
  readonly order: Order;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly realTime: RealTime;
  /** Resolves when the daemon is dead. */
  readonly end: Promise<void>;
  /** The time of the server; undefined on SQLite. */
  readonly serverNow: (() => string) | undefined;
  /** Stands between the store of a worker and its database. */
  seams(backend: Backend, worker: SimulatedWorker): Backend;
}

/**
 * Starts the workers of a daemon in this process. They run the code of its threads, but their messages arrive in the
 * order that the world decides.
 */
export function workersOf(lived: Lived): StartWorker {
  return ({ name, data }, events) => {
    const worker = new SimulatedWorker(`${name} of ${lived.name}`, lived, events);
    if (name === "write-worker") worker.serve(writing(lived, worker, data as WriteWorkerData));
    else if (name === "read-worker") worker.serve(reading(lived, worker, data as ReadWorkerData));
    else worker.die(new Error("no daemon of a story has a provider of vectors"));
    return worker;
  };
}

function writing(lived: Lived, worker: SimulatedWorker, data: WriteWorkerData) {
  const { clock, ids, realTime } = lived;
  const open: typeof openStoreAgain = async (options) => {
    const between = (backend: Backend): Backend => lived.seams(backend, worker);
    return worker.keep(await openStoreAgain({ ...options, between, realTime }));
  };
  const service = new WriteService(data, { clock, ids, open }, worker.post);
  return (message: object) => service.take(message as ToWorker);
}

function reading(lived: Lived, worker: SimulatedWorker, data: ReadWorkerData) {
  const { clock, serverNow } = lived;
  const open: typeof openReading = async (place) => {
    const reading = worker.keep(await openReading(place, clock));
    return {
      read: async (work) => await reading.read(work),
      leaseNow: async () => serverNow?.() ?? clock.now(),
      close: async () => await worker.close(reading),
    };
  };
  const service = new ReadService(data, { clock, open }, worker.post);
  return (message: object) => service.take(message as ReadRequest);
}

interface Open {
  close(): Promise<void>;
}

/** One direction of the messages between a daemon and a worker. They arrive in the order in which they were sent. */
class Lane {
  readonly #arrives: () => Promise<unknown>;
  readonly #take: (message: object) => void;
  last: Promise<void> = Promise.resolve();

  constructor(arrives: () => Promise<unknown>, take: (message: object) => void) {
    this.#arrives = arrives;
    this.#take = take;
  }

  /** As between threads, the message is copied, and buffers in `moved` belong to the receiver. */
  send(message: object, moved: readonly TransferListItem[]): void {
    const sent: object = structuredClone(message, { transfer: [...moved] as ArrayBuffer[] });
    this.last = this.last.then(async () => {
      await this.#arrives();
      this.#take(sent);
    });
  }
}

/** A worker of a daemon. After it is ended, nothing that it has begun is committed. */
export class SimulatedWorker implements RunningWorker {
  readonly #events: WorkerEvents;
  readonly #open = new Set<Open>();
  readonly #toWorker: Lane;
  readonly #toDaemon: Lane;
  #take: (message: object) => void = () => undefined;
  #ending: Promise<void> | undefined;

  constructor(name: string, { order, end }: Lived, events: WorkerEvents) {
    const arrives = (who: string) => async () =>
      await Promise.race([order.ready(`${who} hears`), end]);
    this.#events = events;
    this.#toWorker = new Lane(arrives(name), (message) => {
      if (!this.isOver) this.#take(message);
    });
    this.#toDaemon = new Lane(arrives(`the daemon of ${name}`), (message) =>
      this.#events.message(message),
    );
  }

  get isOver(): boolean {
    return this.#ending !== undefined;
  }

  serve(take: (message: object) => void): void {
    this.#take = take;
  }

  /** Closes `opened` when the worker ends, unless it was closed before. */
  keep<T extends Open>(opened: T): T {
    this.#open.add(opened);
    if (this.isOver) void this.close(opened);
    return opened;
  }

  async close(opened: Open): Promise<void> {
    if (this.#open.delete(opened)) await opened.close();
  }

  readonly post = (message: object, moved: readonly ArrayBuffer[]): void => {
    if (!this.isOver) this.#toDaemon.send(message, moved);
  };

  postMessage(message: object, moved: readonly TransferListItem[]): void {
    this.#toWorker.send(message, moved);
  }

  /** Ends the worker because of an error. */
  die(error: unknown): void {
    this.#events.error(error);
    void this.terminate();
  }

  async terminate(): Promise<void> {
    this.#ending ??= this.#end();
    await this.#ending;
  }

  async #end(): Promise<void> {
    // What was sent before arrives before the daemon learns of the end.
    const sent = this.#toDaemon.last;
    await Promise.all([...this.#open].map(async (opened) => await this.close(opened)));
    await sent;
    this.#events.exit();
  }
}
