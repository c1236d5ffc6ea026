import { type Connection, type Dialect, type Result, together, type Value } from "./connection.ts";

/** A kind of write that can wait for others of its kind and then be done together with them. */
export interface Deferrable<P> {
  /** Rows of a lower rank are written first: what others refer to. */
  readonly rank: number;
  /** Two rows with one key become one; a row without a key stays by itself. */
  keyOf(row: P): string | undefined;
  /** Merges two rows with the same key into one; the earlier one is given first. */
  joined(earlier: P, later: P): P;
  /** Whether `write` hands all its statements to the connection before it first waits. */
  sendsAtOnce(rows: number): boolean;
  write(connection: Connection, rows: readonly P[]): Promise<void>;
}

/** Rows that wait at most, so that a large write needs a bounded amount of memory for them. */
const MAX_HELD = 5000;

type AnyDeferrable = Deferrable<unknown>;

/**
 * The connection of a write. It holds rows back and writes them together, before the next statement of any other kind:
 * whoever reads finds all that was written, and an import of hundreds of issues costs a few statements instead of one
 * for each row.
 */
export class WriteBehind implements Connection {
  readonly dialect: Dialect;
  readonly #inner: Connection;
  #held = new Map<AnyDeferrable, Map<string | number, unknown>>();
  #count = 0;
  #writing: Promise<void> | undefined;

  constructor(inner: Connection) {
    this.dialect = inner.dialect;
    this.#inner = inner;
  }

  async hold<P>(kind: Deferrable<P>, row: P): Promise<void> {
    const any = kind as AnyDeferrable;
    let rows = this.#held.get(any);
    if (rows === undefined) {
      rows = new Map();
      this.#held.set(any, rows);
    }
    const key = kind.keyOf(row) ?? rows.size;
    const earlier = rows.get(key);
    rows.set(key, earlier === undefined ? row : kind.joined(earlier as P, row));
    if (earlier !== undefined) return;
    this.#count += 1;
    if (this.#count >= MAX_HELD) await this.#writeSome();
  }

  /** Puts the row in the place of one with the same key that waits; false when none does. */
  replace<P>(kind: Deferrable<P>, row: P): boolean {
    const rows = this.#held.get(kind as AnyDeferrable);
    const key = kind.keyOf(row);
    if (rows === undefined || key === undefined || !rows.has(key)) return false;
    rows.set(key, row);
    return true;
  }

  /** Forgets the row with that key, if one waits. */
  drop<P>(kind: Deferrable<P>, key: string): void {
    if (this.#held.get(kind as AnyDeferrable)?.delete(key) === true) this.#count -= 1;
  }

  /** Nothing waits in most cases; then no promise is put between the caller and the statement. */
  execute<O>(sql: string, values: readonly Value[]): Promise<Result<O>> {
    if (this.#count === 0 && this.#writing === undefined)
      return this.#inner.execute<O>(sql, values);
    return this.#executeBehind<O>(sql, values);
  }

  async #executeBehind<O>(sql: string, values: readonly Value[]): Promise<Result<O>> {
    while (this.#writing !== undefined) await this.#writing;
    if (this.dialect === "postgres" && this.#sendsAtOnce()) {
      // PostgreSQL answers in order: the statement need not wait for the answers to the rows before it.
      const [written, result] = await Promise.allSettled([
        this.#writeAll(),
        this.#inner.execute<O>(sql, values),
      ]);
      if (written.status === "rejected") throw written.reason;
      if (result.status === "rejected") throw result.reason;
      return result.value;
    }
    await this.writeHeld();
    return await this.#inner.execute<O>(sql, values);
  }

  /** Nothing waits to be written any more. */
  async writeHeld(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    while (this.#count > 0) await this.#writeSome();
  }

  #sendsAtOnce(): boolean {
    return [...this.#held].every(([kind, rows]) => kind.sendsAtOnce(rows.size));
  }

  /** What is held belongs to a work that failed. */
  async discard(): Promise<void> {
    this.#held = new Map();
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
    const held = [...this.#held].sort(([left], [right]) => left.rank - right.rank);
    this.#held = new Map();
    this.#count = 0;
    const works = held.map(([kind, rows]) => ({
      rank: kind.rank,
      write: async () => await kind.write(this.#inner, [...rows.values()]),
    }));
    // What is sent at once arrives in its order; otherwise what others refer to must be there before they are sent.
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
