import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { FakeClock } from "../support/clock.ts";
import { describeStore, type OpenTestStore, sqliteDatabase } from "../support/store.ts";
import { created, log, projectCreated, uid } from "./drafts.ts";

const P = uid(1);

function gate() {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

/** Two stores on one database, of which the other is in the middle of a write. */
async function besideAnother(open: OpenTestStore) {
  const database = await open.database();
  const clock = new FakeClock();
  const store = await database.open({ clock });
  const other = await database.open();
  await log(store, projectCreated(P, "web"));
  const [begun, { open: release, passed }] = [gate(), gate()];
  const held = other.write(async () => {
    begun.open();
    await passed;
  });
  await begun.passed;
  onTestFinished(async () => {
    release();
    await held;
  });
  const free = async (): Promise<void> => {
    release();
    await held;
  };
  return { store, clock, free };
}

/** Lets time pass in steps until `work` has ended. */
async function passing<T>(clock: FakeClock, work: Promise<T>): Promise<PromiseSettledResult<T>> {
  let over = false;
  const [settled] = [Promise.allSettled([work]).finally(() => (over = true))];
  while (!over) {
    await systemClock.sleep(1);
    clock.advance(20);
  }
  const [outcome] = await settled;
  if (outcome === undefined) throw new Error("no outcome");
  return outcome;
}

async function uids(store: AdminStore): Promise<readonly (string | undefined)[]> {
  const events = await store.read(async (reader) => await reader.events.after(1, 100));
  return events.map(({ issue_uid }) => issue_uid);
}

describeStore("a write during another program's write", (open) => {
  test("is carried out when the other program's write has ended, and reads are answered meanwhile", async () => {
    const { store, clock, free } = await besideAnother(open);
    const writing = log(store, created(P, uid(101)));
    expect(await uids(store)).toEqual([]);
    await free();
    expect(await passing(clock, writing)).toMatchObject({ status: "fulfilled" });
    expect(await uids(store)).toEqual([uid(101)]);
  });

  test("is refused as busy after two seconds and never carried out", async () => {
    const { store, clock, free } = await besideAnother(open);
    const begun = clock.nowMs();
    const writing = log(store, created(P, uid(101)));
    expect(await passing(clock, writing)).toMatchObject({
      status: "rejected",
      reason: { code: "busy", status: 503, data: { reason: "lock" } },
    });
    if (open.dialect === "sqlite") expect(clock.nowMs() - begun).toBeLessThanOrEqual(2000);
    await free();
    expect(await passing(clock, log(store, created(P, uid(102))))).toMatchObject({
      status: "fulfilled",
    });
    expect(await uids(store)).toEqual([uid(102)]);
  });
});

describeStore("a write behind a slow write of the same daemon", (open) => {
  test("is refused as busy because it waited too long in the queue", async () => {
    const clock = new FakeClock();
    const store = await open({ clock });
    await log(store, projectCreated(P, "web"));
    const [begun, { open: end, passed }] = [gate(), gate()];
    const slow = store.write(async () => {
      begun.open();
      await passed;
    });
    await begun.passed;
    expect(await passing(clock, log(store, created(P, uid(101))))).toMatchObject({
      status: "rejected",
      reason: { code: "busy", data: { reason: "queue" } },
    });
    end();
    await slow;
  });
});

describeStore("pausing the writes so that another connection can write", (open) => {
  test("starts after the earlier writes and delays the later ones", async () => {
    const store = await open({ clock: new FakeClock() });
    await log(store, projectCreated(P, "web"));
    const order: string[] = [];
    const { open: end, passed } = gate();
    const before = log(store, created(P, uid(101))).then(() => order.push("before"));
    const pause = store.pauseWrites(async () => {
      order.push("pause");
      await passed;
      order.push("end");
    });
    const behind = log(store, created(P, uid(102))).then(() => order.push("behind"));
    await before;
    expect(await uids(store)).toEqual([uid(101)]);
    end();
    await Promise.all([pause, behind]);
    expect(order).toEqual(["before", "pause", "end", "behind"]);
  });

  test("refuses writes that wait too long and a second pause, and ends when its work fails", async () => {
    const clock = new FakeClock();
    const store = await open({ clock });
    await log(store, projectCreated(P, "web"));
    const { open: end, passed } = gate();
    const pause = store.pauseWrites(async () => {
      await passed;
      throw new Error("the work failed");
    });
    const write = log(store, created(P, uid(101)));
    const second = store.pauseWrites(async () => await Promise.reject(new Error("never runs")));
    const waiting = Promise.allSettled([write, second]);
    expect(await passing(clock, waiting)).toMatchObject({
      value: [
        { status: "rejected", reason: { code: "busy", data: { reason: "bulk" } } },
        { status: "rejected", reason: { code: "busy", data: { reason: "bulk" } } },
      ],
    });
    end();
    await expect(pause).rejects.toThrow("the work failed");
    await log(store, created(P, uid(102)));
    expect(await uids(store)).toEqual([uid(102)]);
  });
});

test("on SQLite no write starts in a batch that has blocked the event loop for ten milliseconds", async () => {
  const clock = new FakeClock();
  const store = await (await sqliteDatabase()).open({ clock });
  await log(store, projectCreated(P, "web"));
  const heard: number[] = [];
  store.onCommit((id) => heard.push(id));
  await Promise.all(
    Array.from({ length: 6 }, async (_, at) => {
      await store.write(async (tx) => {
        await tx.append(created(P, uid(100 + at)));
        clock.advance(4);
      });
    }),
  );
  expect(heard).toEqual([4, 7]);
});
