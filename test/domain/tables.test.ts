import { expect, test } from "vitest";
import { bytes, nullable, text, uid } from "../../src/domain/tables/columns.ts";
import { table } from "../../src/domain/tables/table.ts";

const bookmark = {
  numbered: false,
  key: ["name"],
  columns: { name: text(), project_uid: uid() },
  record: { none: "it is of one reader" },
} as const;

test("writable tables of a project say what merge, move, purge and restore do with them, and no other tables do", () => {
  const folded = { not: "it is of one reader", writable: true } as const;
  const belongs = { project: "project_uid" } as const;
  const lifecycle = { merge: "along", move: "stay", purge: "delete" } as const;
  // @ts-expect-error nothing says what becomes of the rows
  const silent = table({ ...bookmark, folded, belongs });
  const said = table({ ...bookmark, folded, belongs, lifecycle });
  const { merge: _, ...unmerged } = lifecycle;
  // @ts-expect-error nothing says what a merge does
  const partly = table({ ...bookmark, folded, belongs, lifecycle: unmerged });
  const unknown = { ...lifecycle, purge: { refuse: "no_such_code" } } as const;
  // @ts-expect-error a refusal has a code of the contract
  const nameless = table({ ...bookmark, folded, belongs, lifecycle: unknown });
  const stored = table({ ...bookmark, folded: { not: "a count of folded rows" }, belongs });
  const unbound = table({ ...bookmark, folded, belongs: { none: "it is of one reader" } });
  const of = { none: "it is of one reader" };
  // @ts-expect-error the rows belong to no project
  const needless = table({ ...bookmark, folded, belongs: of, lifecycle });
  const all = [silent, said, partly, nameless, stored, unbound, needless];
  expect(all.map(({ key }) => key)).toEqual(Array(7).fill(["name"]));
});

test("exported tables of a project say which columns a restore sets", () => {
  const folded = { not: "it is of one reader", writable: true } as const;
  const belongs = { project: "project_uid" } as const;
  const exported = { ...bookmark, folded, belongs, record: { kind: "bookmark" } } as const;
  const lifecycle = { merge: "along", move: "stay", purge: "delete" } as const;
  // @ts-expect-error nothing says what a restore does
  const silent = table({ ...exported, lifecycle });
  const said = table({ ...exported, lifecycle: { ...lifecycle, restore: { set: { name: "x" } } } });
  // @ts-expect-error the name is text
  const wrong = table({ ...exported, lifecycle: { ...lifecycle, restore: { set: { name: 1 } } } });
  const asIs = { ...lifecycle, restore: "as exported" } as const;
  // @ts-expect-error no export has the rows
  const needless = table({ ...bookmark, folded, belongs, lifecycle: asIs });
  expect([silent, said, wrong, needless].map(({ key }) => key)).toEqual(Array(4).fill(["name"]));
});

test("a column of bytes is never part of a key", () => {
  const columns = { name: text(), seal: bytes(), other: nullable(bytes()) };
  const folded = { not: "planted" } as const;
  const belongs = { none: "planted" } as const;
  const described = { ...bookmark, columns, folded, belongs } as const;
  const named = table({ ...described, key: ["name"] });
  // @ts-expect-error bytes are no key
  const sealed = table({ ...described, key: ["seal"] });
  // @ts-expect-error nor are bytes that may be missing
  const other = table({ ...described, key: ["name", "other"] });
  expect([named, sealed, other].map(({ numbered }) => numbered)).toEqual([false, false, false]);
});

test("a folded table says what an undo does with its rows, and no other table does", () => {
  const belongs = { project: "project_uid" } as const;
  const undo = { none: "a bookmark is removed by hand" } as const;
  const folded = { not: "a count of folded rows" } as const;
  // @ts-expect-error nothing says what an undo does
  const silent = table({ ...bookmark, folded: true, belongs });
  const said = table({ ...bookmark, folded: true, belongs, undo });
  // @ts-expect-error an undo changes the log only
  const idle = table({ ...bookmark, folded, belongs, undo });
  expect([silent, said, idle].map(({ key }) => key)).toEqual(Array(3).fill(["name"]));
});
