/**
 * Measures what the check of a token costs a daemon: the processor time of a `GET` of one issue, sent over 64 open TCP
 * connections on loopback. Three daemons are measured in turn: one without tokens, one with a token in its settings,
 * and one with a token of `svc tokens create`. They run in one process, since two processes differ by up to a tenth for
 * the same requests. The rounds are short, so that other work of the machine slows all three alike.
 *
 *   npm run bench -- tokens [requests] [rounds]
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { median, percentile } from "./support/figures.ts";
import type { Served } from "./support/token-daemons.ts";

const REQUESTS = Number(process.argv[2] ?? 256);
const ROUNDS = Number(process.argv[3] ?? 300);
const CLIENTS = 64;
/** The first rounds are not counted, because the JavaScript engine compiles the code during them. */
const WARM = 30;

const folder = mkdtempSync(path.join(tmpdir(), "svc-bench-tokens-"));
const script = path.join(import.meta.dirname, "support/token-daemons.ts");
const daemons = spawn(process.execPath, [script, folder], { stdio: ["pipe", "pipe", "inherit"] });
try {
  const lines = createInterface(daemons.stdout)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => String((await lines.next()).value);
  const measured = (JSON.parse(await nextLine()) as readonly Served[]).map((served) => ({
    ...served,
    microseconds: [] as number[],
    agent: new http.Agent({ keepAlive: true, maxSockets: CLIENTS }),
  }));
  const cpuUsed = async (): Promise<number> => {
    daemons.stdin.write("\n");
    return Number(await nextLine());
  };
  for (let round = 0; round < WARM + ROUNDS; round += 1) {
    for (const { url, token, agent, microseconds } of round % 2 === 0
      ? measured
      : measured.toReversed()) {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const before = await cpuUsed();
      await askMany(async () => await get(url, agent, headers));
      const each = ((await cpuUsed()) - before) / REQUESTS;
      if (round >= WARM) microseconds.push(each);
    }
  }
  const [{ microseconds: without } = { microseconds: [] }] = measured;
  for (const { name, microseconds, agent } of measured) {
    agent.destroy();
    const ratios = microseconds.map((one, at) => one / (without[at] ?? Number.NaN));
    console.log(
      `${name.padEnd(16)} ${spreadText(microseconds, 0)} µs a request, ${spreadText(ratios, 3)} of those without`,
    );
  }
} finally {
  daemons.stdin.end();
  await new Promise((resolve) => daemons.once("exit", resolve));
  rmSync(folder, { recursive: true });
}

function spreadText(sample: readonly number[], digits: number): string {
  const [low, high] = [percentile(sample, 0.25), percentile(sample, 0.75)];
  return `${median(sample).toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

async function get(
  url: string,
  agent: http.Agent,
  headers: http.OutgoingHttpHeaders,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = http.get(url, { agent, headers }, (answer) => {
      answer.resume();
      answer.once("end", () =>
        answer.statusCode === 200
          ? resolve()
          : reject(new Error(`the daemon answered ${answer.statusCode}`)),
      );
    });
    request.once("error", reject);
  });
}

async function askMany(ask: () => Promise<void>): Promise<void> {
  let left = REQUESTS;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await ask();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}
