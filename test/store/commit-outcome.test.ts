import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { tokenCreated } from "../../src/domain/drafts/tokens.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { openStore } from "../../src/store/open.ts";
import { type Network, openNetwork } from "../support/network.ts";
import { describePostgres } from "../support/store.ts";
import { created, log, projectCreated, T0, uid } from "./drafts.ts";
import { expectFolded } from "./fold.ts";

const P = uid(1);

/** The whole statement, since statements about the table `daemon_commit` contain the word too. */
const COMMIT = "commit\0";

interface Place {
  /** A daemon's store, which reaches the server through the network. */
  readonly store: AdminStore;
  /** The store of another daemon, which reaches the server without the network. */
  readonly other: AdminStore;
  readonly network: Network;
  readonly dsn: string;
  readonly schema: string;
}

describePostgres("a commit whose answer is lost", (open) => {
  async function behindNetwork(): Promise<Place> {
    const database = await open.database();
    const { dsn, schema = "svc" } = database.target;
    const network = await openNetwork(dsn);
    const other = await database.open();
    const options = { clock: systemClock, ids: systemIds(), timezone: "UTC", schema };
    const store = await openStore({ ...options, dsn: network.dsn });
    onTestFinished(async () => {
      network.pass();
      await store.close();
      await network.close();
    });
    await log(other, projectCreated(P, "web"));
    return { store, other, network, dsn, schema };
  }

  /** A store behind the network that has committed before. */
  async function atWork(): Promise<Place> {
    const place = await behindNetwork();
    await log(place.store, created(P, uid(100)));
    return place;
  }

  async function isThere({ other }: Place, issue: string): Promise<boolean> {
    return await other.read(async ({ issues }) => (await issues.many([issue])).has(issue));
  }

  const create = async ({ store }: Place, number: number) =>
    await store.write(async (tx) => await tx.append(created(P, uid(number))));

  /** Lets the server carry out the next commit, and breaks the connection instead of its answer. */
  async function cutAfterCommit({ network }: Place): Promise<void> {
    await network.after("toServer", COMMIT, () => network.cut());
  }

  test("a commit without an answer is found on a new connection and acknowledged, and its listeners are notified", async () => {
    const place = await atWork();
    const heard: number[] = [];
    place.store.onCommit((id) => heard.push(id));
    const [event] = await Promise.all([create(place, 101), cutAfterCommit(place)]);
    expect([event.id, heard.at(-1)]).toEqual([3, 3]);
    expect(await isThere(place, uid(101))).toBe(true);
    expect((await create(place, 102)).id).toBe(4);
    await expectFolded(place.other);
  });

  test("a commit without an answer is found even if it is the first commit of its daemon", async () => {
    const place = await behindNetwork();
    const { network } = place;
    const [event] = await Promise.all([
      create(place, 101),
      network.after("toServer", COMMIT, () => network.cut("client")),
    ]);
    expect(event.id).toBe(2);
    expect(await isThere(place, uid(101))).toBe(true);
  });

  test("a commit without an answer and without an event is found by the mark of its transaction", async () => {
    const place = await atWork();
    const token = { uid: uid(7), actor: "bea", name: null, token_hash: "h" };
    await log(place.store, tokenCreated(token, { actor: "ann", now: T0 }));
    const use = { token_uid: token.uid, last_used_at: T0 };
    await Promise.all([
      place.store.write(async ({ unfolded }) => await unfolded.put("api_token_use", use)),
      cutAfterCommit(place),
    ]);
    expect(
      await place.other.read(
        async ({ unfolded }) => await unfolded.find("api_token_use", { token_uid: uid(7) }),
      ),
    ).toEqual(use);
  });

  test("a commit without an answer is refused when the commit did not reach the server", async () => {
    const place = await atWork();
    const { network } = place;
    void network.after("toClient", "pg_notify", () => network.cut());
    const writing = create(place, 101);
    await expect(writing).rejects.toMatchObject({ code: "unavailable" });
    expect(await isThere(place, uid(101))).toBe(false);
    expect((await create(place, 102)).id).toBe(3);
  });

  test("a commit without an answer has an unknown outcome while the lost transaction holds the write lock, and is found once it commits", async () => {
    const place = await atWork();
    const { store, network, dsn, schema } = place;
    const heard: number[] = [];
    store.onCommit((id) => heard.push(id));
    const client = new Client({ connectionString: dsn });
    await client.connect();
    onTestFinished(async () => await client.end());
    // A trigger that fires within the commit, and waits until the test releases it.
    await client.query(`
      select pg_advisory_lock(42);
      create function ${schema}.wait() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(42); return null; end';
      create constraint trigger slow after insert on ${schema}.event deferrable initially deferred
        for each row execute function ${schema}.wait()`);
    const writing = create(place, 101);
    await network.after("toServer", "commit", () => network.cut("client"));
    await expect(writing).rejects.toMatchObject({ code: "outcome_unknown", status: 503 });
    expect(await isThere(place, uid(101))).toBe(false);
    await client.query("select pg_advisory_unlock(42)");
    await expect.poll(async () => await isThere(place, uid(101))).toBe(true);
    await expect.poll(() => heard.at(-1)).toBe(3);
    expect((await create(place, 102)).id).toBe(4);
  }, 30_000);
});
