/**
 * Measures the time from the commit of a change until a waiting client knows of it: for `svc wait` with the event
 * stream, across restarts of the daemon, and with many readers at once.
 *
 * npm run bench -- wait [waiters] [restarts] [readers...]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Client, openClient } from "../src/client/client.ts";
import { waitForIssues } from "../src/client/wait-issues.ts";
import type { CheckedIssue } from "../src/shared/conditions.ts";
import { MOMENTS, type WaitRound, waitRounds } from "../test/support/wait-rounds.ts";
import { type Connection, connect } from "./support/connection.ts";
import { type BenchDaemon, startBenchDaemon } from "./support/daemon.ts";
import { ms, percentile } from "./support/figures.ts";

const [waiters = 200, restarts = 1000, ...asked] = process.argv.slice(2).map(Number);
const READERS = asked.length === 0 ? [1000, 5000] : asked;
const ROUNDS = 20;
const PROCESSES = 16;
const SVC = path.resolve(import.meta.dirname, "../bin/svc");
const { version } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "..", "package.json"), "utf8"),
) as { readonly version: string };

const daemon = await startBenchDaemon();
const connection = await connect(daemon.socketPath);
await post(connection, "/projects", { name: "bench" });
console.log(
  `from the request that closes to the wake-up, ${waiters} waiters (goal: p99 under 100 ms)`,
);
printTimes("all for one issue", await onOneIssue());
printTimes("each for its own, closed one by one", await onTheirOwn("closed"));
printTimes("each until its own is ready, blockers closed one by one", await onTheirOwn("ready"));
printTimes(`${PROCESSES} svc wait, to the end of the process`, await inProcesses());
connection.close();
await daemon.stop();
if (restarts > 0) await measureWithRestarts();
for (const readers of READERS) await fanOut(readers);

function printTimes(what: string, times: readonly number[]): void {
  const [half, tail, worst] = [0.5, 0.99, 1].map((share) => ms(percentile(times, share)));
  console.log(`  ${what.padEnd(56)} p50 ${half}  p99 ${tail}  max ${worst}  (${times.length})`);
}

async function onOneIssue(): Promise<readonly number[]> {
  const clients = await Promise.all(Array.from({ length: waiters }, open));
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const uid = await create(`round ${round}`);
    const waits = await Promise.all(clients.map(async (client) => await wait(client, uid)));
    const sent = performance.now();
    await close(uid);
    for (const { woken } of waits) times.push((await woken) - sent);
  }
  for (const client of clients) await client.close();
  return times;
}

async function onTheirOwn(until: "closed" | "ready"): Promise<readonly number[]> {
  const clients = await Promise.all(Array.from({ length: waiters }, open));
  const times: number[] = [];
  const pairs: { readonly closed: string; readonly woken: Promise<number> }[] = [];
  for (const client of clients) {
    const uid = await create("waited for");
    const closed = until === "closed" ? uid : await create("blocker");
    if (until === "ready")
      await post(connection, `/projects/1/issues/${closed}/links`, { type: "blocks", to_ref: uid });
    pairs.push({ closed, woken: (await wait(client, uid, until)).woken });
  }
  for (const { closed, woken } of pairs) {
    const sent = performance.now();
    await close(closed);
    times.push((await woken) - sent);
  }
  for (const client of clients) await client.close();
  return times;
}

/**
 * Measures `svc wait` in several processes. Each also waits for an issue that is already closed, so that its first line
 * of output shows that the wait has begun.
 */
async function inProcesses(): Promise<readonly number[]> {
  const [done, uid] = [await create("done"), await create("waited for")];
  await close(done);
  const children = Array.from({ length: PROCESSES }, () =>
    spawn(SVC, ["wait", done, uid], { env: daemon.env, stdio: ["ignore", "pipe", "inherit"] }),
  );
  await Promise.all(children.map(async ({ stdout }) => await once(stdout, "data")));
  const ends = children.map(endOf);
  const sent = performance.now();
  await close(uid);
  return (await Promise.all(ends)).map((at) => at - sent);
}

async function endOf(child: ChildProcess): Promise<number> {
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`svc wait ended with ${code}`);
  return performance.now();
}

async function measureWithRestarts(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "svc-wait-"));
  const rounds = await waitRounds(folder);
  const done: WaitRound[] = [];
  for (let number = 0; number < restarts; number += 1)
    done.push(await rounds.run(MOMENTS[number % MOMENTS.length] ?? MOMENTS[0]));
  await rounds.stop();
  rmSync(folder, { recursive: true, force: true });
  const missed = done.reduce((sum, round) => sum + round.missed, 0);
  const all = done.reduce((sum, round) => sum + round.waiters, 0);
  console.log(`\n${restarts} rounds of restarts: ${missed} of ${all} wake-ups missed (goal: none)`);
  for (const moment of MOMENTS) {
    const times = done.filter((round) => round.moment === moment).flatMap(({ wakeMs }) => wakeMs);
    if (times.length > 0) printTimes(moment, times);
  }
}

/**
 * Measures how long an event takes to reach many readers of the stream, which are sockets of this process. The next
 * event is sent when all readers have received the one before it.
 */
async function fanOut(readers: number): Promise<void> {
  const target = await startBenchDaemon();
  const writer = await connect(target.socketPath);
  await post(writer, "/projects", { name: "bench" });
  const before = target.residentMiB();
  const sockets: net.Socket[] = [];
  let arrived = (): void => undefined;
  for (let n = 0; n < readers; n += 1) sockets.push(await startReader(target, () => arrived()));
  const resident = target.residentMiB();
  const perReader = ((resident - before) * 1024) / readers;
  const [first, last]: [number[], number[]] = [[], []];
  for (let n = 0; n < ROUNDS; n += 1) {
    const times: number[] = [];
    const everywhere = new Promise<void>((resolve) => {
      arrived = () => {
        if (times.push(performance.now()) === readers) resolve();
      };
    });
    const sent = performance.now();
    await post(writer, "/projects/1/issues", { title: `event ${n}`, force_new: true });
    await everywhere;
    first.push((times[0] ?? sent) - sent);
    last.push((times.at(-1) ?? sent) - sent);
  }
  console.log(
    `\n${readers} readers: daemon ${resident.toFixed(0)} MiB, ${perReader.toFixed(1)} KiB a reader`,
  );
  printTimes("an event at the first reader", first);
  printTimes("the same at the last", last);
  for (const socket of sockets) socket.destroy();
  writer.close();
  await target.stop();
}

async function startReader({ socketPath }: BenchDaemon, onEvent: () => void): Promise<net.Socket> {
  const socket = net.connect(socketPath);
  socket.on("error", (error) => {
    throw error;
  });
  socket.write(
    "GET /api/v1/events/stream HTTP/1.1\r\nhost: svc.invalid\r\naccept: text/event-stream\r\nlast-event-id: 1\r\n\r\n",
  );
  let text = "";
  while (!text.includes(": connected")) text += String((await once(socket, "data"))[0]);
  // The daemon writes each event in one call, and an event is small enough to arrive in one piece over a Unix socket.
  socket.on("data", (piece: Buffer) => {
    if (piece.includes("\nevent: issue.created\n")) onEvent();
  });
  return socket;
}

async function open(): Promise<Client> {
  const { home, env } = daemon;
  const program = { version, launcher: undefined };
  return await openClient({ program, start: home, cwd: home, env, autostart: false });
}

/**
 * Starts to wait for an issue, and resolves when the first check is done. `woken` in the result resolves to the time
 * (`performance.now()`) at which the issue has the wanted state.
 */
async function wait(client: Client, uid: string, until: "closed" | "ready" = "closed") {
  let looked = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    looked = resolve;
  });
  const isMet = ({ shown, ready }: CheckedIssue): boolean =>
    until === "ready" ? ready : shown.issue.status === "closed";
  const woken = waitForIssues(client, {
    uids: [uid],
    ready: until === "ready",
    any: false,
    signal: new AbortController().signal,
    pollMs: 60_000,
    met: (now) => {
      looked();
      return isMet(now) ? until : undefined;
    },
  }).then(() => performance.now());
  await first;
  return { woken };
}

async function create(title: string): Promise<string> {
  const { issue } = await post(connection, "/projects/1/issues", { title, force_new: true });
  return issue.uid;
}

async function close(uid: string): Promise<void> {
  await post(connection, `/projects/1/issues/${uid}/actions/close`, { source: "tui" });
}

async function post(
  { send }: Connection,
  to: string,
  body: object,
): Promise<{ readonly issue: { readonly uid: string } }> {
  const text = JSON.stringify({ actor: "bench", ...body });
  const answer = await send("POST", `/api/v1${to}`, text);
  if (answer.status !== 200) throw new Error(`${to}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body);
}
