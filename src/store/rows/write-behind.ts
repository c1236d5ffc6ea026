import {
  type Connection,
  type Dialect,
  type Result,
  settled,
  together,
  type Value,
} from "../connection.ts";

/** A kind of row write that can be deferred and then done together with others of its kind. */
export interface Deferrable<P> {
  /** Lower ranks are written first, since rows of higher ranks refer to them. */
  readonly rank: number;
  /** Rows with the same key are merged. A row without a key is never merged. */
  keyOf(row: P): string | undefined;
  joined(earlier: P, later: P): P;
  /** Whether `write` sends all its statements before it awaits the first answer. */
  sendsAtOnce(rows: number): boolean;
  write(connection: Connection, rows: readonly P[]): Promise<void>;
}

/** The maximum number of deferred rows, which limits the memory of a large write. */
const MAX_HELD = 5000;

type AnyDeferrable = Deferrable<unknown>;

/**
 * The connection of a write. It defers row writes and sends them together before any other statement, so that reads see
 * them. An import of hundreds of issues then costs a few statements instead of one per row.
 */
export class WriteBehind implements Connection {
  readonly dialect: Dialect;
  readonly #inner: Connection;
  #waiting = new Map<AnyDeferrable, Map<string | number, unknown>>();
  #count = 0;
  #writing: Promise<void> | undefined;

  constructor(inner: Connection) {
    this.dialect = inner.dialect;
    this.#inner = inner;
  }

  async hold<P>(kind: Deferrable<P>, rows: readonly P[]): Promise<void> {
    for (const row of rows) {
      this.#deferRow(kind, row);
      if (this.#count >= MAX_HELD) await this.#writeSome();
    }
  }

  #deferRow<P>(kind: Deferrable<P>, row: P): void {
    const any = kind as AnyDeferrable;
    let rows = this.#waiting.get(any);
    if (rows === undefined) {
      rows = new Map();
      this.#waiting.set(any, rows);
    }
    const key = kind.keyOf(row) ?? rows.size;
    const earlier = rows.get(key);
    rows.set(key, earlier === undefined ? row : kind.joined(earlier as P, row));
    if (earlier === undefined) this.#count += 1;
  }

  /** Replaces a deferred row with the same key; false when there is none. */
  replace<P>(kind: Deferrable<P>, row: P): boolean {
    const rows = this.#waiting.get(kind as AnyDeferrable);
    const key = kind.keyOf(row);
    if (rows === undefined || key === undefined || !rows.has(key)) return false;
    rows.set(key, row);
    return true;
  }

  drop<P>(kind: Deferrable<P>, key: string): void {
    if (this.#waiting.get(kind as AnyDeferrable)?.delete(key) === true) this.#count -= 1;
  }

  /** Calls the inner connection directly in the usual case that nothing is deferred, which saves a promise. */
  execute<O>(sql: string, values: readonly Value[]): Promise<Result<O>> {
    if (this.#count === 0 && this.#writing === undefined)
      return this.#inner.execute<O>(sql, values);
    return this.#executeBehind<O>(sql, values);
  }

  async #executeBehind<O>(sql: string, values: readonly Value[]): Promise<Result<O>> {
    while (this.#writing !== undefined) await this.#writing;
    if (this.dialect === "postgres" && this.#sendsAtOnce()) {
      // PostgreSQL carries out statements in the order in which they are sent, so send this one without waiting for the
      // answers to the deferred rows.
      const [written, result] = [this.#writeAll(), this.#inner.execute<O>(sql, values)];
      await settled([written, result]);
      return await result;
    }
    await this.writeHeld();
    return await this.#inner.execute<O>(sql, values);
  }

  /** Resolves when no deferred row is left. */
  async writeHeld(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    while (this.#count > 0) await this.#writeSome();
  }

  #sendsAtOnce(): boolean {
    return [...this.#waiting].every(([kind, rows]) => kind.sendsAtOnce(rows.size));
  }

  /** Drops the deferred rows of a write that failed. */
  async discard(): Promise<void> {
    this.#waiting = new Map();
    this.#count = 0;
    await this.#writing?.catch(() => undefined);
  }

  async #writeSome(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    const atOnce = this.#sendsAtOnce();
    const waiting = [...this.#waiting].sort(([left], [right]) => left.rank - right.rank);
    this.#waiting = new Map();
    this.#count = 0;
    const works = waiting.map(([kind, rows]) => ({
      rank: kind.rank,
      write: async () => await kind.write(this.#inner, [...rows.values()]),
    }));
    // Statements that are all sent at once arrive in order. Otherwise each rank must finish before the next is sent.
    const waves = atOnce ? [undefined] : [...new Set(works.map(({ rank }) => rank))];
    for (const wave of waves) {
      const now = works.filter(({ rank }) => wave === undefined || rank === wave);
      await together(
        this.#inner,
        now.map(({ write }) => write),
      );
    }
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }
}
