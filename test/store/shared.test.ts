import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { AdminStore } from "../../src/store/admin-store.ts";
import type { Store } from "../../src/store/types/store.ts";
import { describePostgres, describeStore, type TestDatabase } from "../support/store.ts";
import { created, log, projectCreated, uid } from "./drafts.ts";
import { expectFolded } from "./fold.ts";

const P = uid(1);

/** Resolves when the store reports a commit with at least this event id. */
async function heard(store: Store, id: number): Promise<number> {
  return await new Promise<number>((resolve) => {
    const stop = store.onCommit((last) => {
      if (last < id) return;
      stop();
      resolve(last);
    });
  });
}

async function elected(store: Store, name: string): Promise<boolean> {
  return (await store.elect(name)) !== undefined;
}

/** Ends all sessions of the database's daemons, as a server that restarts does. */
async function endSessions({ target }: TestDatabase): Promise<void> {
  const client = new Client({ connectionString: target.dsn });
  await client.connect();
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await client.end();
}

describeStore("an engine's work on one daemon", (open) => {
  test("is always assigned to this daemon", async () => {
    const store = await open();
    const terms = [
      await store.elect("sweep"),
      await store.elect("sweep"),
      await store.elect("other"),
    ];
    expect(terms).toEqual([
      { name: "sweep", number: 1 },
      { name: "sweep", number: 1 },
      { name: "other", number: 1 },
    ]);
    expect(await store.write(async (tx) => await tx.holdsTerm({ name: "sweep", number: 1 }))).toBe(
      true,
    );
  });
});

describePostgres("two daemons on one database", (open) => {
  const both = async (): Promise<readonly [AdminStore, AdminStore, TestDatabase]> => {
    const database = await open.database();
    return [await database.open(), await database.open(), database];
  };

  test("a write in one daemon wakes the listeners of the other daemon once the new rows are visible", async () => {
    const [one, other] = await both();
    const told = heard(other, 2);
    await log(one, projectCreated(P, "web"), created(P, uid(101)));
    expect(await told).toBe(2);
    expect(
      await other.read(async (reader) => (await reader.events.after(0, 10)).map(({ id }) => id)),
    ).toEqual([1, 2]);
  });

  test("no read uses a session that a restart of the server has ended", async () => {
    const [one, , database] = await both();
    await log(one, projectCreated(P, "web"));
    const reads = async (): Promise<readonly number[]> =>
      await Promise.all(
        Array.from(
          { length: 24 },
          async () => await one.read(async (reader) => await reader.events.lastId()),
        ),
      );
    await reads();
    for (let round = 0; round < 5; round++) {
      await endSessions(database);
      expect(new Set(await reads())).toEqual(new Set([1]));
    }
  });

  test("ids of events become visible in order, whichever daemon writes", async () => {
    const [one, other] = await both();
    await log(one, projectCreated(P, "web"));
    const seen: number[] = [];
    let cursor = 0;
    const follow = async (): Promise<void> => {
      const events = await one.read(async (reader) => await reader.events.after(cursor, 1000));
      seen.push(...events.map(({ id }) => id));
      cursor = seen.at(-1) ?? 0;
    };
    const writes = [one, other].flatMap((store, which) =>
      Array.from(
        { length: 30 },
        async (_, at) =>
          await store.write(
            async (tx) => await tx.append(created(P, uid(1000 * (which + 1) + at))),
          ),
      ),
    );
    let writing = true;
    const all = Promise.all(writes).finally(() => {
      writing = false;
    });
    while (writing) await follow();
    await all;
    await follow();
    expect(seen).toEqual(Array.from({ length: 61 }, (_, at) => at + 1));
    await expectFolded(other);
  });

  test("each daemon sees in a write what the other daemon has committed before", async () => {
    const [one, other] = await both();
    await log(one, projectCreated(P, "web"));
    const take = async (store: Store, number: number): Promise<boolean> =>
      await store.write(async (tx) => {
        if (await tx.issues.shortIdTaken(P, "same")) return false;
        await tx.append(created(P, uid(number), { short_id: "same" }));
        return true;
      });
    const won = await Promise.all([
      take(one, 101),
      take(other, 102),
      take(one, 103),
      take(other, 104),
    ]);
    expect(won.filter(Boolean)).toHaveLength(1);
  });

  test("one daemon is elected for an engine's work, and the other daemon is elected when the first one stops", async () => {
    const [one, other] = await both();
    expect([await elected(one, "sweep"), await elected(other, "sweep")]).toEqual([true, false]);
    expect([await elected(other, "mail"), await elected(one, "mail")]).toEqual([true, false]);
    await one.close();
    await expect.poll(async () => await elected(other, "sweep")).toBe(true);
  });

  test("lost connections are opened again, and events missed meanwhile are announced", async () => {
    const [one, other, database] = await both();
    await log(one, projectCreated(P, "web"));
    await other.read(async (reader) => await reader.projects.list(true));
    const told = heard(other, 2);
    await endSessions(database);
    // The first write may find its connection closed. Then it fails without having written anything.
    const first = await Promise.allSettled([log(one, created(P, uid(101)))]);
    if (first[0].status === "rejected") await log(one, created(P, uid(101)));
    expect(await told).toBe(2);
    await expect
      .poll(
        async () =>
          await other.read(async (reader) => await reader.events.lastId()).catch(() => undefined),
      )
      .toBe(2);
    expect(await elected(other, "sweep")).toBe(true);
  });

  test("a daemon that lost the connection of its election stands for election again", async () => {
    const [one, other, database] = await both();
    expect([await elected(one, "sweep"), await elected(other, "sweep")]).toEqual([true, false]);
    await endSessions(database);
    await expect
      .poll(
        async () =>
          [await elected(one, "sweep"), await elected(other, "sweep")].filter(Boolean).length,
      )
      .toBe(1);
  });

  test("a server that refuses sessions makes writes fail instead of hang", async () => {
    const [one, , database] = await both();
    await log(one, projectCreated(P, "web"));
    const admin = new Client({ connectionString: new URL("/postgres", database.target.dsn).href });
    await admin.connect();
    onTestFinished(async () => {
      await admin.query(
        `alter database ${new URL(database.target.dsn).pathname.slice(1)} allow_connections true`,
      );
      await admin.end();
    });
    await admin.query(
      `alter database ${new URL(database.target.dsn).pathname.slice(1)} allow_connections false`,
    );
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
      new URL(database.target.dsn).pathname.slice(1),
    ]);
    await expect(log(one, created(P, uid(101)))).rejects.toMatchObject({ code: "unavailable" });
    await expect(log(one, created(P, uid(101)))).rejects.toMatchObject({ code: "unavailable" });
  });
});
