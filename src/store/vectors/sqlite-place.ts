import { lstatSync } from "node:fs";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Connection } from "../connection.ts";
import { isDamaged, translated } from "../errors.ts";
import { Checkpoints } from "../sqlite/checkpoints.ts";
import { SqliteErasure } from "../sqlite/erasure.ts";
import {
  type OpenFile,
  type Owner,
  openAfterMove,
  openVectorsFile,
  removeVectorsFile,
} from "./open-file.ts";
import * as statements from "./statements.ts";
import type { VectorPlace } from "./vector-place.ts";

export interface FileOptions {
  readonly path: string;
  readonly owner: Owner;
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Pick<Log, "warn">;
  /** Called when the file was begun anew while it was in use, so that readers of the old one open it again. */
  readonly onReplaced: () => void;
}

/** Set while older copies of rows that must be erased may be in the file (`erase`). */
const ERASE = "erase";

const EMPTY_ATTEMPTS = 10;
const EMPTY_RETRY_MS = 100;

interface Opened extends OpenFile {
  readonly checkpoints: Checkpoints;
  readonly erasure: SqliteErasure;
  /** Identifies the file at the path, to notice when another file is there. */
  readonly inode: bigint;
}

/** The file of SQLite with the vectors. It is opened at the first use. */
export class SqlitePlace implements VectorPlace {
  readonly dialect = "sqlite";
  readonly #options: FileOptions;
  #file: Opened | undefined;
  /** True if the file was in use before, so that opening it again may mean another file. */
  #wasOpen = false;
  #writingBack: Promise<void> | undefined;

  constructor(options: FileOptions) {
    this.#options = options;
  }

  get scoring(): { readonly sqlite: string } {
    return { sqlite: this.#options.path };
  }

  async run<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await work((await this.#opened()).connection);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      await this.#replaceDamaged();
      return await work((await this.#opened()).connection);
    }
  }

  async write<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    // The end of a checkpoint blocks writes, so wait for it.
    await this.#writingBack;
    const value = await this.run(async (connection) => await inTransaction(connection, work));
    // Nobody may wait for it. What makes it fail also fails the next read or write.
    this.#writingBack = this.#file?.checkpoints.writeBack().catch(() => undefined);
    return value;
  }

  async lockCurrent<T>(_connection: Connection, issues: readonly T[]): Promise<readonly T[]> {
    return await Promise.resolve(issues);
  }

  /** The daemon's lock excludes other daemons. */
  async requireTerm(): Promise<void> {}

  /** `secure_delete` overwrites removed rows in the log of SQLite; emptying it overwrites them in the file. */
  async removed(): Promise<void> {
    await this.#emptied();
  }

  async markForErasure(connection: Connection): Promise<void> {
    await statements.putMeta.run(connection, { key: ERASE, value: "1" });
  }

  /** Returns false if the log could not be emptied, because another connection reads from it. */
  async #emptied(): Promise<boolean> {
    // The thread does the work of a long checkpoint, so that emptying the log takes a moment only.
    await this.#file?.checkpoints.writeAll();
    for (let attempt = 0; attempt < EMPTY_ATTEMPTS; attempt++) {
      if (this.#emptyLog()) return true;
      await this.#options.clock.sleep(EMPTY_RETRY_MS);
    }
    return false;
  }

  #emptyLog(): boolean {
    try {
      return this.#file?.erasure.emptyLog() !== false;
    } catch (error) {
      throw translated(error);
    }
  }

  /**
   * Writes the whole file anew, because page splits have left copies of rows in unused parts of pages. The old content
   * is overwritten when the log is emptied. If that fails, the next call tries again.
   */
  async erase(): Promise<void> {
    const key = ERASE;
    const isNeeded = await this.run(async (connection) =>
      statements.findMeta.one(connection, { key }),
    );
    if (isNeeded === undefined) return;
    await this.#file?.erasure.rewrite();
    if (!(await this.#emptied())) return;
    await this.write(async (connection) => await statements.deleteMeta.run(connection, { key }));
  }

  async discard(id: number): Promise<void> {
    const isThere = async (connection: Connection) =>
      (await statements.lockGeneration.one(connection, { id })) !== undefined;
    if (await this.run(isThere)) await this.#replaceDamaged();
  }

  async #replaceDamaged(): Promise<void> {
    await this.#closeFile();
    removeVectorsFile(this.#options.path);
    this.#options.log.warn("embeddings.file_replaced", { why: "damaged" });
  }

  async close(): Promise<void> {
    await this.#closeFile();
  }

  async #opened(): Promise<Opened> {
    if (this.#file !== undefined && this.#inode() === this.#file.inode) return this.#file;
    const { path, owner, log, onReplaced } = this.#options;
    const isMoved = this.#file !== undefined;
    // SQLite notices that its file is not at the path any more, and writes nothing there when it closes.
    await this.#closeFile();
    const file = await openTranslated(async () =>
      isMoved ? await openAfterMove(path, owner) : await openVectorsFile(path, owner),
    );
    if (file.replaced !== undefined) log.warn("embeddings.file_replaced", { why: file.replaced });
    const inode = this.#inode() ?? 0n;
    const isHeld = () => this.#inode() === inode;
    const checkpoints = new Checkpoints(path, file.database, isHeld);
    const erasure = new SqliteErasure(path, file.database);
    this.#file = { ...file, checkpoints, erasure, inode };
    if (this.#wasOpen) onReplaced();
    this.#wasOpen = true;
    return this.#file;
  }

  /** Identifies what is at the path itself, even if it is a link. Undefined if that is nothing, or cannot be found out. */
  #inode(): bigint | undefined {
    try {
      return lstatSync(this.#options.path, { bigint: true }).ino;
    } catch {
      return undefined;
    }
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.checkpoints.close();
    await file?.connection.close();
  }
}

async function inTransaction<T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  await connection.execute("begin immediate", []);
  try {
    const value = await work(connection);
    await connection.execute("commit", []);
    return value;
  } catch (error) {
    // SQLite has ended the transaction itself after some faults.
    await connection.execute("rollback", []).catch(() => undefined);
    throw error;
  }
}

async function openTranslated(open: () => Promise<OpenFile>): Promise<OpenFile> {
  try {
    return await open();
  } catch (error) {
    throw translated(error);
  }
}
