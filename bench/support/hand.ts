/**
 * The program that acts as another client during a long operation. It asks for `ping` every 5 ms and comments on an
 * issue every 100 ms. In turn with the pings it pings a daemon that does nothing, so that what the machine itself takes
 * is known. When its standard input ends, it prints how long the requests took. A ping is timed from when it
 * was due, even if it was sent later because the ping before it had no answer yet. A comment is timed from when it was
 * sent, because the daemon refuses a write as `busy` when that write alone has waited too long.
 */
import { connect } from "./connection.ts";
import { percentile } from "./figures.ts";

const [socketPath = "", comments = "", idleSocketPath = ""] = process.argv.slice(2);
const PING_MS = 5;
const WRITE_MS = 100;

let running = true;
process.stdin.resume().once("end", () => {
  running = false;
});

async function sendPeriodically(
  period: number,
  isOverdue: boolean,
  send: () => Promise<boolean>,
  first = 0,
): Promise<readonly number[]> {
  const times: number[] = [];
  const begun = performance.now() + first;
  for (let tick = 0; running; tick++) {
    const due = begun + tick * period;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const sent = isOverdue ? due : performance.now();
    if (await send()) times.push(performance.now() - sent);
  }
  return times;
}

const pings = await connect(socketPath);
const idlePings = await connect(idleSocketPath);
const writes = await connect(socketPath);
let busy = 0;
const sendPing = (to: typeof pings) => async () =>
  (await to.send("GET", "/api/v1/ping")).status === 200;
const [ping, idle, write] = await Promise.all([
  sendPeriodically(PING_MS, true, sendPing(pings)),
  sendPeriodically(PING_MS, true, sendPing(idlePings), PING_MS / 2),
  sendPeriodically(WRITE_MS, false, async () => {
    const { status } = await writes.send("POST", comments, '{"body":"beside","actor":"beside"}');
    if (status === 503) busy += 1;
    else if (status !== 200) throw new Error(`a comment was answered with ${status}`);
    return true;
  }),
]);
pings.close();
idlePings.close();
writes.close();
const figures = (times: readonly number[]) => ({
  count: times.length,
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
  max: Math.max(0, ...times),
});
const print = { ping: figures(ping), idle: figures(idle), write: { ...figures(write), busy } };
console.log(JSON.stringify(print));
