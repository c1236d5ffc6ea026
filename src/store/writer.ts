import { type Clock, type Instant, msToInstant, systemClock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import { invariant } from "../base/invariant.ts";
import { SvcError } from "../contract/errors.ts";
import { type Appending, append, readHead, writeHead } from "./append.ts";
import { loadAttached } from "./attached.ts";
import type { Backend } from "./backend.ts";
import { isBusy, RETRY_MS } from "./begin.ts";
import { type Connection, together } from "./connection.ts";
import { load } from "./load.ts";
import { Loaded } from "./loaded.ts";
import { purgeIssue, purgeProject } from "./purge.ts";
import { reader } from "./reader.ts";
import { PendingTexts } from "./text/pending.ts";
import { writeTexts } from "./text/write.ts";
import type { Reader, Tx } from "./types.ts";
import { WriteBehind } from "./write-behind.ts";
import { WriteQueue } from "./write-queue.ts";

/** Works that share one commit. */
const BATCH = 64;

/** On SQLite a batch holds the event loop, so no work begins in one that has taken so long. */
const BATCH_MS = 10;

export interface WriterOptions {
  readonly backend: Backend;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly instanceUid: string;
  readonly timezone: string;
  /** Called after a commit that added events, with the last one's id. */
  readonly committed: (lastEventId: number) => void;
}

interface Waiting {
  readonly work: (tx: Tx) => Promise<unknown>;
  readonly settle: (outcome: Outcome) => void;
  refuse(error: Error): void;
}

/** A turn in which another connection writes. */
interface Turn {
  readonly turn: () => Promise<void>;
  refuse(error: Error): void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/**
 * Group commit: the works that wait together share one transaction and one fsync, each in a savepoint of its own, so
 * that one that fails does not sink the others. A batch begins in the check phase of the event loop, after all
 * requests of one poll have been read. Nobody hears of a work before its commit.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #queue: WriteQueue<Waiting | Turn>;
  #running: Promise<void> | undefined;
  /** Whether a write may be kept waiting by what is under way. */
  #occupied = false;
  #closed = false;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#queue = new WriteQueue(options.clock);
  }

  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome): void =>
        "error" in outcome ? reject(outcome.error) : resolve(outcome.value as T);
      this.#push({ work, settle, refuse: reject });
    });
  }

  /**
   * Runs `turn` while no write of this store is under way, and keeps those that come waiting until it has ended. The
   * files are looked at before and after it, as for each write.
   */
  async hold<T>(turn: () => Promise<T>): Promise<T> {
    const { backend } = this.#options;
    const kept = async (): Promise<T> => {
      backend.requireHeld();
      const value = await turn();
      backend.requireHeld();
      return value;
    };
    return await new Promise<T>((resolve, reject) => {
      const run = async (): Promise<void> => await kept().then(resolve, reject);
      this.#push({ turn: run, refuse: reject });
    });
  }

  #push(entry: Waiting | Turn): void {
    if (this.#closed) {
      const message = "the store is closing";
      return entry.refuse(new SvcError("unavailable", { reason: "closing" }, { message }));
    }
    this.#queue.push(entry);
    if (this.#occupied) this.#queue.count();
    this.#running ??= this.#run();
  }

  /** Works that wait are still done; new ones are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#queue.isEmpty) {
      await new Promise<void>((next) => setImmediate(next));
      this.#occupied = true;
      const { first } = this.#queue;
      if (first !== undefined && "turn" in first) await this.#turn();
      else await this.#flush();
      this.#occupied = false;
      if (!this.#queue.isEmpty) this.#queue.count();
    }
    this.#queue.stopCounting();
    this.#running = undefined;
  }

  async #turn(): Promise<void> {
    const entry = this.#queue.take();
    this.#queue.count();
    if (entry !== undefined && "turn" in entry) await entry.turn();
  }

  async #flush(): Promise<void> {
    const works: Waiting[] = [];
    let outcomes: readonly Outcome[];
    let committed: number | undefined;
    try {
      const batch = await this.#begin();
      ({ outcomes, committed } = await batch.run(this.#works(works)));
      this.#options.backend.requireHeld();
    } catch (error) {
      // Whatever kept one write from beginning keeps those behind it too.
      if (works.length === 0) works.push(...this.#works([]));
      outcomes = works.map(() => ({ error }));
    }
    works.forEach(({ settle }, at) =>
      settle(outcomes[at] ?? { error: new Error("a work without an outcome") }),
    );
    if (committed !== undefined) this.#options.committed(committed);
  }

  /** Another program may hold the lock for as long as it likes: who waits here is told so in time. */
  async #begin(): Promise<Batch> {
    const { backend } = this.#options;
    if (backend.dialect === "postgres") this.#queue.count();
    for (;;) {
      try {
        return await Batch.begin(this.#options);
      } catch (error) {
        if (!isBusy(error) || this.#queue.isEmpty) throw error;
      }
      this.#queue.count();
      // Real time: a test's clock stands still while another process holds the lock.
      await systemClock.sleep(RETRY_MS);
    }
  }

  /** What one transaction carries out: each is taken when its turn comes, and is in `taken` from then on. */
  *#works(taken: Waiting[]): Generator<Waiting> {
    const { backend, clock } = this.#options;
    const begun = clock.nowMs();
    while (taken.length < BATCH) {
      const { first } = this.#queue;
      if (first === undefined || "turn" in first) return;
      if (backend.dialect === "sqlite" && clock.nowMs() - begun >= BATCH_MS) return;
      this.#queue.take();
      taken.push(first);
      yield first;
    }
  }
}

/** One transaction. */
class Batch {
  readonly #options: WriterOptions;
  /** The session itself: it begins and ends the transaction. */
  readonly #session: Connection;
  readonly #connection: WriteBehind;
  readonly #texts = new PendingTexts();
  readonly #appending: Appending;
  readonly #reader: Reader;
  readonly #first: number;

  static async begin(options: WriterOptions): Promise<Batch> {
    const connection = await options.backend.writer();
    await options.backend.begin(connection);
    try {
      const head = await readHead.one(connection, {});
      invariant(head !== undefined, "log_head has its row");
      return new Batch(options, connection, head);
    } catch (error) {
      await rollback(options.backend, connection);
      throw error;
    }
  }

  private constructor(options: WriterOptions, session: Connection, head: Appending["head"]) {
    const { instanceUid, ids, timezone } = options;
    const connection = new WriteBehind(session);
    this.#options = options;
    this.#session = session;
    this.#connection = connection;
    this.#first = head.last_event_id;
    const loaded = new Loaded();
    this.#appending = { connection, loaded, timezone, texts: this.#texts, head, instanceUid, ids };
    this.#reader = reader(connection, { texts: this.#texts, loaded });
  }

  async run(
    works: Iterable<Waiting>,
  ): Promise<{ outcomes: readonly Outcome[]; committed: number | undefined }> {
    const { backend } = this.#options;
    try {
      const outcomes: Outcome[] = [];
      for (const { work } of works) outcomes.push(await this.#one(work));
      const last = this.#appending.head.last_event_id;
      if (last === this.#first) {
        await rollback(backend, this.#session);
        return { outcomes, committed: undefined };
      }
      await writeTexts(this.#connection, this.#texts.uids());
      await writeHead.run(this.#connection, this.#appending.head);
      await backend.announce(this.#connection, last);
      await this.#connection.execute("commit", []);
      return { outcomes, committed: last };
    } catch (error) {
      await rollback(backend, this.#session);
      throw error;
    }
  }

  async #one(work: Waiting["work"]): Promise<Outcome> {
    const { head } = this.#appending;
    this.#texts.mark();
    const tx = new Transaction(this.#options, this.#appending, this.#reader);
    try {
      let value: unknown;
      await together(this.#connection, [
        async () => await this.#connection.execute("savepoint work", []),
        async () => {
          value = await work(tx.tx);
        },
      ]);
      await tx.end();
      await this.#connection.execute("release work", []);
      return { value };
    } catch (error) {
      // Some faults, as a full disk, end the whole transaction: then nothing of the batch is left to save.
      if (!this.#options.backend.inTransaction(this.#session)) throw error;
      await tx.end().catch(() => undefined);
      await this.#connection.discard();
      await this.#connection.execute("rollback to work", []);
      await this.#connection.execute("release work", []);
      this.#appending.head = head;
      this.#appending.loaded.clear();
      this.#texts.undo();
      return { error };
    }
  }
}

/** What one work is given. It ends with the work: a work that kept it must not write into the next one. */
class Transaction {
  readonly tx: Tx;
  #last: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor({ backend, clock }: WriterOptions, appending: Appending, within: Reader) {
    const nowMs = clock.nowMs();
    let leaseNow: Instant | undefined;
    this.tx = {
      ...within,
      now: msToInstant(nowMs),
      preload: async (touches) =>
        await this.#inTurn(async () => await load(appending.connection, appending.loaded, touches)),
      preloadAttached: async (uids) =>
        await this.#inTurn(
          async () => await loadAttached(appending.connection, appending.loaded, uids),
        ),
      lease: async (uid) =>
        await this.#inTurn(async () => {
          await load(appending.connection, appending.loaded, { leases: [uid] });
          return appending.loaded.lease(uid);
        }),
      append: async (draft) =>
        await this.#inTurn(async () => await append(appending, draft, nowMs)),
      leaseNow: async () => {
        leaseNow ??= (await backend.serverNow(appending.connection)) ?? msToInstant(nowMs);
        return leaseNow;
      },
      holdsTerm: async (term) => await backend.holdsTerm(appending.connection, term),
      purgeIssue: async (issue, by) =>
        await this.#inTurn(async () => await purgeIssue(appending, issue, by, nowMs)),
      purgeProject: async (project, by) =>
        await this.#inTurn(async () => await purgeProject(appending, project, by, nowMs)),
    };
  }

  async #inTurn<T>(change: () => Promise<T>): Promise<T> {
    invariant(!this.#ended, "a write awaits each of its appends");
    const before = this.#last;
    const changed = (async () => {
      await before;
      return await change();
    })();
    this.#last = changed;
    return await changed;
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#last;
  }
}

async function rollback(backend: Backend, connection: Connection): Promise<void> {
  if (!backend.inTransaction(connection)) return;
  try {
    await connection.execute("rollback", []);
  } catch {
    // The fault that led here is the one to report; a session in this state is opened anew or dies with the process.
  }
}
