import path from "node:path";
import type { Browser, CDPSession, Page } from "playwright-core";

const WATCH = path.join(import.meta.dirname, "page", "watch.js");

/** The size of the browser window. In it, svc's page shows sidebar, list and issue side by side. */
const VIEWPORT = { width: 1440, height: 900 };

const WAIT_MS = 60_000;

/** A page in a new browser profile, so that nothing of an earlier visit is kept. */
export interface Measured {
  readonly page: Page;
  mainThreadMs(): Promise<MainThread>;
  /** The size of the heap after a garbage collection. */
  heapMiB(): Promise<number>;
  /** Runs `work` and returns a CPU profile of it, in the format of Chromium's developer tools. */
  profiled(work: () => Promise<void>): Promise<unknown>;
  close(): Promise<void>;
}

export async function measuredPage(browser: Browser, url: string): Promise<Measured> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  await context.addInitScript({ path: WATCH });
  // Store an actor name. Otherwise the page would ask for it on the first visit.
  await context.addInitScript("localStorage.setItem('svc.actor', 'ann')");
  const page = await context.newPage();
  const debug = await context.newCDPSession(page);
  await debug.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(url);
  return {
    page,
    mainThreadMs: async () => await mainThreadMs(debug),
    heapMiB: async () => {
      await debug.send("HeapProfiler.collectGarbage");
      const { usedSize } = await debug.send("Runtime.getHeapUsage");
      return usedSize / 1024 / 1024;
    },
    profiled: async (work) => {
      await debug.send("Profiler.enable");
      await debug.send("Profiler.setSamplingInterval", { interval: 200 });
      await debug.send("Profiler.start");
      await work();
      const { profile } = await debug.send("Profiler.stop");
      return profile;
    },
    close: async () => await context.close(),
  };
}

/**
 * Processor time of the main thread of a page in milliseconds: all of it, and the parts for script, style and layout.
 */
export interface MainThread {
  readonly task: number;
  readonly script: number;
  readonly style: number;
  readonly layout: number;
}

async function mainThreadMs(debug: CDPSession): Promise<MainThread> {
  const { metrics } = await debug.send("Performance.getMetrics");
  const ms = (wanted: string): number => {
    const found = metrics.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`this Chromium does not measure ${wanted}`);
    return found.value * 1000;
  };
  return {
    task: ms("TaskDuration"),
    script: ms("ScriptDuration"),
    style: ms("RecalcStyleDuration"),
    layout: ms("LayoutDuration"),
  };
}

/** The object that `page/watch.js` adds to the page. */
interface WatchedWindow {
  readonly bench: {
    started(): Promise<Start>;
    pressed(): number;
    keyTook(number: number): Promise<number>;
  };
}

export interface Start {
  readonly paint: number;
  readonly data: number;
  readonly rows: number;
  readonly longest: number;
}

/**
 * Waits for the first rows. Returns the times at which the steps of the start happened, in milliseconds since the page
 * was requested, and the length of the longest task.
 */
export async function startOf(page: Page): Promise<Start> {
  return await inTime("the first rows", async () => {
    return await page.evaluate(async () => {
      return await (globalThis as unknown as WatchedWindow).bench.started();
    });
  });
}

/** Waits until the page has done nothing for a while, because all issues have been read and drawn. */
export async function atRest({ page, mainThreadMs: used }: Measured): Promise<void> {
  const PART_MS = 500;
  const QUIET_MS = 10;
  const end = performance.now() + WAIT_MS;
  for (let before = (await used()).task, quiet = 0; quiet < 3; ) {
    await page.waitForTimeout(PART_MS);
    const now = (await used()).task;
    quiet = now - before < QUIET_MS ? quiet + 1 : 0;
    before = now;
    if (performance.now() > end) throw tooLate("a page at rest");
  }
}

/**
 * Presses one key after another. Waits after each until its result is on the screen, and returns how long each result
 * took to appear. The key is released only then: Chromium holds back a page's tasks after a key event until the next
 * frame, so an earlier release could add a frame to the time.
 */
export async function press(page: Page, keys: readonly string[]): Promise<readonly number[]> {
  const known = await page.evaluate(() => {
    return (globalThis as unknown as WatchedWindow).bench.pressed();
  });
  const times: number[] = [];
  for (const [at, key] of keys.entries()) {
    await page.keyboard.down(key);
    const took = async (number: number): Promise<number> => {
      return await (globalThis as unknown as WatchedWindow).bench.keyTook(number);
    };
    const painted = async (): Promise<number> => await page.evaluate(took, known + at);
    times.push(await inTime(`the picture of key ${at + 1} of ${keys.length}, ${key}`, painted));
    await page.keyboard.up(key);
  }
  return times;
}

async function inTime<T>(what: string, work: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate(what)), WAIT_MS);
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(what: string): Error {
  return new Error(`waited ${WAIT_MS / 1000} s for ${what}`);
}
