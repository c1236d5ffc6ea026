/**
 * Measures the screen on a terminal of 160x50 with 10,000 issues:
 * - the time from the start to the first picture, from a key to the end of its drawing, and from a change by another
 *   client to the screen
 * - the time for a key of the filter and for leaving
 * - the bytes for each key
 * - the cost of an idle screen and of 50 visible changes a second
 * - the memory
 *
 * For comparison, the same run measures vim and less with a file of as many lines, and `node -e 0` as the baseline of a
 * start. The run takes about three minutes.
 *
 * npm run bench -- tui [start|work|filter|quit|peers]... [keys] [seconds of work]
 *
 * `--tree <folder>` measures another built svc in that folder.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "./support/connection.ts";
import { startBenchDaemon } from "./support/daemon.ts";
import { median, percentile } from "./support/figures.ts";
import { filterTimes } from "./support/filter.ts";
import { changesIn, everySecond, otherHand, type Target } from "./support/other-hand.ts";
import { seed } from "./support/seed.ts";
import { open, type Program } from "./support/terminal.ts";

const ARGS = process.argv.slice(2);
const TREE = ARGS.indexOf("--tree");
const WORDS = TREE === -1 ? ARGS : ARGS.toSpliced(TREE, 2);
const [KEYS = 60, WORK_S = 30] = WORDS.map(Number).filter((number) => !Number.isNaN(number));
const ISSUES = 10_000;
const SIZE = { columns: 160, rows: 50 };
const PER_SECOND = 50;
/** A picture is complete when the terminal was quiet for this long. */
const QUIET_MS = 40;
/** How long to wait before memory is read: the garbage collector frees memory up to eight seconds after work ends. */
const SETTLED_MS = 15_000;
/** The number of rows above the cursor whose issues another client changes. All of these rows stay visible. */
const CHANGED_ROWS = 20;

const ROW = /(?<mark>[ >]) (?<id>[0-9a-z]{5})\s+[obwx~] P[0-4] /;

const TREE_FOLDER = TREE === -1 ? path.resolve(import.meta.dirname, "..") : (ARGS[TREE + 1] ?? "");
const SVC = path.join(TREE_FOLDER, "bin", "svc");
const home = mkdtempSync(path.join(tmpdir(), "svc-tui-"));
await seed(path.join(home, "svc.db"), { issues: ISSUES, links: ISSUES });
// The daemon is started from the measured build, because the screen would replace a daemon of another build.
const daemon = await startBenchDaemon({ home, svc: SVC });
const cwd = path.join(home, "workspace");
mkdirSync(cwd);
writeFileSync(path.join(cwd, ".svc.toml"), 'version = 1\n\n[project]\nname = "bench"\n');
const options = { ...SIZE, cwd, env: { ...daemon.env, HOME: home } };

const parts: Readonly<Record<string, () => Promise<void>>> = {
  start,
  work: async () => {
    const { screen, targets } = await atRest();
    await measureChanges(screen, targets);
    await measureWork(screen, targets);
  },
  filter,
  quit: measureQuit,
  peers: measurePeers,
};
const chosen = WORDS.filter((word) => Number.isNaN(Number(word)));
const unknown = chosen.find((word) => !(word in parts));
if (unknown !== undefined) throw new Error(`no part ${unknown}: ${Object.keys(parts).join(", ")}`);
for (const [name, part] of Object.entries(parts))
  if (chosen.length === 0 || chosen.includes(name)) await part();

await daemon.stop();
rmSync(home, { recursive: true, force: true });

async function start(): Promise<void> {
  const floor = median(Array.from({ length: 20 }, () => startOf(process.execPath, ["-e", "0"])));
  // Start the screen once without measuring it: the compiled code is cached one second after that start.
  const warm = startScreen();
  await warm.until(isBoard);
  await sleep(4000);
  warm.write("q");
  await warm.ended;
  const starts: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const began = performance.now();
    const program = startScreen();
    starts.push((await program.until(isBoard)) - began);
    program.signal("SIGKILL");
    // Wait until the daemon has answered the requests that the killed program had sent.
    await sleep(1000);
  }
  const first = median(starts.slice(2));
  printFigure(
    "first picture",
    `${first.toFixed(0)} ms, ${(first / floor).toFixed(1)}x node -e 0`,
    "7x",
  );
}

/**
 * Measures a screen that does not change. Returns the screen and the issues that it shows. Another client changes these
 * issues later.
 */
async function atRest(): Promise<{ screen: Program; targets: readonly Target[] }> {
  const screen = startScreen();
  await screen.until(isBoard);
  await sleep(2000);
  printFigure("memory, loaded", memoryText(screen), "170 MiB");
  screen.write("g");
  await sleep(500);
  await measureKeys("svc", screen, "13/33 ms, 4,000 bytes");
  // `v` shows the flat list. There a changed issue only moves up, so the rows that change stay above the cursor.
  screen.write("vg");
  await sleep(500);
  for (let row = 0; row < CHANGED_ROWS; row += 1) await pressKey(screen, "j");
  await sleep(SETTLED_MS);
  printFigure("memory, settled", memoryText(screen), "170 MiB");
  const idle = await usageDuring(screen, 10_000);
  printFigure("idle 10 s", `${idle.bytes} bytes, ${idle.cpu.toFixed(3)} % CPU`, "0 bytes, 0.05 %");
  const ids = screen.lines().flatMap((line) => ROW.exec(line)?.groups?.["id"] ?? []);
  return { screen, targets: await targetsOf(ids.slice(0, CHANGED_ROWS)) };
}

async function measureChanges(screen: Program, targets: readonly Target[]): Promise<void> {
  const hand = await otherHand(daemon.socketPath);
  const times: number[] = [];
  for (let at = 0; at < 50; at += 1) {
    const target = targets[at % targets.length];
    if (target === undefined) break;
    await sleep(200 + at * 3);
    const began = performance.now();
    const number = await hand.change(target);
    times.push((await screen.until((lines) => changesIn(lines).includes(number))) - began);
  }
  hand.close();
  printFigure("change to screen", timesText(times), "200 ms");
}

/**
 * Measures the screen while another client changes issues that it shows. It fails if the changes do not appear, because
 * the figures would then be those of an idle screen.
 */
async function measureWork(screen: Program, targets: readonly Target[]): Promise<void> {
  const seen = new Set<number>();
  const unwatch = screen.watch((lines) => {
    for (const number of changesIn(lines)) seen.add(number);
  });
  const stop = await everySecond(daemon.socketPath, PER_SECOND, targets);
  const began = performance.now();
  await sleep(1000);
  const busy = await usageDuring(screen, 10_000);
  const rate = (busy.bytes / 10_000).toFixed(1);
  printFigure(
    "50 changes/s",
    `${busy.cpu.toFixed(1)} % CPU, ${rate} kB/s, ${memoryText(screen)}`,
    "12 %",
  );
  const times: number[] = [];
  for (let at = 0; at < KEYS; at += 1) {
    await sleep(20 + (at % 7) * 13);
    const before = cursorOf(screen.lines());
    const sent = performance.now();
    // Move up and down in turn, so that the rows that the other client changes stay visible.
    screen.write(at % 2 === 0 ? "j" : "k");
    times.push((await screen.until((lines) => isMoved(cursorOf(lines), before))) - sent);
  }
  printFigure("key meanwhile", timesText(times), "14/40 ms");
  let most = 0;
  while (performance.now() - began < WORK_S * 1000) {
    await sleep(1000);
    screen.write(["j", "k"][Math.round(performance.now() / 1000) % 2] ?? "");
    most = Math.max(most, screen.memoryMiB());
  }
  const made = await stop();
  await sleep(500);
  unwatch();
  // The screen draws changes by others every 300 ms. If a row changes twice in between, only the later change is seen.
  printFigure("changes seen", `${seen.size} of ${made}`, "80 %");
  if (seen.size < made * 0.8) throw new Error("the changes did not reach the screen");
  printFigure(
    `memory, ${WORK_S} s`,
    `${memoryText(screen)}, at most ${most.toFixed(0)}`,
    "170 MiB",
  );
  await sleep(SETTLED_MS);
  printFigure("memory, at rest", memoryText(screen), "170 MiB");
  screen.signal("SIGKILL");
}

async function filter(): Promise<void> {
  const connection = await connect(daemon.socketPath);
  const { body } = await connection.send("GET", "/api/v1/issues");
  connection.close();
  const { compute, drawn } = filterTimes(body, SIZE);
  printFigure(
    "filter, a key",
    `${timesText(compute)}, with its picture ${timesText(drawn)}`,
    "5 ms",
  );
}

/**
 * Measures the time from the key or signal that ends the screen until the terminal is restored: once with an idle
 * screen, once while issues are still being read.
 */
async function measureQuit(): Promise<void> {
  for (const way of ["q", "SIGTERM", "SIGHUP"]) {
    for (const rest of [0, 1500]) {
      const times: number[] = [];
      for (let round = 0; round < 5; round += 1) times.push(await msToQuit(way, rest));
      const when = rest === 0 ? "reading" : "at rest";
      const most = Math.max(...times).toFixed(0);
      printFigure(`${way}, ${when}`, `${median(times).toFixed(0)} ms, at most ${most}`, "50 ms");
    }
  }
}

async function msToQuit(way: string, rest: number): Promise<number> {
  const program = startScreen();
  await program.until(isBoard);
  await sleep(rest);
  const began = performance.now();
  if (way === "q") program.write("q");
  else program.signal(way);
  const restored = await program.until(() => program.isRestored());
  await program.ended;
  return restored - began;
}

async function measurePeers(): Promise<void> {
  const file = path.join(home, "lines.txt");
  const lines = Array.from({ length: ISSUES }, (_none, at) => `line ${at} of a file`);
  writeFileSync(file, lines.join("\n"));
  for (const [name, words] of [
    ["vim", ["-u", "NONE", "-N", file]],
    ["less", [file]],
  ] as const) {
    if (spawnSync(name, ["--version"]).status !== 0) continue;
    const program = open(name, words, options);
    await program.until((shown) => shown.some((line) => line.includes("line 0 of a file")));
    await measureKeys(name, program, "");
    program.signal("SIGKILL");
  }
}

/** Presses the down key again and again. Waits after each key, so that the screen is drawn once for each key. */
async function measureKeys(name: string, program: Program, goal: string): Promise<void> {
  const drawn = [];
  for (let at = 0; at < KEYS; at += 1) drawn.push(await pressKey(program, "j"));
  const bytes = drawn.map((one) => one.bytes);
  printFigure(
    `${name}, a key`,
    `${timesText(drawn.map(({ ms }) => ms))}, ${median(bytes)} bytes`,
    goal,
  );
}

async function pressKey(program: Program, text: string) {
  const sent = performance.now();
  const before = program.written().bytes;
  program.write(text);
  let { bytes, at } = program.written();
  while (bytes === before || performance.now() - at < QUIET_MS) {
    await sleep(1);
    ({ bytes, at } = program.written());
    if (performance.now() - sent > 500) break;
  }
  return { ms: Math.max(0, at - sent), bytes: bytes - before };
}

async function usageDuring(program: Program, ms: number) {
  const [cpu, { bytes }] = [program.cpuMs(), program.written()];
  await sleep(ms);
  return { cpu: (100 * (program.cpuMs() - cpu)) / ms, bytes: program.written().bytes - bytes };
}

async function targetsOf(ids: readonly string[]): Promise<readonly Target[]> {
  const connection = await connect(daemon.socketPath);
  const { body } = await connection.send("GET", "/api/v1/issues");
  connection.close();
  const { issues } = JSON.parse(body) as { issues: readonly (Target & { short_id: string })[] };
  return issues.filter(({ short_id }) => ids.includes(short_id));
}

function startScreen(): Program {
  return open(SVC, ["tui"], options);
}

function isBoard(lines: readonly string[]): boolean {
  return lines.some((line) => line.includes("1 Board")) && lines.some((line) => ROW.test(line));
}

function cursorOf(lines: readonly string[]): string | undefined {
  const found = lines.map((line) => ROW.exec(line)?.groups).find((row) => row?.["mark"] === ">");
  return found?.["id"];
}

function isMoved(now: string | undefined, before: string | undefined): boolean {
  return now !== undefined && now !== before;
}

function startOf(program: string, words: readonly string[]): number {
  const began = performance.now();
  spawnSync(program, words);
  return performance.now() - began;
}

function timesText(times: readonly number[]): string {
  return `${median(times).toFixed(1)} / ${percentile(times, 0.99).toFixed(1)} ms p50/p99`;
}

function memoryText(program: Program): string {
  return `${program.memoryMiB().toFixed(0)} MiB`;
}

function printFigure(what: string, figure: string, goal: string): void {
  console.log(`${what.padEnd(17)} ${figure}${goal === "" ? "" : ` (goal ${goal})`}`);
}

async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
