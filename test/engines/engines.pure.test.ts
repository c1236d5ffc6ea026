import { expect, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { type Engine, NEVER } from "../../src/engines/engines.ts";
import { Wake } from "../../src/engines/wake.ts";
import { TermOver } from "../../src/ops/term.ts";
import type { Store } from "../../src/store/types/store.ts";
import { FakeClock } from "../support/clock.ts";
import { startEngines } from "../support/engines.ts";

const SECOND = 1000;
const NO_STORE = { elect: async () => undefined, elections: () => [] } as unknown as Store;

const engine = (sweep: Engine["sweep"], more: Partial<Engine> = {}): Engine => ({
  name: "work",
  firstMs: SECOND,
  elected: false,
  sweep,
  ...more,
});

/** Lets everything run that does not wait for a clock. */
const settled = async () => await new Promise<void>((next) => setImmediate(next));

function started(...engines: readonly Engine[]) {
  const clock = new FakeClock();
  const faults: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void faults.push(event) };
  const running = startEngines({ store: NO_STORE, clock, log }, ...engines);
  const pass = async (seconds: number) => {
    for (let left = seconds; left > 0; left -= 1) {
      clock.advance(SECOND);
      await settled();
    }
  };
  return { running, clock, faults, pass };
}

test("an engine that hangs for ever does not block the others", async () => {
  let [hung, swept] = [0, 0];
  const { pass } = started(
    engine(async () => {
      hung += 1;
      return await new Promise<number>(() => undefined);
    }),
    engine(async () => {
      swept += 1;
      return 10 * SECOND;
    }),
  );
  await pass(41);
  expect([hung, swept]).toEqual([1, 5]);
});

test("a sweep that fails is logged and tried again, while others continue", async () => {
  let [failed, swept] = [0, 0];
  const { pass, faults } = started(
    engine(
      async () => {
        failed += 1;
        throw new Error("the disk is full");
      },
      { name: "broken" },
    ),
    engine(async () => {
      swept += 1;
      return SECOND;
    }),
  );
  await pass(61);
  expect([failed, swept]).toEqual([3, 61]);
  expect(faults).toEqual(["broken.sweep_failed", "broken.sweep_failed", "broken.sweep_failed"]);
});

test("an engine decides which errors are no faults, and when to try again", async () => {
  let tried = 0;
  const { pass, faults } = started(
    engine(
      async () => {
        tried += 1;
        throw new Error("busy");
      },
      { failed: () => 5 * SECOND },
    ),
  );
  await pass(11);
  expect([tried, faults]).toEqual([3, []]);
});

test("a sweep whose term ended is tried again soon, and does not count as a fault", async () => {
  let tried = 0;
  const { pass, faults } = started(
    engine(async () => {
      tried += 1;
      throw new TermOver({ name: "work", number: 1 });
    }),
  );
  await pass(7);
  expect([tried, faults]).toEqual([3, []]);
});

test("work that is not due is not swept, and work that can never be done is not tried again", async () => {
  let [asked, swept] = [0, 0];
  const { pass } = started(
    engine(
      async () => {
        swept += 1;
        return NEVER;
      },
      {
        due: async () => {
          asked += 1;
          return asked < 3 ? 10 * SECOND : 0;
        },
      },
    ),
  );
  await pass(11);
  expect([asked, swept]).toEqual([2, 0]);
  await pass(60);
  expect([asked, swept]).toEqual([3, 1]);
});

test("stopping ends the waits, aborts the running sweep, and waits for the end of this sweep", async () => {
  let [finish, told, stopped] = [(): void => undefined, false, false];
  const { running, pass } = started(
    engine(
      async ({ signal }) =>
        await new Promise<number>((resolve) => {
          signal.addEventListener("abort", () => (told = true));
          finish = () => resolve(SECOND);
        }),
    ),
    engine(async () => SECOND),
    engine(async () => await new Promise<number>(() => undefined), { endsWithStore: true }),
  );
  await pass(1);
  const stopping = running.stop().then(() => (stopped = true));
  await settled();
  expect([told, stopped]).toEqual([true, false]);
  finish();
  await stopping;
});

test("a wake of a daemon that is not elected, or may not work, does not end the waits that follow", async () => {
  const kinds: readonly Partial<Engine>[] = [{ elected: true }, { delaysIdle: true }];
  for (const more of kinds) {
    const wake = new Wake();
    let asked = 0;
    // Hangs instead of going on for ever.
    const count = async () => {
      asked += 1;
      return await (asked > 5 ? new Promise<undefined>(() => undefined) : undefined);
    };
    const clock = new FakeClock();
    const store = { ...NO_STORE, elect: count } as Store;
    const beginWork = () => {
      asked += 1;
      return undefined;
    };
    const due = async () => {
      if (asked > 5) await new Promise(() => undefined);
      return 0;
    };
    const idle = more.delaysIdle === true ? { beginWork } : {};
    startEngines(
      { store, clock, ...idle },
      engine(async () => NEVER, { ...more, wake, due }),
    );
    clock.advance(SECOND);
    await settled();
    expect(asked).toBe(1);
    wake.wake();
    await settled();
    expect(asked).toBe(2);
  }
});
