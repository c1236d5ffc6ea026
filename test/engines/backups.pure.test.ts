import { expect, onTestFinished, test } from "vitest";
import { type Clock, instantToMs, msToInstant } from "../../src/base/clock.ts";
import { type Fields, silentLog } from "../../src/base/log.ts";
import { type IdleWatch, watchIdle } from "../../src/daemon/idle/watch.ts";
import { type BackupHealth, type Backups, backupEngine } from "../../src/engines/backups.ts";
import type { Store } from "../../src/store/types/store.ts";
import { FakeClock } from "../support/clock.ts";
import { startEngines } from "../support/engines.ts";
import { term } from "../support/term.ts";

const HOUR = 3_600_000;
const BEGIN = new FakeClock().nowMs();

/** The engine writes nothing itself: another process makes the backup. */
const electing = (elected: () => boolean) =>
  ({ elect: async () => term(elected()), elections: () => [] }) as unknown as Store;

/** An engine whose clock moves by exactly the time that it sleeps, and records that time. */
function engine(options: {
  /** When earlier backups were made, in milliseconds since the start. */
  readonly made?: readonly number[];
  readonly fails?: (attempt: number) => boolean;
  readonly elected?: () => boolean;
  readonly idle?: Pick<IdleWatch, "beginWork">;
  /** By how much the clock is changed while a backup is made. */
  readonly setBy?: number;
}) {
  const clock = new FakeClock();
  const made = (options.made ?? []).map((ms) => msToInstant(BEGIN + ms));
  const attempts: number[] = [];
  const told: Fields[] = [];
  const during: BackupHealth[] = [];
  const slept: number[] = [];
  let turn: (() => void) | undefined;
  let asleep: (() => void) | undefined;
  const sleeping: Clock = {
    now: () => clock.now(),
    nowMs: () => clock.nowMs(),
    sleep: async (ms, signal) => {
      slept.push(ms);
      asleep?.();
      await new Promise<void>((resolve) => {
        turn = () => {
          clock.advance(ms);
          resolve();
        };
        signal?.addEventListener("abort", () => resolve(), { once: true });
      });
    },
  };
  const backups: Backups = backupEngine({
    instanceUid: "X",
    clock: sleeping,
    log: { ...silentLog, info: (_, fields = {}) => void told.push(fields) },
    settings: {
      intervalMs: HOUR,
      made: async () => made,
      run: async () => {
        attempts.push(clock.nowMs() - BEGIN);
        during.push(backups.state());
        if (options.fails?.(attempts.length) === true) throw new Error("no space left");
        made.push(clock.now());
        clock.advance(options.setBy ?? 0);
        return { path: "x", records: 1 };
      },
    },
  });
  const engines = startEngines(
    {
      store: electing(() => options.elected?.() ?? true),
      clock: sleeping,
      ...(options.idle === undefined ? {} : { beginWork: options.idle.beginWork }),
    },
    backups,
  );
  onTestFinished(async () => await engines.stop());
  /** Ends this many of its sleeps. */
  const pass = async (times = 1): Promise<void> => {
    for (let left = times; left > 0; left -= 1) {
      const next = new Promise<void>((resolve) => (asleep = resolve));
      turn?.();
      await next;
    }
  };
  return { backups, clock, attempts, slept, pass, made, told, during };
}

const minutes = (ms: number): number => Math.floor(ms / 60_000);
const seconds = (at: string | undefined): number | undefined =>
  at === undefined ? undefined : (instantToMs(at) - BEGIN) / 1000;

test("the first backup is made two seconds after the start", async () => {
  const { backups, attempts, slept, pass } = engine({});
  expect(slept).toEqual([2000]);
  expect(backups.state()).toEqual({ interval: HOUR, running: false });
  await pass();
  expect(attempts).toEqual([2000]);
  const { last_at, next_at, ...rest } = backups.state();
  expect(rest).toEqual({ interval: HOUR, running: false });
  expect([seconds(last_at), seconds(next_at)]).toEqual([2, 3602]);
});

test("while a backup is made, health says when the next one is due", async () => {
  const { during, pass } = engine({});
  await pass(7);
  expect(during.map(({ running, next_at }) => [running, seconds(next_at)])).toEqual([
    [true, 3602],
    [true, 7202],
  ]);
});

test.each([HOUR, -HOUR])(
  "a backup reports how long it took, even if the system clock is changed by %d ms meanwhile",
  async (setBy) => {
    const { told, pass } = engine({ setBy });
    await pass();
    const ms = Number(told[0]?.["ms"]);
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(ms).toBeLessThan(HOUR);
  },
);

test("each further backup is made one interval after the start of the previous one", async () => {
  const { attempts, pass } = engine({});
  await pass(24);
  expect(attempts.map(minutes)).toEqual([0, 60, 120, 180]);
});

test.each([
  ["half an interval ago", [-HOUR / 2], 30],
  ["a minute less than an interval ago", [-HOUR + 60_000], 1],
  ["an interval ago", [-HOUR], 0],
  ["long ago", [-1000 * HOUR], 0],
  ["twice, the newer one listed first", [-HOUR / 4, -HOUR / 2], 45],
  ["in the future, by a wrong clock", [5 * HOUR], 0],
])(
  "after a restart the next backup is due by the time of the last one, which was made %s",
  async (_, made, minute) => {
    const { attempts, pass } = engine({ made });
    while (attempts.length === 0) await pass();
    expect(minutes(attempts[0] ?? -1)).toBe(minute);
  },
);

test("a backup that another daemon made in the meantime postpones the next one", async () => {
  const { attempts, pass, made, clock } = engine({ made: [-HOUR + 15 * 60_000] });
  await pass(2);
  made.push(clock.now());
  const seen = minutes(clock.nowMs() - BEGIN);
  while (attempts.length === 0) await pass();
  expect(minutes(attempts[0] ?? -1)).toBe(seen + 60);
});

test("a failed backup is reported, and tried again every ten minutes until it works", async () => {
  const { backups, attempts, pass } = engine({ fails: (attempt) => attempt <= 3 });
  const seen: BackupHealth[] = [];
  while (attempts.length < 5) {
    await pass();
    if (seen.length < attempts.length) seen.push(backups.state());
  }
  expect(attempts.map(minutes)).toEqual([0, 10, 20, 30, 90]);
  expect(seen.map(({ failure }) => failure?.message)).toEqual([
    "no space left",
    "no space left",
    "no space left",
    undefined,
    undefined,
  ]);
  expect(seconds(seen[0]?.failure?.at)).toBe(2);
  expect(seconds(seen[0]?.next_at)).toBe(602);
});

test("of several daemons the elected one makes the backup", async () => {
  let elected = false;
  const { attempts, slept, pass } = engine({ elected: () => elected });
  await pass(3);
  expect([attempts, slept]).toEqual([[], [2000, 30_000, 30_000, 30_000]]);
  elected = true;
  await pass();
  expect(attempts).toHaveLength(1);
});

test("a running backup delays an idle shutdown, and no backup starts once the shutdown is due", async () => {
  const clock = new FakeClock();
  let ended = false;
  const idle = watchIdle(clock, 60_000, () => {
    ended = true;
  });
  const end = idle.beginWork();
  clock.advance(60_000);
  await new Promise(setImmediate);
  expect([idle.health().state, ended]).toEqual(["blocked", false]);
  const { attempts, pass } = engine({ idle });
  await pass(2);
  expect(attempts).toEqual([]);
  end?.();
  end?.();
  expect([idle.health().state, ended]).toEqual(["stopping", true]);
});

test("stopping ends a backup in progress", async () => {
  let aborted = false;
  const clock = {
    now: () => msToInstant(BEGIN),
    nowMs: () => BEGIN,
    sleep: async () => undefined,
  };
  const backups = backupEngine({
    instanceUid: "X",
    clock,
    log: silentLog,
    settings: {
      intervalMs: HOUR,
      made: async () => [],
      run: async (signal) =>
        await new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            aborted = true;
            reject(new Error("ended"));
          });
        }),
    },
  });
  const engines = startEngines({ store: electing(() => true), clock }, backups);
  while (!backups.state().running) await new Promise(setImmediate);
  await engines.stop();
  expect([aborted, backups.state().failure]).toEqual([true, undefined]);
});
