import { expect, test } from "vitest";
import { text, uid } from "../../src/domain/tables/columns.ts";
import { table } from "../../src/domain/tables/table.ts";

const bookmark = {
  numbered: false,
  key: ["name"],
  columns: { name: text(), project_uid: uid() },
  record: { none: "it is of one reader" },
} as const;

test("writable rows cannot belong to a project, which a merge would leave behind", () => {
  const folded = { not: "it is of one reader", writable: true } as const;
  const belongs = { project: "project_uid" } as const;
  // @ts-expect-error a merge of projects would not move the rows
  const refused = table({ ...bookmark, folded, belongs });
  const stored = table({ ...bookmark, folded: { not: "a count of folded rows" }, belongs });
  const unbound = table({ ...bookmark, folded, belongs: { none: "it is of one reader" } });
  expect([refused, stored, unbound].map(({ key }) => key)).toEqual(Array(3).fill(["name"]));
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
