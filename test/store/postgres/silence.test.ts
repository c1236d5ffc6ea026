import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { stopwatch, systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import type { Connection } from "../../../src/store/connection.ts";
import { isDisconnected } from "../../../src/store/errors.ts";
import { openStore } from "../../../src/store/open.ts";
import type { PostgresBackend } from "../../../src/store/postgres/backend.ts";
import { openPostgres } from "../../../src/store/postgres/open.ts";
import { FakeClock } from "../../support/clock.ts";
import { type Network, openNetwork } from "../../support/network.ts";
import { query } from "../../support/postgres.ts";
import { describePostgres, type TestDatabase } from "../../support/store.ts";
import { created, log, projectCreated, uid } from "../drafts.ts";

const P = uid(1);

/** What a session sends when it begins a write, whole. */
const BEGIN = "begin\0";

/** The least time that half a second of the sessions takes. */
const REAL_MS = 20;

/**
 * The time by which answers are awaited. It passes half a second at a time, so that what arrives meanwhile is read.
 * Before each half second the server has answered on a new connection, so on a busy machine this time passes as slowly
 * as the server answers.
 */
class Patience {
  readonly #dsn: string;
  readonly #clock = new FakeClock();
  readonly sleep = this.#clock.sleep.bind(this.#clock);
  readonly stopwatch = stopwatch;

  /** `target`: the server, without a network in between. */
  constructor({ target }: Pick<TestDatabase, "target">) {
    this.#dsn = target.dsn;
  }

  async pass(seconds: number): Promise<void> {
    for (let half = 0; half < 2 * seconds; half++) {
      await this.#pause();
      this.#clock.advance(500);
    }
  }

  async #pause(): Promise<void> {
    await Promise.all([systemClock.sleep(REAL_MS), query(this.#dsn, "select 1")]);
  }

  /** Lets time pass until `work` has ended, and returns how it ended and after how many seconds. */
  async until<T>(work: Promise<T>): Promise<{ outcome: PromiseSettledResult<T>; seconds: number }> {
    const ended = Promise.allSettled([work]);
    let outcome: PromiseSettledResult<T> | undefined;
    void ended.then(([first]) => (outcome = first));
    for (let seconds = 0; ; seconds += 0.5) {
      await this.#pause();
      if (outcome !== undefined) return { outcome, seconds };
      this.#clock.advance(500);
    }
  }
}

async function networkTo({ target }: TestDatabase): Promise<Network> {
  const network = await openNetwork(target.dsn);
  onTestFinished(async () => await network.close());
  return network;
}

describePostgres("a store on a network", (open) => {
  async function throughNetwork(settings: Readonly<Record<string, string>> = {}) {
    const database = await open.database();
    const network = await networkTo(database);
    const patience = new Patience(database);
    const dsn = new URL(network.dsn);
    for (const [name, value] of Object.entries(settings)) dsn.searchParams.set(name, value);
    const place = { ...database.target, dsn: dsn.href };
    const options = { clock: systemClock, ids: systemIds(), timezone: "UTC", realTime: patience };
    const store = await openStore({ ...place, ...options });
    onTestFinished(async () => {
      network.cut();
      await store.close();
    });
    await log(store, projectCreated(P, "web"));
    return { database, network, patience, store };
  }

  test("a store carries out a write within the time limit after its session had fallen silent", async () => {
    const { network, patience, store } = await throughNetwork();
    network.silence();
    const { outcome } = await patience.until(log(store, created(P, uid(101))));
    expect(outcome).toMatchObject({ status: "fulfilled" });
  });

  test("a store fails a write whose session falls silent in the middle, and carries out the next", async () => {
    const { database, network, patience, store } = await throughNetwork();
    const writing = store.write(async (tx) => {
      network.silence();
      await tx.append(created(P, uid(101)));
    });
    const { outcome } = await patience.until(writing);
    expect(outcome).toMatchObject({
      status: "rejected",
      reason: { code: "unavailable", data: { reason: "disconnected" } },
    });
    // The server ends the session that it cannot reach, after ten seconds of its own time.
    const { dsn } = database.target;
    await query(
      dsn,
      "select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction' and datname = current_database()",
    );
    await patience.until(log(store, created(P, uid(102))));
    const events = await store.read(async (reader) => await reader.events.after(1, 100));
    expect(events.map(({ issue_uid }) => issue_uid)).toEqual([uid(102)]);
  });

  test("a store refuses writes that wait behind a silent session with the true reason", async () => {
    const { network, patience, store } = await throughNetwork();
    network.silence();
    const first = log(store, created(P, uid(101)));
    await patience.pass(5);
    // Real time: the queue lives by the store's clock.
    await expect(first).rejects.toMatchObject({
      code: "busy",
      message: "the database does not answer; this write was not carried out",
      data: { reason: "database" },
    });
  });

  test("a store answers a read on a new session when the old one fell silent", async () => {
    const { network, patience, store } = await throughNetwork();
    await store.read(async ({ events }) => await events.lastId());
    network.silence();
    const reading = store.read(async ({ events }) => await events.lastId());
    const { outcome } = await patience.until(reading);
    expect(outcome).toEqual({ status: "fulfilled", value: 1 });
  });

  test("a store reports the database as unavailable if a new session cannot ask for the time either", async () => {
    const { network, store } = await throughNetwork({ connect_timeout: "1" });
    await store.leaseNow();
    network.drop();
    network.cut();
    await expect(store.leaseNow()).rejects.toMatchObject({
      code: "unavailable",
      data: { reason: "disconnected" },
    });
  });

  test("a store reports which of its sessions answer", async () => {
    const { network, patience, store } = await throughNetwork();
    const asked = async () => (await patience.until(store.answering())).outcome;
    expect(await store.answering()).toBe("all");
    const silenced = network.after("toServer", BEGIN, (passage) => passage.silence());
    const writing = log(store, created(P, uid(101)));
    await silenced;
    await patience.pass(5);
    expect(await store.answering()).toBe("reads");
    await patience.until(writing);
    // The question asked of the old session may still be open.
    await expect.poll(async () => await store.answering()).toBe("all");
    network.drop();
    expect(await asked()).toMatchObject({ value: "nothing" });
  });

  test("a store closes within seconds on a network that drops everything", async () => {
    const { network, patience, store } = await throughNetwork();
    network.drop();
    const { seconds } = await patience.until(store.close());
    expect(seconds).toBeLessThanOrEqual(3);
  });
});

/** A statement that the server works on until `release` is called, or the test has finished. */
async function endlessStatement({ target }: TestDatabase) {
  const holder = new Client({ connectionString: target.dsn });
  await holder.connect();
  await holder.query("select pg_advisory_lock(7)");
  let ended: Promise<void> | undefined;
  const release = async (): Promise<void> => await (ended ??= holder.end());
  onTestFinished(release);
  return { sql: "select pg_advisory_xact_lock(7)", release };
}

describePostgres("a session", (open) => {
  async function sessions() {
    const database = await open.database();
    const network = await networkTo(database);
    const patience = new Patience(database);
    const { schema = "" } = database.target;
    const options = { dsn: network.dsn, schema, clock: systemClock, realTime: patience };
    const backend = await openPostgres(options);
    onTestFinished(async () => {
      network.cut();
      await backend.close();
    });
    return { database, backend, network, patience };
  }

  type Run = (
    backend: PostgresBackend,
    sql: string,
  ) => Promise<{ readonly done: Promise<unknown> }>;

  /** Begins a transaction of a kind and then runs a statement in it. */
  const inWrite =
    (kind: "ordinary" | "bulk"): Run =>
    async (backend, sql) => {
      const connection = await backend.writer();
      await backend.begin(connection, kind);
      const done = connection.execute(sql, []).then(async (result) => {
        await connection.execute("rollback", []);
        return result;
      });
      return { done };
    };
  const inRead: Run = async (backend, sql) => ({
    done: backend.read(async (connection: Connection) => await connection.execute(sql, [])),
  });

  test("a session in an ordinary write lets a statement take ten seconds and no longer", async () => {
    const { database, backend, patience } = await sessions();
    const { sql } = await endlessStatement(database);
    const { done } = await inWrite("ordinary")(backend, sql);
    const { outcome, seconds } = await patience.until(done);
    expect(outcome).toMatchObject({ status: "rejected" });
    expect(outcome.status === "rejected" && isDisconnected(outcome.reason)).toBe(true);
    expect(seconds).toBeGreaterThanOrEqual(9);
    expect(seconds).toBeLessThanOrEqual(11);
  });

  test.each([
    ["in a bulk write", inWrite("bulk")],
    ["in a read", inRead],
  ])("a session %s lets a statement take as long as the server works on it", async (_, run) => {
    const { database, backend, patience } = await sessions();
    const { sql, release } = await endlessStatement(database);
    const { done } = await run(backend, sql);
    await patience.pass(25);
    await release();
    expect((await patience.until(done)).outcome).toMatchObject({ status: "fulfilled" });
  });

  test.each([
    ["whose answer was lost", "toClient"],
    ["whose statement was lost", "toServer"],
  ] as const)(
    "a session in a bulk write %s is abandoned when the server does no work for it",
    async (_, way) => {
      const { backend, network, patience } = await sessions();
      const connection = await backend.writer();
      await backend.begin(connection, "bulk");
      network.silence(way);
      const { outcome } = await patience.until(connection.execute("select 1", []));
      expect(outcome.status === "rejected" && isDisconnected(outcome.reason)).toBe(true);
    },
  );

  test("a session in a bulk write is not abandoned while the server has no free connection for the check", async () => {
    const database = await open.database();
    const { target } = database;
    const role = `svc_full_${process.pid}`;
    await query(
      target.dsn,
      `create role ${role} login connection limit 2`,
      `grant create on database ${new URL(target.dsn).pathname.slice(1)} to ${role}`,
    );
    const dsn = new URL(target.dsn);
    dsn.username = role;
    const patience = new Patience({ target });
    const place = { dsn: dsn.href, schema: target.schema ?? "", clock: systemClock };
    const backend = await openPostgres({ ...place, realTime: patience });
    onTestFinished(async () => {
      await backend.close();
      await query(target.dsn, `drop owned by ${role}`, `drop role ${role}`);
    });
    await query(target.dsn, `alter role ${role} connection limit 1`);
    const { sql, release } = await endlessStatement(database);
    const { done } = await inWrite("bulk")(backend, sql);
    await patience.pass(25);
    await release();
    expect((await patience.until(done)).outcome).toMatchObject({ status: "fulfilled" });
  });

  test("a session in a bulk write is abandoned when the server cannot be reached to ask whether it still works on the statement", async () => {
    const { backend, network, patience } = await sessions();
    const connection = await backend.writer();
    await backend.begin(connection, "bulk");
    network.drop();
    const { outcome, seconds } = await patience.until(connection.execute("select 1", []));
    expect(outcome.status === "rejected" && isDisconnected(outcome.reason)).toBe(true);
    expect(seconds).toBeLessThanOrEqual(35);
  });

  test("a session is not opened when the server does not answer for ten seconds", async () => {
    const database = await open.database();
    const [network, patience] = [await networkTo(database), new Patience(database)];
    network.drop();
    const options = { schema: database.target.schema ?? "", clock: systemClock };
    const opening = openPostgres({ ...options, dsn: network.dsn, realTime: patience });
    const { outcome, seconds } = await patience.until(opening);
    expect(outcome).toMatchObject({
      status: "rejected",
      reason: { code: "unavailable", data: { reason: "database_unreachable" } },
    });
    expect(seconds).toBeLessThanOrEqual(11);
  });
});
