import type { Column } from "./columns.ts";

type Columns = Readonly<Record<string, Column<unknown>>>;

/** Something that was decided against, with the reason. */
export interface None {
  readonly none: string;
}

/** The column that says to which project or issues a row belongs: it is exported and purged with them. */
export type Belongs<Name> =
  | { readonly project: Name }
  /** With each of these issues. */
  | { readonly issue: readonly Name[] }
  | None;

export interface NotFolded {
  readonly not: string;
  /** Any write puts and removes rows, by `tx.unfolded`. Without it the store alone does, in step with other rows. */
  readonly writable?: true;
}

/** How rows stand in an export (facts cli-and-config 6.1). The fields are the columns, in their order. */
export interface RecordOf<Name> {
  readonly kind: string;
  /** Columns that the fields do not hold; an import computes them again (`archive/computed.ts`). */
  readonly without?: readonly Name[];
  /** Integers that files of another origin may have, and that say nothing here. */
  readonly ignored?: readonly string[];
}

/**
 * All that is known of a stored table. Row types, statements, snapshots, exports, imports, purges and the comparison
 * of `svc doctor` follow from it, on both databases.
 */
export interface Table<Name extends string = string> {
  /** What is folded from the log is written by `append` alone; for everything else, why it is not folded. */
  readonly folded: true | NotFolded;
  /** Whether rows carry a local id, which the database chooses and no event knows. */
  readonly numbered: boolean;
  /** What identifies a row, the local id apart. */
  readonly key: readonly Name[];
  /** In the order of the fields of a record. */
  readonly columns: Columns;
  /** Columns that the store computes from rows of several tables. The fold does not know them. */
  readonly derived?: Columns;
  /** Local ids of other rows, kept beside their uids. */
  readonly beside?: Columns;
  readonly belongs: Belongs<Name>;
  readonly record: RecordOf<Name> | None;
}

type Name<C> = keyof C & string;
type NoColumns = Readonly<Record<never, never>>;

/** Keeps the exact types of a description, and holds its parts to each other. */
export function table<
  const C extends Columns,
  const K extends readonly Name<C>[],
  const F extends Table["folded"],
  const N extends boolean,
  const G extends Belongs<Name<C>>,
  const R extends RecordOf<Name<C>> | None,
  const D extends Columns = NoColumns,
  const B extends Columns = NoColumns,
>(described: {
  readonly folded: F;
  readonly numbered: N;
  readonly key: K;
  readonly columns: C;
  readonly derived?: D;
  readonly beside?: B;
  readonly belongs: G;
  readonly record: R;
}) {
  return described;
}

type ValuesOf<C> = { readonly [N in keyof C]: C[N] extends Column<infer V> ? V : never };

/** A row as the program knows it. */
export type RowOf<T extends { readonly columns: Columns }> = ValuesOf<T["columns"]>;

/** What is derived beside a row. */
export type DerivedOf<T extends { readonly derived?: Columns }> = ValuesOf<
  NonNullable<T["derived"]>
>;

interface Stored {
  readonly numbered: boolean;
  readonly columns: Columns;
  readonly derived?: Columns;
  readonly beside?: Columns;
}

/** A row as the database holds it: JSON is text there. */
export type StoredOf<T extends Stored> = InsertOf<T> &
  TextsOf<ValuesOf<NonNullable<T["beside"]>>> &
  (T["numbered"] extends true ? { id: number } : unknown);

/** The same without what the database chooses, and without `beside`. */
export type InsertOf<T extends Stored> = TextsOf<RowOf<T> & DerivedOf<T>>;

/** The same with JSON as text. */
export type TextsOf<R> = { -readonly [N in keyof R]: TextOf<R[N]> };

type TextOf<V> = V extends string | number | null ? V : string;
