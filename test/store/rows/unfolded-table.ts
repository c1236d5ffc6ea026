import { integer, text } from "../../../src/domain/tables/columns.ts";
import { table } from "../../../src/domain/tables/table.ts";
import type { Rows, UnfoldedTable } from "../../../src/domain/tables/tables.ts";
import type { Tx, UnfoldedWrites } from "../../../src/store/types/store.ts";
import type { Migration } from "../../../src/store/upgrade/migrate.ts";

/** A table that any write may change. It exists only in tests, because svc has no such table yet. */
export const cursor = table({
  folded: { not: "it says how far a reader of the log came", writable: true },
  numbered: false,
  key: ["name"],
  columns: { name: text(), place: integer(0), note: text() },
  belongs: { none: "it is of the readers" },
  record: { none: "readers of another database have read nothing here" },
});

export const planting: Migration = {
  version: 9_000,
  up: async ({ table: create }) => {
    await create(
      "cursor" as never,
      "name text not null, place int not null, note text not null",
      "primary key (name)",
    );
  },
};

export interface Cursor {
  readonly name: string;
  readonly place: number;
  readonly note: string;
}

/** The typed functions of the test's table. */
interface Cursors {
  find(name: string): Promise<Cursor | undefined>;
  list(limit: number, after?: string): Promise<readonly Cursor[]>;
  put(row: Cursor): Promise<void>;
  remove(name: string): Promise<void>;
}

const TABLE = "cursor" as never as UnfoldedTable;

export function cursorsOf({
  unfolded,
}: {
  readonly unfolded: Pick<UnfoldedWrites, "find" | "list">;
}) {
  return {
    find: async (name: string) => await unfolded.find(TABLE, { name } as never),
    list: async (limit: number, after?: string) =>
      await unfolded.list(
        TABLE,
        limit,
        after === undefined ? undefined : ({ name: after } as never),
      ),
  } as unknown as Pick<Cursors, "find" | "list">;
}

export function cursorsIn({ unfolded }: Pick<Tx, "unfolded">): Cursors {
  return {
    ...cursorsOf({ unfolded }),
    put: async (row) => await unfolded.put(TABLE, row as unknown as Rows[UnfoldedTable]),
    remove: async (name) => await unfolded.remove(TABLE, { name } as never),
  };
}
