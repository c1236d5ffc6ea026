import { type Expression, type Kysely, type RawBuilder, sql } from "kysely";
import { builder, type Connection, type Dialect, type Result, type Value } from "../connection.ts";
import type { Tables } from "../schema.ts";

interface Compiled {
  readonly sql: string;
  readonly slots: readonly unknown[];
}

type Compilable<O> = {
  compile(): { readonly sql: string; readonly parameters: readonly unknown[] };
  execute(): Promise<O[]>;
};

/** Builds the query with placeholders: `p.uid` is replaced by the `uid` that a later run passes. */
export type Build<P, O> = (db: Kysely<Tables>, p: P, dialect: Dialect) => Compilable<O>;

/** A query that is built once per dialect and run with values, since building takes ten times as long as running. */
export interface Statement<P, O> {
  all(connection: Connection, values: P): Promise<readonly O[]>;
  one(connection: Connection, values: P): Promise<O | undefined>;
  /** Returns the number of changed rows. */
  run(connection: Connection, values: P): Promise<number>;
  map<T>(convert: (row: O) => T): Statement<P, T>;
}

export function statement<P extends { readonly [K in keyof P]: Value }, O>(
  build: Build<P, O>,
): Statement<P, O> {
  return optionalStatement([], build);
}

/**
 * A statement with optional values. `build` is called once for each combination of given values, with `undefined` for
 * the values that are left out.
 */
export function optionalStatement<P extends { readonly [K in keyof P]: Value | undefined }, O>(
  optional: readonly (keyof P & string)[],
  build: Build<P, O>,
): Statement<P, O> {
  const forms = { sqlite: new Map<string, Compiled>(), postgres: new Map<string, Compiled>() };
  const formOf = (dialect: Dialect, values: P): Compiled => {
    const absent = optional.filter((name) => values[name] === undefined);
    const name = absent.join(" ");
    const known = forms[dialect].get(name);
    if (known !== undefined) return known;
    const query = build(builder(dialect), placeholders<P>(absent), dialect);
    const { sql: text, parameters } = query.compile();
    const form = { sql: text, slots: parameters };
    forms[dialect].set(name, form);
    return form;
  };
  return statementOf(formOf, (row: O) => row);
}

function statementOf<P, R, O>(
  formOf: (dialect: Dialect, values: P) => Compiled,
  convert: (row: R) => O,
): Statement<P, O> {
  const execute = (connection: Connection, values: P): Promise<Result<R>> => {
    const { sql: text, slots } = formOf(connection.dialect, values);
    return connection.execute<R>(text, boundValues(slots, values));
  };
  return {
    all: async (connection, values) =>
      (await execute(connection, values)).rows.map((row) => convert(row)),
    one: async (connection, values) => {
      const [row] = (await execute(connection, values)).rows;
      return row === undefined ? undefined : convert(row);
    },
    run: async (connection, values) => (await execute(connection, values)).changes,
    map: (next) => statementOf(formOf, (row: R) => next(convert(row))),
  };
}

export function sqlStatement<P extends { readonly [K in keyof P]: Value }, O>(
  build: (p: P, dialect: Dialect) => RawBuilder<O>,
): Statement<P, O> {
  return statement<P, O>((db, p, dialect) => {
    const query = build(p, dialect);
    return { compile: () => query.compile(db), execute: async () => [] };
  });
}

/** Selects the rows of a table in which the columns have the given values, sorted by `order`; JSON stays text. */
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

function placeholders<P>(absent: readonly string[]): P {
  const get = (_target: object, name: string | symbol) =>
    absent.includes(String(name)) ? undefined : new Placeholder(String(name));
  const proxy: unknown = new Proxy({}, { get });
  return proxy as P;
}

function boundValues<P>(slots: readonly unknown[], values: P): Value[] {
  const bound = new Array<Value>(slots.length);
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at];
    bound[at] =
      slot instanceof Placeholder ? (values[slot.name as keyof P] as Value) : (slot as Value);
  }
  return bound;
}

/** SQL: `column` is in `list`. The list is one parameter, so the statement text does not depend on its length. */
export function isIn(
  dialect: Dialect,
  column: Expression<unknown>,
  list: readonly string[] | readonly number[],
  type: "text" | "bigint" = "text",
): RawBuilder<boolean> {
  return dialect === "sqlite"
    ? sql<boolean>`${column} in (select value from json_each(${list}))`
    : sql<boolean>`${column} = any(${list}::${sql.raw(type)}[])`;
}

/** SQL: the list as a table `name` with the column `value`. */
export function listAs(dialect: Dialect, list: readonly string[], name: string) {
  return dialect === "sqlite"
    ? sql`json_each(${list}) as ${sql.ref(name)}`
    : sql`unnest(${list}::text[]) as ${sql.ref(name)}(value)`;
}

/** SQL: the column, written so that SQLite does not use its index. PostgreSQL needs no such hint. */
export function unindexed(dialect: Dialect, column: string) {
  return dialect === "sqlite" ? sql`+${sql.ref(column)}` : sql.ref(column);
}

export function payloadHas(dialect: Dialect, text: unknown): RawBuilder<boolean> {
  return dialect === "sqlite"
    ? sql<boolean>`instr(payload, ${text}) > 0`
    : sql<boolean>`strpos(payload, ${text}) > 0`;
}
