import type { Budget } from "../base/budget.ts";
import type { Clock, Instant } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { SvcError } from "../contract/errors.ts";
import type {
  AdminStore,
  RestoreOptions,
  RestoreRow,
  Snapshot,
  UpgradeResult,
} from "./admin-store.ts";
import type { Backend, CommitProof, WriteKind } from "./backend.ts";
import type { Dialect } from "./connection.ts";
import { type EndRecord, LogIdentity } from "./log/identity.ts";
import { Eraser } from "./purge/erase.ts";
import { Repositories } from "./reader.ts";
import { restore } from "./restore.ts";
import { snapshotOf } from "./snapshot.ts";
import { isRewriting, rewriteStep } from "./text/rewrite.ts";
import type { Election, Term } from "./types/elections.ts";
import type { Answering, EraseResult, Reader, Tx, WriteGuard } from "./types/store.ts";
import { Writer } from "./writer/writer.ts";

export interface DatabaseStoreOptions {
  readonly backend: Backend;
  readonly writeKind: WriteKind;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timezone: string;
  readonly instanceUid: string;
  readonly schemaVersion: number;
  readonly upgraded?: UpgradeResult | undefined;
  /** Where the end of the log is stored for the next start. */
  readonly endRecord?: EndRecord | undefined;
  readonly committing?: ((proof: CommitProof) => void) | undefined;
}

export class DatabaseStore implements AdminStore {
  readonly dialect: Dialect;
  readonly instanceUid: string;
  readonly schemaVersion: number;
  readonly upgraded: UpgradeResult | undefined;
  readonly #options: DatabaseStoreOptions;
  readonly #identity: LogIdentity;
  readonly #writer: Writer;
  readonly #eraser: Eraser;
  #closing: Promise<void> | undefined;
  readonly #listeners = new Set<(lastEventId: number) => void>();

  constructor(options: DatabaseStoreOptions) {
    this.#options = options;
    this.dialect = options.backend.dialect;
    this.instanceUid = options.instanceUid;
    this.schemaVersion = options.schemaVersion;
    this.upgraded = options.upgraded;
    this.#identity = new LogIdentity(options.endRecord);
    this.#writer = new Writer({
      ...options,
      identity: this.#identity,
      committed: (lastEventId) => this.#notify(lastEventId),
    });
    const { backend, clock } = options;
    const pauseWrites = async <T>(work: () => Promise<T>): Promise<T> =>
      await this.#writer.pauseWrites(work);
    this.#eraser = new Eraser({ backend, clock, pauseWrites });
  }

  async write<T>(work: (tx: Tx) => Promise<T>, guard?: WriteGuard): Promise<T> {
    return await this.#writer.write(work, guard);
  }

  async pauseWrites(work: () => Promise<number | undefined>): Promise<void> {
    const last = await this.#writer.pauseWrites(work, { isLent: true });
    if (last !== undefined) this.#notify(last);
  }

  async hasCommitted(proof: CommitProof): Promise<boolean> {
    return await this.#options.backend.hasCommitted(proof);
  }

  async read<T>(work: (reader: Reader) => Promise<T>, budget?: Budget): Promise<T> {
    const { backend } = this.#options;
    return await backend.read(
      async (connection) => await work(new Repositories(connection)),
      budget,
    );
  }

  async readOne<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const { backend } = this.#options;
    return await backend.readOne(async (connection) => await work(new Repositories(connection)));
  }

  onCommit(listener: (lastEventId: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Makes the store call its commit listeners for the commits of other daemons on the same database too. */
  async listen(): Promise<void> {
    await this.#options.backend.listen((lastEventId) => this.#notify(lastEventId));
  }

  #notify(lastEventId: number): void {
    for (const listener of this.#listeners) listener(lastEventId);
  }

  async elect(name: string): Promise<Term | undefined> {
    return await this.#options.backend.elections.elect(name);
  }

  async resign(name: string): Promise<void> {
    await this.#options.backend.elections.resign(name);
  }

  async answering(): Promise<Answering> {
    return await this.#options.backend.answering();
  }

  requireHeld(): void {
    this.#options.backend.requireHeld();
  }

  get lost(): Promise<SvcError> {
    return this.#options.backend.lost;
  }

  async erase(): Promise<EraseResult> {
    return await this.#eraser.erase();
  }

  async rewriteTexts(): Promise<boolean> {
    const { backend } = this.#options;
    if (!(await backend.read(isRewriting))) return false;
    return await this.#writer.pauseWrites(async () => {
      const connection = await backend.writer();
      await backend.begin(connection, "bulk");
      try {
        const isMore = await rewriteStep(connection);
        await backend.commit(connection, backend.proofFor(0));
        return isMore;
      } catch (error) {
        if (backend.inTransaction(connection)) await connection.execute("rollback", []);
        throw error;
      }
    });
  }

  async leaseNow(): Promise<Instant> {
    return (await this.#options.backend.serverNow()) ?? this.#options.clock.now();
  }

  elections(): readonly Election[] {
    return this.#options.backend.elections.seen();
  }

  async synced(): Promise<void> {
    await this.#options.backend.synced();
  }

  async openSnapshot(): Promise<Snapshot> {
    return await snapshotOf(await this.#options.backend.openSnapshot());
  }

  async restore(
    rows: AsyncIterable<RestoreRow>,
    options: RestoreOptions,
  ): Promise<{ readonly skippedLinks: number }> {
    const { backend, timezone } = this.#options;
    return await restore(backend, rows, options, timezone);
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    // Close both together: each refuses new work at once, and a running step of the eraser needs the writer to finish.
    await Promise.all([this.#eraser.close(), this.#writer.close()]);
    await this.#options.backend.close();
    this.#identity.close();
  }
}
