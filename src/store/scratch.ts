import type SqliteDatabase from "better-sqlite3";
import { errorCode } from "../base/error-code.ts";
import { parseJson } from "../base/json.ts";
import { SvcError } from "../contract/errors.ts";
import type { Groups, KeyedMap, Maps } from "../domain/maps.ts";

/** The memory for pages of the file, in KiB. */
const CACHE_KIB = 8 * 1024;

/** How many entries of one map are cached in memory. Most entries are read again soon after they were written. */
const HELD = 500;

/** How many values are read at a time. */
const SLICE = 100;

/**
 * Maps in a temporary file, for data that may not fit into memory: the rows and ids of a whole database. SQLite creates
 * the file in the folder for temporary files, readable only by its owner, and removes its name at once. So nothing
 * remains after a kill. The file is never synced.
 */
export class Scratch implements Maps {
  readonly #database: SqliteDatabase.Database;
  #tables = 0;

  private constructor(database: SqliteDatabase.Database) {
    this.#database = database;
    database.pragma("journal_mode = OFF");
    database.pragma("synchronous = OFF");
    database.pragma(`cache_size = -${CACHE_KIB}`);
    // The connection stays in one transaction, because each commit would write the changed pages.
    database.exec("begin");
  }

  static async open(): Promise<Scratch> {
    const { default: Database } = await import("better-sqlite3");
    // An empty name makes SQLite create a temporary file.
    return new Scratch(new Database(""));
  }

  map<V>(): KeyedMap<V> {
    return new ScratchMap<V>(this.#database, this.#nextTable());
  }

  groups(): Groups {
    return groupsIn(this.#database, this.#nextTable());
  }

  close(): void {
    this.#database.close();
  }

  #nextTable(): string {
    this.#tables += 1;
    return `scratch_${this.#tables}`;
  }
}

/** Runs `work` with a temporary file, and removes the file afterwards. */
export async function withScratch<T>(work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const scratch = await Scratch.open();
  try {
    return await work(scratch);
  } finally {
    scratch.close();
  }
}

class ScratchMap<V> implements KeyedMap<V> {
  /** Entries that were read or written last; `undefined` where the map has no value. */
  readonly #cache = new Map<string, V | undefined>();
  readonly #changed = new Set<string>();
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(database: SqliteDatabase.Database, table: string) {
    database.exec(`create table ${table} (place integer primary key, key text unique, value text)`);
    this.#statements = statementsOf(database, table);
  }

  get size(): number {
    this.#flush();
    return run(() => this.#statements.count.get() ?? 0);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get(key: string): V | undefined {
    if (this.#cache.has(key)) return this.#cache.get(key);
    const text = run(() => this.#statements.get.get(key));
    const value = text === undefined ? undefined : (parseJson(text) as V);
    this.#putInCache(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#changed.add(key);
    this.#putInCache(key, value);
  }

  delete(key: string): void {
    this.#changed.add(key);
    this.#putInCache(key, undefined);
  }

  *values(): Generator<V> {
    this.#flush();
    for (let after = 0; ; ) {
      const slice = run(() => this.#statements.slice.all(after));
      for (const { value } of slice) yield parseJson(value) as V;
      const last = slice.at(-1);
      if (last === undefined || slice.length < SLICE) return;
      after = last.place;
    }
  }

  #putInCache(key: string, value: V | undefined): void {
    this.#cache.set(key, value);
    if (this.#cache.size > HELD) this.#flush();
  }

  #flush(): void {
    const { put, remove } = this.#statements;
    run(() => {
      for (const key of this.#changed) {
        const value = this.#cache.get(key);
        if (value === undefined) remove.run(key);
        else put.run(key, JSON.stringify(value));
      }
    });
    this.#changed.clear();
    this.#cache.clear();
  }
}

function statementsOf(database: SqliteDatabase.Database, table: string) {
  return {
    get: database.prepare<[string], string>(`select value from ${table} where key = ?`).pluck(),
    put: database.prepare<[string, string]>(
      `insert into ${table} (key, value) values (?, ?) on conflict (key) do update set value = excluded.value`,
    ),
    remove: database.prepare<[string]>(`delete from ${table} where key = ?`),
    slice: database.prepare<[number], { readonly place: number; readonly value: string }>(
      `select place, value from ${table} where place > ? order by place limit ${SLICE}`,
    ),
    count: database.prepare<[], number>(`select count(*) from ${table}`).pluck(),
  };
}

function groupsIn(database: SqliteDatabase.Database, table: string): Groups {
  database.exec(
    `create table ${table} (name text, member text, primary key (name, member)) without rowid`,
  );
  const add = database.prepare(`insert or ignore into ${table} (name, member) values (?, ?)`);
  const remove = database.prepare(`delete from ${table} where name = ? and member = ?`);
  const of = database
    .prepare<[string], string>(`select member from ${table} where name = ?`)
    .pluck();
  return {
    add: (group, member) => void run(() => add.run(group, member)),
    remove: (group, member) => void run(() => remove.run(group, member)),
    of: (group) => run(() => of.all(group)),
  };
}

function run<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (errorCode(cause) !== "SQLITE_FULL") throw cause;
    throw new SvcError(
      "unavailable",
      { reason: "disk_full" },
      {
        cause,
        message: "the disk of the temporary files is full; nothing was written",
        hint: "free some space there, or name a folder on another disk in TMPDIR",
      },
    );
  }
}
