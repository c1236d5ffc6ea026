import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { isDisconnected } from "../../../src/store/errors.ts";
import { openPostgres } from "../../../src/store/postgres/open.ts";
import { query } from "../../support/postgres.ts";
import { describePostgres } from "../../support/store.ts";

/** Blocks this thread, so that what the server sends meanwhile is read afterwards. */
function stopFor(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describePostgres("sessions that the server terminates", (open) => {
  test("sessions that are terminated at the end of a read are replaced for the next read", async () => {
    const { target } = await open.database();
    const { dsn } = target;
    const backend = await openPostgres({ dsn, schema: "svc", clock: systemClock });
    onTestFinished(async () => await backend.close());
    const endsLast = async (): Promise<boolean> => {
      const reading = backend.read(async (connection) => {
        await connection.execute(
          "select set_config('idle_in_transaction_session_timeout', $1, false)",
          ["1"],
        );
        stopFor(50);
      });
      // The end of the session may be noticed before the last statement.
      return await reading.then(
        () => false,
        (error: unknown) => isDisconnected(error),
      );
    };
    // More often than the pool has connections for reads.
    for (let ends = 0; ends < 9; ) if (await endsLast()) ends += 1;
    const one = await backend.read(async (connection) => await connection.execute("select 1", []));
    expect(one.rows).toHaveLength(1);
  });

  test("terminated sessions are replaced by one session each, however many reads wait for it", async () => {
    const database = await open.database();
    const store = await database.open();
    const { dsn, schema } = database.target;
    const client = new Client({ connectionString: dsn });
    await client.connect();
    onTestFinished(async () => await client.end());
    const serving = `pg_locks where locktype = 'advisory' and objid = hashtext('${schema} served')::oid
      and database = (select oid from pg_database where datname = current_database())`;
    const ending = client.query(`select pg_terminate_backend(pid) from ${serving}`);
    stopFor(100);
    expect(await Promise.all([store.answering(), store.answering()])).toEqual(["all", "all"]);
    await ending;
    await store.elect("sweep");
    const { rows } = await client.query(`select count(*)::int as sessions from ${serving}`);
    expect(rows).toEqual([{ sessions: 1 }]);
  });

  test("terminated sessions that cannot log in again are reported as unavailable", async () => {
    const { target } = await open.database();
    const role = `leaver_${new URL(target.dsn).pathname.slice(1)}`;
    await query(target.dsn, `create role ${role} superuser login`);
    const dsn = new URL(target.dsn);
    dsn.username = role;
    const backend = await openPostgres({ dsn: dsn.href, schema: "svc", clock: systemClock });
    onTestFinished(async () => {
      await backend.close();
      await query(target.dsn, `drop owned by ${role}`, `drop role ${role}`);
    });
    const sessions = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${role}'`;
    await query(target.dsn, `alter role ${role} nologin`, sessions);
    const asked = async (): Promise<unknown> =>
      await backend.readOne(async (connection) => await connection.execute("select 1", []));
    const unavailable = { code: "unavailable", data: { reason: "disconnected" } };
    await expect(asked()).rejects.toMatchObject(unavailable);
    await expect(backend.serverNow()).rejects.toMatchObject(unavailable);
  });
});
