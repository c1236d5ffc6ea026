import {
  bytes,
  flag,
  instant,
  nullable,
  projectUid,
  text,
} from "../../src/domain/tables/columns.ts";
import { table } from "../../src/domain/tables/table.ts";
import type { UnfoldedTable } from "../../src/domain/tables/tables.ts";
import type { UnfoldedRows, UnfoldedWrites } from "../../src/store/types/store.ts";
import type { Migration } from "../../src/store/upgrade/migrate.ts";

/**
 * Tables of projects that operations write, and that svc does not have. Each says otherwise what becomes of its rows.
 */

/** A tie of a project to something elsewhere, as issue sync and federation need it. */
export const tie = table({
  folded: { not: "it is made by hand", writable: true },
  numbered: false,
  key: ["project_uid"],
  columns: {
    project_uid: projectUid(),
    name: text(),
    enabled: flag(),
    claimed_at: nullable(instant()),
    secret: bytes(),
  },
  belongs: { project: "project_uid" },
  lifecycle: {
    merge: { refuse: "same_project" },
    move: { refuse: "recurrence_pinned" },
    purge: { refuse: "project_has_open_issues" },
    restore: { set: { enabled: 0, claimed_at: null } },
  },
  record: { kind: "tie" },
});

/** Rows that go along with their project. */
export const mark = table({
  folded: { not: "it says how far somebody came", writable: true },
  numbered: false,
  key: ["project_uid", "name"],
  columns: { project_uid: projectUid(), name: text(), place: text() },
  belongs: { project: "project_uid" },
  lifecycle: { merge: "along", move: "stay", purge: "delete", restore: "as exported" },
  record: { kind: "mark" },
});

/** Rows of a project that nobody needs after a merge, and that no export has. */
export const cached = table({
  folded: { not: "it can be computed again", writable: true },
  numbered: false,
  key: ["name"],
  columns: { name: text(), project_uid: projectUid(), found: bytes() },
  belongs: { project: "project_uid" },
  lifecycle: { merge: "delete", move: "stay", purge: "delete" },
  record: { none: "it is computed again" },
});

export const planting: Migration = {
  version: 9_000,
  up: async ({ table: create }) => {
    const owner = "project_uid text not null references project (uid)";
    await create(
      "tie" as never,
      `${owner}, name text not null, enabled int not null, claimed_at text, secret bytes not null`,
      "primary key (project_uid)",
    );
    await create(
      "mark" as never,
      `${owner}, name text not null, place text not null`,
      "primary key (project_uid, name)",
    );
    await create(
      "cached" as never,
      `name text not null, ${owner}, found bytes not null`,
      "primary key (name)",
    );
  },
};

export type Planted = "tie" | "mark" | "cached";

export async function put({ unfolded }: { unfolded: UnfoldedWrites }, name: Planted, row: object) {
  await unfolded.put(name as never as UnfoldedTable, row as never);
}

export async function rowsOf({ unfolded }: { unfolded: UnfoldedRows }, name: Planted) {
  return await unfolded.list(name as never as UnfoldedTable, 100);
}
