import { expect, onTestFinished, test } from "vitest";
import { type Clock, instantToMs, msToInstant } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { type TrialFound, trialEngine } from "../../src/engines/trials.ts";
import type { Store } from "../../src/store/types/store.ts";
import { FakeClock } from "../support/clock.ts";
import { startEngines } from "../support/engines.ts";
import { term } from "../support/term.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;
const BEGIN = new FakeClock().nowMs();
const ELECTED = { elect: async () => term(true), elections: () => [] } as unknown as Store;

/** An engine whose clock moves by exactly the time that it sleeps. */
function engine(options: {
  readonly newest?: string;
  readonly last?: TrialFound;
  /** Why the trial fails, by its number. */
  readonly fails?: (attempt: number) => string | undefined;
  /** Whether a trial notes what it found; a full disk takes no note. */
  readonly notes?: boolean;
}) {
  const clock = new FakeClock();
  const attempts: number[] = [];
  const held = { newest: options.newest, last: options.last };
  const warned: string[] = [];
  let turn: (() => void) | undefined;
  let asleep: (() => void) | undefined;
  const sleeping: Clock = {
    now: () => clock.now(),
    nowMs: () => clock.nowMs(),
    sleep: async (ms, signal) => {
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
  const trials = trialEngine({
    instanceUid: "X",
    clock: sleeping,
    log: { ...silentLog, warn: (event) => void warned.push(event) },
    settings: {
      intervalMs: DAY,
      folder: "/backups",
      newest: async () => held.newest,
      last: async () => held.last,
      run: async () => {
        attempts.push(clock.nowMs() - BEGIN);
        const path = held.newest ?? "";
        const message = options.fails?.(attempts.length);
        const ok = message === undefined;
        if (options.notes !== false)
          held.last = { path, at: clock.now(), ok, ...(ok ? {} : { message }) };
        if (!ok) throw new Error(message);
      },
    },
  });
  const engines = startEngines({ store: ELECTED, clock: sleeping }, trials);
  onTestFinished(async () => await engines.stop());
  const pass = async (until: () => boolean): Promise<void> => {
    while (!until()) {
      const next = new Promise<void>((resolve) => (asleep = resolve));
      turn?.();
      await next;
    }
  };
  const now = (): number => clock.nowMs() - BEGIN;
  return { trials, clock, attempts, held, pass, warned, now };
}

const at = (ms: number): string => msToInstant(BEGIN + ms);
const minutes = (times: readonly number[]): readonly number[] =>
  times.map((ms) => Math.floor(ms / MINUTE));

test("a backup without a trial restore gets one soon after the start, and then one each interval", async () => {
  const { trials, attempts, pass } = engine({ newest: "b1" });
  expect(trials.state()).toMatchObject({ state: "unknown", running: false });
  await pass(() => attempts.length === 3);
  expect(minutes(attempts)).toEqual([0, 1440, 2880]);
  expect(trials.state()).toMatchObject({ state: "ok", file: "b1", interval: DAY });
  expect(instantToMs(trials.state().next_at ?? "") - BEGIN).toBe((attempts[2] ?? 0) + DAY);
});

test("health says that there is no backup, and the first backup is tried within a minute", async () => {
  const { trials, attempts, held, pass, now } = engine({});
  await pass(() => now() > 5 * MINUTE);
  expect([attempts, trials.state()]).toEqual([
    [],
    {
      interval: DAY,
      running: false,
      state: "unknown",
      message: "there is no backup of this database in /backups yet",
    },
  ]);
  held.newest = "b1";
  const made = now();
  await pass(() => attempts.length === 1);
  expect((attempts[0] ?? 0) - made).toBeLessThanOrEqual(MINUTE);
  expect(trials.state().state).toBe("ok");
});

test.each([
  ["half a day ago", { at: at(-DAY / 2), ok: true }, 720],
  ["long ago", { at: at(-9 * DAY), ok: true }, 0],
  ["in the future, by a wrong clock", { at: at(9 * DAY), ok: true }, 0],
  ["and failed half an hour ago", { at: at(-30 * MINUTE), ok: false }, 30],
  ["and failed long ago", { at: at(-DAY), ok: false }, 0],
])(
  "after a restart the next trial restore is due by the time of the last one, which was made %s",
  async (_, last, minute) => {
    const { attempts, pass } = engine({ newest: "b1", last: { path: "b1", ...last } });
    await pass(() => attempts.length === 1);
    expect(minutes(attempts)).toEqual([minute]);
  },
);

test.each([true, false])(
  "a failed trial is reported until a trial succeeds (the failure was recorded on disk: %s)",
  async (notes) => {
    const fails = (attempt: number) => (attempt <= 2 ? "line 3: no JSON" : undefined);
    const { trials, attempts, held, pass, warned } = engine({ newest: "b1", fails, notes });
    await pass(() => attempts.length === 2);
    expect(minutes(attempts)).toEqual([0, 60]);
    expect(trials.state()).toMatchObject({
      state: "failed",
      file: "b1",
      message: "line 3: no JSON",
    });
    expect(warned).toEqual(["backup.trial_failed", "backup.trial_failed"]);
    await pass(() => attempts.length === 3);
    if (notes) expect(trials.state().state).toBe("ok");
    expect(held.newest).toBe("b1");
  },
);

test("after a failed trial a newer backup is tried as soon as it is noticed, at most ten minutes later", async () => {
  const fails = (attempt: number) => (attempt === 1 ? "damaged" : undefined);
  const { trials, attempts, held, pass, now } = engine({ newest: "b1", fails });
  await pass(() => now() > 5 * MINUTE);
  held.newest = "b2";
  await pass(() => attempts.length === 2);
  expect(attempts[1]).toBeLessThan(21 * MINUTE);
  expect(trials.state()).toMatchObject({ state: "ok", file: "b2" });
});

test("a trial restore that a person started postpones the next automatic one", async () => {
  const { attempts, held, pass, now } = engine({
    newest: "b1",
    last: { path: "b1", at: at(-DAY / 2), ok: true },
  });
  await pass(() => now() > 60 * MINUTE);
  held.last = { path: "b1", at: at(now()), ok: true };
  const made = now();
  await pass(() => attempts.length === 1);
  expect(Math.floor(((attempts[0] ?? 0) - made) / MINUTE)).toBe(1440);
});
