import { type Clock, msToInstant } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import { invariant } from "../base/invariant.ts";
import { SvcError } from "../contract/errors.ts";
import { type Appending, append, readHead, writeHead } from "./append.ts";
import type { Backend } from "./backend.ts";
import { type Connection, together } from "./connection.ts";
import { Loaded } from "./loaded.ts";
import { purgeIssue, purgeProject } from "./purge.ts";
import { reader } from "./reader.ts";
import { PendingTexts } from "./text/pending.ts";
import { writeTexts } from "./text/write.ts";
import type { Reader, Tx } from "./types.ts";

/** Works that share one commit. */
const BATCH = 64;

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
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/**
 * Group commit: the works that wait together share one transaction and one fsync, each in a savepoint of its own, so
 * that one that fails does not sink the others. A batch begins in the check phase of the event loop, after all
 * requests of one poll have been read. Nobody hears of a work before its commit.
 */
export class Writer {
  readonly #options: WriterOptions;
  #queue: Waiting[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#closed)
      throw new SvcError("unavailable", { reason: "closing" }, { message: "the store is closing" });
    return await new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome): void =>
        "error" in outcome ? reject(outcome.error) : resolve(outcome.value as T);
      this.#queue.push({ work, settle });
      this.#running ??= this.#run();
    });
  }

  /** Works that wait are still done; new ones are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await new Promise<void>((next) => setImmediate(next));
      await this.#flush(this.#queue.splice(0, BATCH));
    }
    this.#running = undefined;
  }

  async #flush(works: readonly Waiting[]): Promise<void> {
    let outcomes: readonly Outcome[];
    let committed: number | undefined;
    try {
      const batch = await Batch.begin(this.#options);
      ({ outcomes, committed } = await batch.run(works));
    } catch (error) {
      outcomes = works.map(() => ({ error }));
    }
    works.forEach(({ settle }, at) =>
      settle(outcomes[at] ?? { error: new Error("a work without an outcome") }),
    );
    if (committed !== undefined) this.#options.committed(committed);
  }
}

/** One transaction. */
class Batch {
  readonly #options: WriterOptions;
  readonly #connection: Connection;
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

  private constructor(options: WriterOptions, connection: Connection, head: Appending["head"]) {
    const { instanceUid, ids, timezone } = options;
    this.#options = options;
    this.#connection = connection;
    this.#first = head.last_event_id;
    const loaded = new Loaded();
    this.#appending = { connection, loaded, timezone, texts: this.#texts, head, instanceUid, ids };
    this.#reader = reader(connection, { texts: this.#texts, loaded });
  }

  async run(
    works: readonly Waiting[],
  ): Promise<{ outcomes: readonly Outcome[]; committed: number | undefined }> {
    const { backend } = this.#options;
    try {
      const outcomes: Outcome[] = [];
      for (const { work } of works) outcomes.push(await this.#one(work));
      const last = this.#appending.head.last_event_id;
      if (last === this.#first) {
        await rollback(backend, this.#connection);
        return { outcomes, committed: undefined };
      }
      await writeTexts(this.#connection, this.#texts.uids());
      await writeHead.run(this.#connection, this.#appending.head);
      await backend.announce(this.#connection, last);
      await this.#connection.execute("commit", []);
      return { outcomes, committed: last };
    } catch (error) {
      await rollback(backend, this.#connection);
      throw error;
    }
  }

  async #one(work: Waiting["work"]): Promise<Outcome> {
    const { head } = this.#appending;
    this.#texts.mark();
    const tx = new Transaction(this.#appending, this.#reader, this.#options.clock.nowMs());
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
      if (!this.#options.backend.inTransaction(this.#connection)) throw error;
      await tx.end().catch(() => undefined);
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

  constructor(appending: Appending, within: Reader, nowMs: number) {
    this.tx = {
      ...within,
      now: msToInstant(nowMs),
      append: async (draft) =>
        await this.#inTurn(async () => await append(appending, draft, nowMs)),
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
