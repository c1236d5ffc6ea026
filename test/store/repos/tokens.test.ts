import { expect, test } from "vitest";
import { tokenCreated, tokenRevoked } from "../../../src/domain/drafts/tokens.ts";
import { tokenLookup } from "../../../src/ops/tokens/resolve.ts";
import { TokenUses } from "../../../src/ops/tokens/uses.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { FakeClock } from "../../support/clock.ts";
import { describeStore } from "../../support/store.ts";
import { created, projectCreated, T0, uid } from "../drafts.ts";
import { expectFolded } from "../fold.ts";

const HASH = "a".repeat(64);
const ANN = { uid: uid(7), actor: "ann", name: null, token_hash: HASH };

async function give(store: Store, token: typeof ANN = ANN): Promise<void> {
  await store.write(async (tx) => await tx.append(tokenCreated(token, { actor: "ann", now: T0 })));
}

async function revoke(store: Store): Promise<void> {
  const row = { ...ANN, created_at: T0, revoked_at: null };
  await store.write(
    async (tx) => await tx.append(tokenRevoked(row, { actor: "ann", now: tx.now })),
  );
}

describeStore("an API token", (open) => {
  test("is found by its hash until it is revoked, and its row equals the fold of its events", async () => {
    const clock = new FakeClock();
    const store = await open({ clock });
    const find = tokenLookup(store, new TokenUses(clock));
    expect(await find(HASH)).toBeUndefined();
    await give(store);
    expect(await find(HASH)).toEqual({ id: 1, actor: "ann" });
    expect(await find("b".repeat(64))).toBeUndefined();
    await expectFolded(store);
    await revoke(store);
    expect(await find(HASH)).toBeUndefined();
    const [token] = await store.read(async ({ tokens }) => await tokens.list());
    expect(token).toMatchObject({ id: 1, actor: "ann", name: null, revoked_at: clock.now() });
    await expectFolded(store);
  });

  test("is not found after another store of the same database revoked it", async () => {
    if (open.dialect === "sqlite") return;
    const clock = new FakeClock();
    const database = await open.database();
    const [one, other] = [await database.open({ clock }), await database.open({ clock })];
    const find = tokenLookup(one, new TokenUses(clock));
    await give(other);
    expect(await find(HASH)).toEqual({ id: 1, actor: "ann" });
    await revoke(other);
    expect(await find(HASH)).toBeUndefined();
  });

  test("is not found by a lookup that began before it was revoked", async () => {
    const clock = new FakeClock();
    const store = await open({ clock });
    await give(store);
    const find = tokenLookup(store, new TokenUses(clock));
    await Promise.all([find(HASH), revoke(store), find(HASH)]);
    expect(await find(HASH)).toBeUndefined();
  });

  test("has a hash that no other token has", async () => {
    const store = await open();
    await give(store);
    await expect(give(store, { ...ANN, uid: uid(8) })).rejects.toThrow(/unique/i);
    expect(await store.read(async ({ tokens }) => await tokens.list())).toHaveLength(1);
  });

  test("keeps the time of its last use, which a later write never moves back", async () => {
    const clock = new FakeClock();
    const store = await open({ clock });
    await give(store);
    const [here, there] = [new TokenUses(clock), new TokenUses(clock)];
    there.note(ANN.uid);
    clock.advance(5000);
    here.note(ANN.uid);
    await here.write(store);
    await there.write(store);
    const [token] = await store.read(async ({ tokens }) => await tokens.list());
    expect(token?.last_used_at).toBe(clock.now());
    await expectFolded(store);
  });
});

describeStore("events about tokens", (open) => {
  test("are in the log, but in no feed of events", async () => {
    const clock = new FakeClock();
    const store = await open({ clock });
    await store.write(async (tx) => {
      await tx.append(projectCreated(uid(1), "web"));
      await tx.append(created(uid(1), uid(2)));
    });
    clock.advance(1000);
    await give(store);
    await revoke(store);
    const snapshot = await store.openSnapshot();
    const all = [];
    for await (const event of snapshot.rows("event")) all.push(event);
    await snapshot.close();
    expect(all.map(({ type }) => type).slice(2)).toEqual(["token.created", "token.revoked"]);
    const hidden = all[2]?.uid ?? "";

    await store.read(async ({ events, past, holders, inbox, projects }) => {
      const ids = (found: readonly { readonly id: number }[]) => found.map(({ id }) => id);
      expect(ids(await events.after(0, 10))).toEqual([1, 2]);
      const whole = await events.matching({}, 0, 10, 1000);
      expect(whole).toMatchObject({ upTo: 4, last: true });
      expect(ids(whole.events)).toEqual([1, 2]);
      expect(ids((await events.matching({ actors: ["ann"] }, 0, 10)).events)).toEqual([1, 2]);
      const types = ["token.created" as const, "issue.created" as const];
      expect(ids((await events.matching({ types }, 0, 10)).events)).toEqual([2]);
      const span = { since: T0, until: "2026-02-01T00:00:00.000Z" };
      expect(ids(await events.during(span, undefined, 10))).toEqual([1, 2]);
      expect(await events.find(hidden)).toBeUndefined();
      expect(ids(await past.by("ann", span, 10))).toEqual([1, 2]);
      expect(await past.timeOf("ann", span, 0)).toBe(T0);
      expect(await past.lastAt(span.until)).toMatchObject({ id: 2 });
      expect(await past.lastUpTo(4)).toMatchObject({ id: 2 });
      expect(await holders.lastEvents(["ann"])).toMatchObject([{ id: 2 }]);
      expect(ids(await inbox.touchedAfter(0, 10))).toEqual([1, 2]);
      expect(await projects.list(true)).toHaveLength(1);
    });
  });
});
