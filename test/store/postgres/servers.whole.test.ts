import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import type { AdminStore } from "../../../src/store/admin-store.ts";
import { openStore } from "../../../src/store/open.ts";
import { openPostgres } from "../../../src/store/postgres/open.ts";
import { hasPgBouncer, pgBouncer } from "../../support/pgbouncer.ts";
import { postgresDsn, query } from "../../support/postgres.ts";

const open = async (dsn: string): Promise<AdminStore> =>
  await openStore({ dsn, clock: systemClock, ids: systemIds(), timezone: "UTC" });

async function refusalOf(dsn: string): Promise<unknown> {
  const store = await open(dsn).catch((error: unknown) => error);
  if (store instanceof Error) return store;
  throw new Error("nothing was refused");
}

describe.skipIf(!hasPgBouncer)("PgBouncer", () => {
  test("PgBouncer in session mode serves a daemon", async () => {
    const dsn = await pgBouncer(await postgresDsn(), { pool_mode: "session" });
    const store = await open(dsn);
    expect(await store.answering()).toBe("all");
    await store.close();
    const again = await open(dsn);
    await again.close();
  });

  test("PgBouncer with room for one session is refused, with the message that svc needs a second one", async () => {
    const one = { pool_mode: "session", default_pool_size: "1", query_wait_timeout: "1" };
    expect(await refusalOf(await pgBouncer(await postgresDsn(), one))).toMatchObject({
      data: { reason: "database_unreachable" },
      message: expect.stringContaining("no second one"),
      hint: expect.stringContaining("default_pool_size"),
    });
  });

  test.each([
    ["transaction", "0"],
    ["transaction", "1"],
    ["statement", "0"],
    ["statement", "1"],
  ])(
    "PgBouncer in %s mode, round robin %s, is refused at once with the remedy",
    async (pool_mode, robin) => {
      const server = await postgresDsn();
      const dsn = await pgBouncer(server, {
        pool_mode,
        server_round_robin: robin,
        min_pool_size: "2",
      });
      expect(await refusalOf(dsn)).toMatchObject({
        code: "unavailable",
        data: { reason: "database_pooled" },
        hint: expect.stringContaining("pool_mode=session"),
      });
      expect(await query(server, "select 1 from pg_namespace where nspname = 'svc'")).toEqual([]);
    },
  );
});

describe("a server that accepts no writes", () => {
  test("a server that accepts no writes is recognised after it was made read-only", async () => {
    const dsn = await postgresDsn();
    const name = new URL(dsn).pathname.slice(1);
    await query(dsn, `alter database ${name} set default_transaction_read_only = on`);
    expect(await refusalOf(dsn)).toMatchObject({
      data: { reason: "database_read_only" },
      message: expect.stringContaining("default_transaction_read_only"),
    });
  });

  test("a server that accepts no writes is reported if it accepted writes before, and the next session looks for another server", async () => {
    const backend = await openPostgres({
      dsn: await postgresDsn(),
      schema: "svc",
      clock: systemClock,
    });
    onTestFinished(async () => await backend.close());
    const session = await backend.writer();
    await session.execute("set default_transaction_read_only = on", []);
    await expect(session.execute("create table t (id int)", [])).rejects.toMatchObject({
      code: "unavailable",
      data: { reason: "read_only" },
      message: expect.stringContaining("nothing was written"),
    });
    expect(await backend.writer()).not.toBe(session);
  });
});
