import type { Clock } from "../../base/clock.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Backend } from "../backend.ts";
import type { Connection } from "../connection.ts";
import type { Erasure } from "../erasure.ts";
import type { EraseResult } from "../types/store.ts";
import { readMeta, writeMeta } from "../upgrade/migrate.ts";

/**
 * The key in the table `meta` that exists while purged data is still in the database files. Its value is the event id
 * that the purge reserved.
 */
const PENDING_ERASURE = "erasure";

/** Runs inside the purge's transaction, so that a daemon that is killed resumes the erasure at its next start. */
export async function recordPendingErasure(connection: Connection, purge: number): Promise<void> {
  if (connection.dialect === "sqlite") await writeMeta(connection, PENDING_ERASURE, String(purge));
}

interface Options {
  readonly backend: Backend;
  readonly clock: Clock;
  readonly pauseWrites: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * How many times the daemon tries to empty the write-ahead log, which is impossible while a reader uses the log. After
 * the last try, the result of the erasure is `held`.
 */
const TRIES = 10;
/** The pause between two tries. */
const RETRY_MS = 100;

export class Eraser {
  readonly #options: Options;
  #running: Promise<EraseResult> | undefined;
  #following: Promise<EraseResult> | undefined;
  #closed = false;
  /**
   * The value of `PENDING_ERASURE` at the last rewrite of the file. While this value is unchanged, there was no further
   * purge, and only the write-ahead log is left to empty.
   */
  #rewritten: string | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Erases the data of every purge that was committed before the call. A pass that is already running may have begun
   * before the purge, so another pass follows it.
   */
  async erase(): Promise<EraseResult> {
    if (this.#running === undefined) return await this.#start();
    this.#following ??= this.#running
      .catch(() => undefined)
      .then(async () => {
        this.#following = undefined;
        return await this.#start();
      });
    return await this.#following;
  }

  /**
   * Closes the eraser: after the running step, no further step of an erasure begins. The daemon finishes the erasure
   * after its next start.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running?.catch(() => undefined);
  }

  async #start(): Promise<EraseResult> {
    this.#running = this.#runPass();
    try {
      return await this.#running;
    } finally {
      this.#running = undefined;
    }
  }

  async #runPass(): Promise<EraseResult> {
    const { backend } = this.#options;
    const { erasure } = backend;
    if (erasure === undefined) return "unsupported";
    for (;;) {
      this.#requireOpen();
      const pending = await backend.read(
        async (connection) => await readMeta(connection, PENDING_ERASURE),
      );
      if (pending === undefined) return "erased";
      if (this.#rewritten !== pending) {
        let isFirst = true;
        while (await this.#runStep(async () => erasure.mergeTexts(isFirst))) isFirst = false;
        await this.#runStep(async () => await erasure.rewrite());
        this.#rewritten = pending;
      }
      if (!(await this.#emptyLog(erasure))) return "held";
      await this.#runStep(async () => await markErased(await backend.writer(), pending));
    }
  }

  async #emptyLog(erasure: Erasure): Promise<boolean> {
    for (let tried = 1; ; tried++) {
      if (await this.#runStep(async () => erasure.emptyLog())) return true;
      if (tried === TRIES) return false;
      await this.#options.clock.sleep(RETRY_MS);
    }
  }

  async #runStep<T>(work: () => Promise<T>): Promise<T> {
    this.#requireOpen();
    return await this.#options.pauseWrites(work);
  }

  #requireOpen(): void {
    if (this.#closed) throw new SvcError("unavailable", { reason: "closing" });
  }
}

/** Deletes the key `PENDING_ERASURE`, unless another purge has changed its value since it was read. */
async function markErased(connection: Connection, pending: string): Promise<void> {
  await connection.execute("delete from meta where key = ? and value = ?", [
    PENDING_ERASURE,
    pending,
  ]);
}
