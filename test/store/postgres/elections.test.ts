import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { TermOver, underTerm } from "../../../src/ops/term.ts";
import type { Term } from "../../../src/store/types/elections.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { describePostgres, type TestDatabase } from "../../support/store.ts";
import { created, log, projectCreated, uid } from "../drafts.ts";

const P = uid(1);

/** Moves the end of the term back, as if this many seconds had passed. */
async function past({ target }: TestDatabase, seconds: number): Promise<void> {
  const client = new Client({ connectionString: target.dsn });
  await client.connect();
  const earlier = `to_char(until::timestamp - interval '${seconds} seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  await client.query(`update "${target.schema}".election set until = ${earlier}`);
  await client.end();
}

async function holds(store: Store, term: Term | undefined): Promise<boolean> {
  return await store.write(
    async (tx) => await tx.holdsTerm(term ?? { name: "missing", number: 0 }),
  );
}

describePostgres("the term of an elected daemon", (open) => {
  test("belongs to one daemon until the term ends, and the next term has the next number and names the former daemon", async () => {
    const database = await open.database();
    const [one, other] = [await database.open(), await database.open()];
    const first = await one.elect("cron");
    expect([first, await other.elect("cron")]).toEqual([{ name: "cron", number: 1 }, undefined]);
    expect([await holds(one, first), await holds(other, first)]).toEqual([true, false]);
    await past(database, 11);
    expect(await holds(one, first)).toBe(false);
    const second = await other.elect("cron");
    expect([second, await one.elect("cron")]).toEqual([{ name: "cron", number: 2 }, undefined]);
    expect([await holds(one, second), await holds(other, second)]).toEqual([false, true]);
    const [seen] = other.elections();
    expect(seen).toMatchObject({ name: "cron", here: true, term: 2 });
    expect([seen?.taken_from, one.elections()[0]?.holder]).toEqual([
      expect.stringContaining(`/${process.pid}/`),
      seen?.holder,
    ]);
  });

  test("is a new term if the daemon was away for longer than its term, even if no other daemon took over", async () => {
    const database = await open.database();
    const store = await database.open();
    const first = await store.elect("cron");
    await past(database, 11);
    expect(await store.elect("cron")).toEqual({ name: "cron", number: 2 });
    expect(await holds(store, first)).toBe(false);
    expect(store.elections()[0]?.taken_from).toBeNull();
  });

  test("is handed over by a daemon that stops", async () => {
    const database = await open.database();
    const [one, other] = [await database.open(), await database.open()];
    await one.elect("cron");
    await one.close();
    expect(await other.elect("cron")).toEqual({ name: "cron", number: 2 });
    expect(other.elections()[0]?.taken_from).toBeNull();
  });

  test("makes the engine's writes fail once another daemon has the next term", async () => {
    const database = await open.database();
    const [one, other] = [await database.open(), await database.open()];
    await log(one, projectCreated(P, "web"));
    const term = await one.elect("cron");
    if (term === undefined) throw new Error("elected");
    const engine = underTerm(one, term);
    await log(engine, created(P, uid(101)));
    await past(database, 11);
    await other.elect("cron");
    await expect(log(engine, created(P, uid(102)))).rejects.toThrow(TermOver);
    const last = await other.read(async (reader) => await reader.events.lastId());
    expect(last).toBe(2);
  });

  test("is not handed over while a write of the elected daemon is in progress", async () => {
    const database = await open.database();
    const [one, other] = [await database.open(), await database.open()];
    await log(one, projectCreated(P, "web"));
    const term = await one.elect("cron");
    const client = new Client({ connectionString: database.target.dsn });
    await client.connect();
    onTestFinished(async () => await client.end());
    await one.write(async (tx) => {
      expect(await tx.holdsTerm(term ?? { name: "", number: 0 })).toBe(true);
      // Another session, like that of another daemon, cannot change the row now.
      await client.query("set lock_timeout = '50ms'");
      const take = client.query(`update "${database.target.schema}".election set term = 9`);
      await expect(take).rejects.toMatchObject({ code: "55P03" });
      await tx.append(created(P, uid(101)));
    });
    expect(await other.elect("cron")).toBeUndefined();
  });
});
