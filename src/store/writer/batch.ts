import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { invariant } from "../../base/invariant.ts";
import type { Appending } from "../append.ts";
import type { Backend, CommitProof, WriteKind } from "../backend.ts";
import { type Connection, together } from "../connection.ts";
import { outcomeUnknown } from "../errors.ts";
import { Loaded } from "../load/loaded.ts";
import { readHeadForWrite, writeHead } from "../log/head.ts";
import type { LogIdentity } from "../log/identity.ts";
import { ProjectClocks } from "../log/project-clocks.ts";
import { WriteBehind } from "../rows/write-behind.ts";
import { PendingTexts } from "../text/pending.ts";
import { writeTexts } from "../text/write.ts";
import type { Tx, WriteGuard } from "../types/store.ts";
import { Copies } from "./copies.ts";
import { Transaction } from "./transaction.ts";

export interface BatchOptions {
  readonly backend: Backend;
  readonly writeKind: WriteKind;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly instanceUid: string;
  readonly timezone: string;
  readonly identity: LogIdentity;
  /** Called right before each commit. */
  readonly committing?: ((proof: CommitProof) => void) | undefined;
}

/** One write of a batch. Its guard can refuse it inside the transaction. */
export interface Work {
  readonly work: (tx: Tx) => Promise<unknown>;
  readonly guard: WriteGuard | undefined;
}

export type Outcome =
  | { readonly value: unknown }
  | {
      readonly error: unknown;
      /** Set if the write may have failed because of what an earlier write of its batch had changed. */
      readonly afterChanges?: boolean;
    };

export interface BatchResult {
  readonly outcomes: readonly Outcome[];
  /** False if no write changed anything, so that the transaction was rolled back, or if the commit failed. */
  readonly isCommitted: boolean;
  readonly lastEventId: number | undefined;
}

/** One transaction that carries out several writes, so that one commit acknowledges all of them. */
export class Batch {
  readonly #options: BatchOptions;
  /**
   * The session that `#connection` wraps. The transaction begins and is rolled back on this session, which writes rows
   * at once instead of deferring them.
   */
  readonly #session: Connection;
  readonly #connection: WriteBehind;
  readonly #texts = new PendingTexts();
  readonly #appending: Appending;
  /** The last event id before this transaction. */
  readonly #lastIdBefore: number;

  static async begin(options: BatchOptions): Promise<Batch> {
    const connection = await options.backend.writer();
    await options.backend.begin(connection, options.writeKind);
    try {
      const found = await readHeadForWrite.one(connection, {});
      invariant(found !== undefined, "log_head has its row");
      const { has_copies, has_roots, has_waiting_links, has_clocks, ...head } = found;
      const known = await options.identity.checked(connection, head);
      const copies = new Copies(has_copies);
      const clocks = new ProjectClocks(has_clocks);
      const loaded = new Loaded(has_waiting_links);
      if (!has_copies) loaded.hubs = new Map();
      const begun = { head: known, copies, clocks, loaded, hasRoots: has_roots };
      return new Batch(options, connection, begun, known.epoch !== head.epoch);
    } catch (error) {
      await rollback(options.backend, connection);
      throw error;
    }
  }

  private constructor(
    options: BatchOptions,
    session: Connection,
    begun: Pick<Appending, "head" | "copies" | "clocks" | "loaded" | "hasRoots">,
    hasNewEpoch: boolean,
  ) {
    const { instanceUid, ids, timezone } = options;
    const connection = new WriteBehind(session);
    this.#options = options;
    this.#session = session;
    this.#connection = connection;
    this.#lastIdBefore = begun.head.last_event_id;
    this.#appending = {
      ...begun,
      connection,
      timezone,
      texts: this.#texts,
      instanceUid,
      ids,
      changedUnfolded: hasNewEpoch,
    };
  }

  /**
   * Carries out the writes and commits them together. If the first write fails, rolls back the transaction and throws.
   * If a later write fails, only this write is undone, unless its failure has ended the whole transaction. If the
   * commit fails, its error is the outcome of each write, except of writes that had failed before anything was changed.
   */
  async run(works: Iterable<Work>): Promise<BatchResult> {
    const outcomes = await this.#orUndo(async () => await this.#carryOutAll(works));
    const last = this.#appending.head.last_event_id;
    if (last === this.#lastIdBefore && !this.#appending.changedUnfolded) {
      await rollback(this.#options.backend, this.#session);
      return { outcomes, isCommitted: false, lastEventId: undefined };
    }
    try {
      await this.#orUndo(async () => await this.#commit(last));
    } catch (error) {
      return {
        outcomes: failedOutcomes(outcomes, error),
        isCommitted: false,
        lastEventId: undefined,
      };
    }
    const lastEventId = last === this.#lastIdBefore ? undefined : last;
    try {
      this.#options.backend.requireHeld();
    } catch (fault) {
      const unknown = outcomeUnknown(fault);
      return { outcomes: failedOutcomes(outcomes, unknown), isCommitted: true, lastEventId };
    }
    return { outcomes, isCommitted: true, lastEventId };
  }

  async #orUndo<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      await this.#connection.discard();
      await rollback(this.#options.backend, this.#session);
      throw error;
    }
  }

  async #carryOutAll(works: Iterable<Work>): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const work of works)
      outcomes.push(
        outcomes.length === 0 ? await this.#runFirst(work) : await this.#inSavepoint(work),
      );
    return outcomes;
  }

  async #commit(last: number): Promise<void> {
    const { backend } = this.#options;
    const { loaded } = this.#appending;
    await writeTexts(this.#connection, this.#texts.uids(), (uid) =>
      this.#texts.newText(uid, loaded),
    );
    await writeHead.run(this.#connection, this.#appending.head);
    if (last !== this.#lastIdBefore) await backend.announce(this.#connection, last);
    const proof = backend.proofFor(this.#lastIdBefore);
    this.#options.committing?.(proof);
    await backend.commit(this.#session, proof);
    this.#options.identity.committed(this.#session, this.#appending.head);
  }

  /**
   * Carries out the first write and then its deferred row writes, so that a fault in them is reported for this write.
   */
  async #runFirst(work: Work): Promise<Outcome> {
    const value = await this.#carryOut(work);
    await this.#connection.writeHeld();
    return { value };
  }

  async #carryOut({ work, guard }: Work): Promise<unknown> {
    const tx = new Transaction(this.#options, this.#appending, this.#texts, guard);
    try {
      const value = await tx.run(work);
      await tx.end();
      return value;
    } catch (error) {
      await tx.end().catch(() => undefined);
      throw error;
    }
  }

  /** Carries out a later write in a savepoint, so that its failure does not undo the writes before it. */
  async #inSavepoint(work: Work): Promise<Outcome> {
    const { head, changedUnfolded } = this.#appending;
    const afterChanges = changedUnfolded || head.last_event_id !== this.#lastIdBefore;
    this.#texts.mark();
    try {
      let value: unknown;
      await together(this.#connection, [
        async () => await this.#connection.execute("savepoint work", []),
        async () => {
          value = await this.#carryOut(work);
        },
      ]);
      await this.#connection.execute("release work", []);
      return { value };
    } catch (error) {
      // Some faults, such as a full disk, end the whole transaction; then there is no savepoint to return to.
      if (!this.#options.backend.inTransaction(this.#session)) throw error;
      await this.#connection.discard();
      await this.#connection.execute("rollback to work", []);
      await this.#connection.execute("release work", []);
      this.#appending.head = head;
      this.#appending.changedUnfolded = changedUnfolded;
      this.#appending.loaded.clear();
      this.#appending.copies.forget();
      this.#appending.clocks.forget();
      this.#texts.undo();
      return { error, afterChanges };
    }
  }
}

/**
 * The outcomes after a commit that failed, or whose outcome is unknown. A write that was refused before anything was
 * changed keeps its own error. A write that was refused later may have been refused because of a change that was not
 * made after all, such as a new lease. Its own error would then be wrong, so it gets the error of the commit.
 */
function failedOutcomes(outcomes: readonly Outcome[], error: unknown): readonly Outcome[] {
  return outcomes.map((outcome) =>
    "error" in outcome && outcome.afterChanges !== true ? outcome : { error },
  );
}

async function rollback(backend: Backend, connection: Connection): Promise<void> {
  if (!backend.inTransaction(connection)) return;
  try {
    await connection.execute("rollback", []);
  } catch {
    // Ignore this fault, since the caller reports the original one.
  }
}
