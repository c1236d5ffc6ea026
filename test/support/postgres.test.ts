import { Client } from "pg";
import { expect, test } from "vitest";
import { postgresDsn } from "./postgres.ts";

test("each call gives an empty PostgreSQL database of its own", async () => {
  const [one, two] = [await postgresDsn(), await postgresDsn()];
  expect(one).not.toBe(two);
  await run(one, "create table only_here (id int8)");
  expect(await run(one, "select to_regclass('only_here') is not null as found")).toEqual([
    { found: true },
  ]);
  expect(await run(two, "select to_regclass('only_here') is not null as found")).toEqual([
    { found: false },
  ]);
});

test("the server is at least the version the contract asks for", async () => {
  const [row] = await run(await postgresDsn(), "show server_version_num");
  expect(Number(row?.["server_version_num"])).toBeGreaterThanOrEqual(170_000);
});

async function run(dsn: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
