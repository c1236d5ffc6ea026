import type { ErrorCode } from "../../contract/error-codes.ts";
import type { Column } from "./columns.ts";

type Columns = Readonly<Record<string, Column<unknown>>>;

/** `none` is the reason why the rows of a table belong to nothing, are not undone, or are not exported. */
export interface None {
  readonly none: string;
}

/** The columns that name the project or the issues of a row; the row is exported and purged with them. */
export type OwnerColumns<Name> =
  /** If the column is null, the row is about all projects, and only an export of all projects contains it. */
  | { readonly project: Name }
  /** The row belongs to each of these issues. */
  | { readonly issue: readonly Name[] }
  /**
   * The reason why the rows belong to one daemon. When an export is merged into another database, these rows are left
   * out.
   */
  | { readonly daemon: string }
  | None;

export interface NotFolded {
  readonly not: string;
  /**
   * True if operations may write rows through `tx.unfolded`. If such rows belong to a project, the description has a
   * `lifecycle`. Otherwise only the store itself writes them.
   */
  readonly writable?: true;
}

/** The change is refused with this code while the project has such rows. */
export interface Refusal {
  readonly refuse: ErrorCode;
  /** Set if rows of the target of a merge or move refuse the change too, and not only rows of the source. */
  readonly eitherProject?: true;
}

/**
 * What happens to the rows of a project in a table that operations write. (The rows of other tables follow from the
 * fold of the log.) The store carries it out (`store/fold/lifecycle.ts`). `record` says whether an export contains the
 * rows.
 */
export interface Lifecycle<Row = object> {
  /**
   * What happens when the project is merged into another one. `along`: the rows go to the target, unless the target has
   * a row with the same key.
   */
  readonly merge: "along" | "delete" | Refusal;
  /** What happens when an issue of the project moves to another project. */
  readonly move: "stay" | Refusal;
  /** What happens when the project is purged. */
  readonly purge: "delete" | Refusal;
  /** What happens when an export with the rows is restored, or merged into another database. */
  readonly restore?: RestoreRule<Row>;
  /** The columns that get another value if the restored database gets an identity of its own (`--new-instance`). */
  readonly newInstance?: { readonly set: Partial<Row> };
  /** Set if the rows are left out when an export is merged into another database. */
  readonly mergedFile?: "leave out";
}

/** `set` has the columns that get another value than in the file. */
type RestoreRule<Row> = "as exported" | { readonly set: Partial<Row> };

/**
 * How rows are written to an export (docs/contract/command-line.md#61-the-file). The fields are the columns, in the
 * same order.
 */
export interface RecordOf<Name> {
  readonly kind: string;
  /** Columns that are left out of the export record; an import computes them again (`archive/computed.ts`). */
  readonly without?: readonly Name[];
  /** Integer fields that an export file of an older svc or of another program may have; they are read and ignored. */
  readonly ignored?: readonly string[];
}

/**
 * The description of a stored table, for SQLite and for PostgreSQL. From this description, svc derives row types,
 * statements, snapshots, exports, imports, purges and the comparison of `svc doctor`.
 */
export interface Table<Name extends string = string> {
  /**
   * `true` if the rows are folded from the log and only the store's `append` writes them. Otherwise the reason why they
   * are not folded.
   */
  readonly folded: true | NotFolded;
  /** Whether rows have a local id, which the database assigns and which is in no event. */
  readonly numbered: boolean;
  /** The columns that identify a row, in addition to the local id. */
  readonly key: readonly Name[];
  /** The columns, in the order of the fields of an export record. */
  readonly columns: Columns;
  /** Columns that the store computes from rows of several tables. The fold does not compute them. */
  readonly derived?: Columns;
  /** Columns with local ids of other rows, in addition to their uids. */
  readonly beside?: Columns;
  readonly belongs: OwnerColumns<Name>;
  /** For a writable table whose rows belong to a project. */
  readonly lifecycle?: Lifecycle;
  /** Only for a folded table: whether an undo restores its rows (`undo/facets.ts`), or why it does not. */
  readonly undo?: UndoRule;
  readonly record: RecordOf<Name> | None;
}

type UndoRule = "facets" | None;

type Name<C> = keyof C & string;
type ValuesOf<C> = { readonly [N in keyof C]: C[N] extends Column<infer V> ? V : never };
/** The names of the columns that may be part of a key: all but those of bytes. */
type KeyName<C> = {
  [N in Name<C>]: Uint8Array extends ValuesOf<C>[N] ? never : N;
}[Name<C>];
type NoColumns = Readonly<Record<never, never>>;

/**
 * Requires a lifecycle for a writable table whose rows belong to a project, and forbids it for other tables. The
 * lifecycle must say what a restore does, but only if an export contains the rows.
 */
type LifecycleOf<F, G, R, Row> = F extends { readonly writable: true }
  ? G extends { readonly project: string }
    ? { readonly lifecycle: Omit<Lifecycle<Row>, OfExport> & RestoreOf<R, Row> }
    : { readonly lifecycle?: never }
  : { readonly lifecycle?: never };

type OfExport = "restore" | "newInstance" | "mergedFile";

type RestoreOf<R, Row> = R extends None
  ? { readonly [Part in OfExport]?: never }
  : Pick<Lifecycle<Row>, "newInstance" | "mergedFile"> & { readonly restore: RestoreRule<Row> };

/** Requires of each folded table, and of no other table, that it says what an undo does with its rows. */
type UndoOf<F extends Table["folded"]> = F extends true
  ? { readonly undo: UndoRule }
  : { readonly undo?: never };

/** Returns the description with its exact types; the compiler checks that its parts name columns of the table. */
export function table<
  const C extends Columns,
  const K extends readonly KeyName<C>[],
  const F extends Table["folded"],
  const N extends boolean,
  const G extends OwnerColumns<Name<C>>,
  const R extends RecordOf<Name<C>> | None,
  const U extends UndoRule = never,
  const D extends Columns = NoColumns,
  const B extends Columns = NoColumns,
>(
  described: {
    readonly folded: F;
    readonly numbered: N;
    readonly key: K;
    readonly columns: C;
    readonly derived?: D;
    readonly beside?: B;
    readonly belongs: G;
    readonly undo?: U;
    readonly record: R;
  } & LifecycleOf<F, G, R, ValuesOf<C>> &
    UndoOf<F>,
) {
  return described;
}

/** A row in memory, with JSON parsed. */
export type RowOf<T extends { readonly columns: Columns }> = ValuesOf<T["columns"]>;

export type DerivedOf<T extends { readonly derived?: Columns }> = ValuesOf<
  NonNullable<T["derived"]>
>;

interface Stored {
  readonly numbered: boolean;
  readonly columns: Columns;
  readonly derived?: Columns;
  readonly beside?: Columns;
}

/** A row in the database, with JSON as text. */
export type StoredOf<T extends Stored> = InsertOf<T> &
  TextsOf<ValuesOf<NonNullable<T["beside"]>>> &
  (T["numbered"] extends true ? { id: number } : unknown);

/** A row to insert: without the local id, which the database assigns, and without the `beside` columns. */
export type InsertOf<T extends Stored> = TextsOf<RowOf<T> & DerivedOf<T>>;

export type TextsOf<R> = { -readonly [N in keyof R]: TextOf<R[N]> };

type TextOf<V> = V extends string | number | Uint8Array | null ? V : string;
