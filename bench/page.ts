/**
 * Measures svc's page in a real Chromium, and compares it with a floor page. The floor page is a plain page without a
 * framework. The same daemon serves it, and it reads the same issues and writes the same visible rows. The exit code
 * says whether all goals are met.
 *
 *   npm run bench -- page [start|keys|filter|changes|hour|snapshot]... [issues] [rounds]
 *
 * `--tree <folder>` measures another built svc in that folder. `--profile <folder>` writes CPU profiles of the page.
 * The measurement needs at least 1,000 issues. It ends with an error when it waits for the page for longer than a
 * minute.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { launchChromium } from "../test/web/support/installed-chromium.ts";
import { connect } from "./support/connection.ts";
import { startBenchDaemon } from "./support/daemon.ts";
import { median, percentile } from "./support/figures.ts";
import { Goals } from "./support/goals.ts";
import { everySecond, type Target } from "./support/other-hand.ts";
import {
  atRest,
  type MainThread,
  type Measured,
  measuredPage,
  press,
  startOf,
} from "./support/page-browser.ts";
import { anHour } from "./support/page-hour.ts";
import { FLOOR_PATH, firstLoadBytes, treeWithFloor } from "./support/page-tree.ts";
import { seed } from "./support/seed.ts";

const ARGS = process.argv.slice(2);
const TREE = optionOf("--tree");
const PROFILES = optionOf("--profile");
const [ISSUES = 10_000, ROUNDS = 10] = ARGS.map(Number).filter((number) => !Number.isNaN(number));
const KEYS = 200;
/**
 * With fewer issues, the key `j`, which moves the cursor down, would reach the end of the list during a measurement.
 */
const LEAST_ISSUES = 1000;
const PER_SECOND = 50;
const CHANGED_ROWS = 20;
const CHANGES_S = 20;
const SNAPSHOT_ISSUES = 20_000;

const goals = new Goals();
const parts: Readonly<Record<string, () => Promise<void>>> = {
  start: measureStart,
  keys: measureKeys,
  filter: measureFilter,
  changes: measureChanges,
  hour: measureHour,
  snapshot: measureSnapshot,
};
const named = ARGS.filter((word) => word in parts);
if (!(ISSUES >= LEAST_ISSUES)) {
  console.error(`page needs at least ${LEAST_ISSUES} issues to measure with, not ${ISSUES}`);
  process.exit(2);
}

const home = mkdtempSync(path.join(tmpdir(), "svc-page-"));
const tree = path.join(home, "tree");
await treeWithFloor(tree, TREE);
await seed(path.join(home, "svc.db"), { issues: ISSUES, links: ISSUES });
const svc = path.join(tree, "bin", "svc");
const daemon = await startBenchDaemon({ home, svc });
const PAGE = execFileSync(svc, ["ui", "--print"], { env: daemon.env }).toString().trim();
const FLOOR = new URL(FLOOR_PATH, PAGE).href;
const browser = await launchChromium();
try {
  console.log(`${ISSUES} issues, Chromium ${browser.version()}`);
  for (const name of named.length === 0 ? Object.keys(parts) : named) {
    console.log(name);
    await parts[name]?.();
  }
} finally {
  await browser.close();
  await daemon.stop();
  rmSync(home, { recursive: true });
}
goals.end();

function optionOf(name: string): string | undefined {
  const at = ARGS.indexOf(name);
  return at === -1 ? undefined : ARGS.splice(at, 2)[1];
}

/** Opens a page, waits until it has read and drawn everything, and closes it after the work. */
async function onSettledPage<T>(url: string, work: (measured: Measured) => Promise<T>): Promise<T> {
  const measured = await measuredPage(browser, url);
  await startOf(measured.page);
  await atRest(measured);
  try {
    return await work(measured);
  } finally {
    await measured.close();
  }
}

async function withProfile(
  name: string,
  measured: Measured,
  work: () => Promise<void>,
): Promise<void> {
  if (PROFILES === undefined) return await work();
  const profile = await measured.profiled(work);
  writeFileSync(path.join(PROFILES, `${name}.cpuprofile`), JSON.stringify(profile));
}

async function measureStart(): Promise<void> {
  const figures: Record<"paint" | "floor" | "usable" | "rows" | "longest" | "cpu", number[]> = {
    ...{ paint: [], floor: [], usable: [], rows: [], longest: [], cpu: [] },
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const floor = await measuredPage(browser, FLOOR);
    figures.floor.push((await startOf(floor.page)).paint);
    await atRest(floor);
    await floor.close();
    const measured = await measuredPage(browser, PAGE);
    const { paint, data, rows } = await startOf(measured.page);
    await atRest(measured);
    figures.paint.push(paint);
    figures.rows.push(rows);
    figures.usable.push(rows - data);
    figures.longest.push((await startOf(measured.page)).longest);
    figures.cpu.push((await measured.mainThreadMs()).task);
    await measured.close();
  }
  const { paint, floor, usable, rows, longest, cpu } = figures;
  const kib = firstLoadBytes(tree) / 1024;
  goals.atMost("scripts of the first load, gzip", kib, 150, "KiB");
  goals.atMost("first contentful paint", median(paint), 2 * median(floor), "ms");
  goals.tell("the same of the floor page", median(floor), "ms");
  goals.atMost("rows after the first data page", median(usable), 300, "ms");
  goals.tell("rows after the page was asked for", median(rows), "ms");
  goals.tell("longest task until all issues are there", median(longest), "ms");
  goals.tell("main thread until all issues are there", median(cpu), "ms");
}

interface KeyTimes {
  readonly times: readonly number[];
  /** Processor time of the main thread for each key, in milliseconds. */
  readonly mainThread: MainThread;
}

async function pressKeys(
  name: string,
  measured: Measured,
  keys: readonly string[],
): Promise<KeyTimes> {
  const before = await measured.mainThreadMs();
  let times: readonly number[] = [];
  await withProfile(name, measured, async () => {
    times = await press(measured.page, keys);
  });
  const now = await measured.mainThreadMs();
  const msPerKey = (part: keyof MainThread): number => (now[part] - before[part]) / keys.length;
  const [task, script] = [msPerKey("task"), msPerKey("script")];
  return {
    times,
    mainThread: { task, script, style: msPerKey("style"), layout: msPerKey("layout") },
  };
}

function tellMainThread(what: string, { task, script, style, layout }: MainThread): void {
  goals.tell(`main thread for each ${what}`, task, "ms");
  goals.tell("of it scripts", script, "ms");
  goals.tell("of it styles and layout", style + layout, "ms");
}

async function measureKeys(): Promise<void> {
  const down = Array.from({ length: KEYS }, () => "j");
  const floor = await onSettledPage(
    FLOOR,
    async (measured) => await pressKeys("floor-j", measured, down),
  );
  const own = await onSettledPage(PAGE, async (measured) => await pressKeys("j", measured, down));
  goals.atMost("j to its picture, p50", median(own.times), 16, "ms");
  goals.atMost(
    "j to its picture, p99, beside the floor's",
    percentile(own.times, 0.99),
    percentile(floor.times, 0.99),
    "ms",
  );
  goals.tell("j of the floor page, p50", median(floor.times), "ms");
  tellMainThread("j", own.mainThread);
  tellMainThread("j of the floor page", floor.mainThread);
}

async function measureFilter(): Promise<void> {
  // Type the text, delete it letter by letter, and type it twice more. Each letter makes fewer issues match, and each
  // deletion makes more issues match.
  const typed = "common w64".split("");
  const letters = [...typed, ...typed.map(() => "Backspace"), ...typed, ...typed];
  const type = async (name: string, measured: Measured): Promise<KeyTimes> => {
    await measured.page.keyboard.press("/");
    await atRest(measured);
    return await pressKeys(name, measured, letters);
  };
  const floor = await onSettledPage(
    FLOOR,
    async (measured) => await type("floor-filter", measured),
  );
  const own = await onSettledPage(PAGE, async (measured) => await type("filter", measured));
  goals.atMost("a key of the filter to its picture, p50", median(own.times), 30, "ms");
  goals.tell("the same, p99", percentile(own.times, 0.99), "ms");
  goals.tell("a key of the floor's filter, p50", median(floor.times), "ms");
  goals.tell("the same, p99", percentile(floor.times, 0.99), "ms");
  tellMainThread("key of the filter", own.mainThread);
  tellMainThread("key of the floor's filter", floor.mainThread);
}

async function measureChanges(): Promise<void> {
  await onSettledPage(PAGE, async (measured) => {
    const targets = await rowsInView(measured, CHANGED_ROWS);
    const before = await measured.mainThreadMs();
    const begun = performance.now();
    let count = 0;
    await withProfile("changes", measured, async () => {
      const stop = await everySecond(daemon.socketPath, PER_SECOND, targets);
      await measured.page.waitForTimeout(CHANGES_S * 1000);
      count = await stop();
    });
    const now = await measured.mainThreadMs();
    const share = (now.task - before.task) / (performance.now() - begun);
    goals.atMost(`${PER_SECOND} changes a second, of the main thread`, share * 100, 10, "%");
    goals.tell("changes made a second", count / CHANGES_S, "");
  });
}

async function measureHour(): Promise<void> {
  await onSettledPage(PAGE, async (measured) => {
    goals.tell("heap at rest, all issues read", await measured.heapMiB(), "MiB");
    const count = await anHour(daemon.socketPath, await openIssues(500));
    await atRest(measured);
    goals.tell("changes of the hour", count, "");
    goals.atMost("heap after an hour's changes", await measured.heapMiB(), 40, "MiB");
  });
}

/** Returns the issues of the first `count` rows. These rows are in view, so the page draws each of their changes. */
async function rowsInView({ page }: Measured, count: number): Promise<readonly Target[]> {
  const ids = await page.locator(".row").evaluateAll((rows) => {
    return (rows as unknown as { readonly id: string }[]).map(({ id }) => id);
  });
  const shown = new Set(ids.slice(0, count));
  return (await openIssues(ISSUES)).filter(({ uid }) => shown.has(`row-${uid}`));
}

/** Returns open issues, the most recently changed first. */
async function openIssues(count: number): Promise<readonly Target[]> {
  const connection = await connect(daemon.socketPath);
  const { body } = await connection.send("GET", `/api/v1/issues?status=open&limit=${count}`);
  connection.close();
  return (JSON.parse(body) as { issues: readonly Target[] }).issues;
}

/** Runs bench/snapshot.ts in a separate process, because it prints and judges its figures itself. */
async function measureSnapshot(): Promise<void> {
  const script = path.join(import.meta.dirname, "snapshot.ts");
  const { status } = spawnSync(process.execPath, [script, "200", String(SNAPSHOT_ISSUES)], {
    stdio: "inherit",
  });
  goals.atMost("snapshots missed a goal (0 is no, 1 is yes)", status ?? 1, 0, "");
}
