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

/** Builds the query with placeholders: `p.uid` stands for the `uid` of a later run. */
type Build<P, O> = (db: Kysely<Tables>, p: P, dialect: Dialect) => Compilable<O>;

/** A query that is built once per dialect and run with values: building takes ten times as long as running. */
export interface Statement<P, O> {
  all(connection: Connection, values: P): Promise<readonly O[]>;
  one(connection: Connection, values: P): Promise<O | undefined>;
  /** Returns the number of changed rows. */
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

/** A statement from handwritten SQL. */
export function sqlStatement<P extends { readonly [K in keyof P]: Value }, O>(
  build: (p: P, dialect: Dialect) => RawBuilder<O>,
): Statement<P, O> {
  return statement<P, O>((db, p, dialect) => {
    const query = build(p, dialect);
    return { compile: () => query.compile(db), execute: async () => [] };
  });
}

/** Selects rows of one table by equality of the columns, sorted by `order`; JSON stays text, as in `Selected`. */
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

/** SQL: `column` is in `list`. The list is one parameter, so the statement text does not depend on its length. */
export function isIn(
  dialect: Dialect,
  column: Expression<unknown>,
  list: readonly string[],
): RawBuilder<boolean> {
  return dialect === "sqlite"
    ? sql<boolean>`${column} in (select value from json_each(${list}))`
    : sql<boolean>`${column} = any(${list}::text[])`;
}
