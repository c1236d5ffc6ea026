import { type Expression, type Kysely, type RawBuilder, sql } from "kysely";
import { builder, type Connection, type Dialect, type Value } from "./connection.ts";
import type { Tables } from "./schema.ts";

interface Compiled {
  readonly sql: string;
  readonly slots: readonly unknown[];
}

type Compilable<O> = {
  compile(): { readonly sql: string; readonly parameters: readonly unknown[] };
  execute(): Promise<O[]>;
};

/** Builds with placeholders in place of the values: `p.uid` stands for the `uid` that a run will give. */
type Build<P, O> = (db: Kysely<Tables>, p: P, dialect: Dialect) => Compilable<O>;

/** A query that is built once for each dialect and then run with values: building costs ten times what running does. */
export interface Statement<P, O> {
  all(connection: Connection, values: P): Promise<readonly O[]>;
  one(connection: Connection, values: P): Promise<O | undefined>;
  /** How many rows it touched. */
  run(connection: Connection, values: P): Promise<number>;
}

export function statement<P extends { readonly [K in keyof P]: Value }, O>(
  build: Build<P, O>,
): Statement<P, O> {
  const compiled: { [D in Dialect]?: Compiled } = {};
  const compiledFor = (dialect: Dialect): Compiled => {
    let made = compiled[dialect];
    if (made === undefined) {
      const { sql: text, parameters } = build(
        builder(dialect),
        placeholders<P>(),
        dialect,
      ).compile();
      made = { sql: text, slots: parameters };
      compiled[dialect] = made;
    }
    return made;
  };
  const execute = async (connection: Connection, values: P) => {
    const { sql: text, slots } = compiledFor(connection.dialect);
    return await connection.execute<O>(text, bind(slots, values));
  };
  return {
    all: async (connection, values) => (await execute(connection, values)).rows,
    one: async (connection, values) => (await execute(connection, values)).rows[0],
    run: async (connection, values) => (await execute(connection, values)).changes,
  };
}

/** The same for SQL that is written out, of tables that the caller names. */
export function sqlStatement<P extends { readonly [K in keyof P]: Value }, O>(
  build: (p: P, dialect: Dialect) => RawBuilder<O>,
): Statement<P, O> {
  return statement<P, O>((db, p, dialect) => {
    const query = build(p, dialect);
    return { compile: () => query.compile(db), execute: async () => [] };
  });
}

/**
 * Selects whole rows of one table in which the named columns have the given values, in the order of other columns.
 * JSON stays text, as in `Selected`.
 */
export function rowsWith<T extends keyof Tables, C extends keyof Tables[T] & string>(
  table: T,
  columns: readonly C[],
  order: readonly (keyof Tables[T] & string)[] = [],
): Statement<Pick<Tables[T], C> & { readonly [K in C]: Value }, Tables[T]> {
  return sqlStatement<{ readonly [K in C]: Value }, Tables[T]>((p) => {
    const equal = columns.map((column) => sql`${sql.ref(column)} = ${p[column]}`);
    const by =
      order.length === 0 ? sql`` : sql` order by ${sql.join(order.map((one) => sql.ref(one)))}`;
    return sql`select * from ${sql.table(table)} where ${sql.join(equal, sql` and `)}${by}`;
  });
}

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

function placeholders<P>(): P {
  const proxy: unknown = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) });
  return proxy as P;
}

function bind<P extends { readonly [K in keyof P]: Value }>(
  slots: readonly unknown[],
  values: P,
): Value[] {
  const bound = new Array<Value>(slots.length);
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at];
    bound[at] = slot instanceof Placeholder ? values[slot.name as keyof P] : (slot as Value);
  }
  return bound;
}

/** `column` is one of `list`, a single parameter: the statement stays the same for lists of every length. */
export function isIn(
  dialect: Dialect,
  column: Expression<unknown>,
  list: readonly string[],
): RawBuilder<boolean> {
  return dialect === "sqlite"
    ? sql<boolean>`${column} in (select value from json_each(${list}))`
    : sql<boolean>`${column} = any(${list}::text[])`;
}
