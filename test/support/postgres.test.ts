import { expect, test } from "vitest";
import { postgresDsn, query } from "./postgres.ts";

test("each call of postgresDsn gives an empty PostgreSQL database of its own", async () => {
  const [one, two] = [await postgresDsn(), await postgresDsn()];
  expect(one).not.toBe(two);
  await query(one, "create table only_here (id int8)");
  expect(await query(one, "select to_regclass('only_here') is not null as found")).toEqual([
    { found: true },
  ]);
  expect(await query(two, "select to_regclass('only_here') is not null as found")).toEqual([
    { found: false },
  ]);
});

test("the PostgreSQL server of the tests has at least the version that the contract requires", async () => {
  const [row] = await query(await postgresDsn(), "show server_version_num");
  expect(Number(row?.["server_version_num"])).toBeGreaterThanOrEqual(170_000);
});
