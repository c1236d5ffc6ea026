/**
 * Measures how much processor time the check of a token costs a daemon. 64 kept-alive connections over loopback TCP
 * read one issue by `GET`. A daemon without tokens, and one whose clients send a token made by `svc tokens create`, are
 * measured in turn.
 *
 * npm run bench -- tokens [requests] [rounds]
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { median } from "./support/figures.ts";
import { processorSeconds } from "./support/processor-time.ts";

const REQUESTS = Number(process.argv[2] ?? 20_000);
const ROUNDS = Number(process.argv[3] ?? 5);
const CLIENTS = 64;
const SVC = path.resolve(import.meta.dirname, "../bin/svc");

interface Measured {
  readonly name: string;
  readonly pid: number;
  readonly microseconds: number[];
  ask(): Promise<void>;
  stop(): void;
}

const folder = mkdtempSync(path.join(tmpdir(), "svc-bench-tokens-"));
const all: Measured[] = [];
try {
  all.push(await measured("without tokens", ""));
  all.push(
    await measured("with a token", '[auth]\ntoken = "configured"\nrequire_token_identity = true\n'),
  );
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { pid, microseconds, ask } of all) {
      const before = processorSeconds(pid);
      await many(ask);
      const each = ((processorSeconds(pid) - before) / REQUESTS) * 1e6;
      // The first round does not count, because the code is compiled during it.
      if (round > 0) microseconds.push(each);
    }
  }
  for (const { name, microseconds } of all) {
    const each = microseconds.map((one) => one.toFixed(0)).join(" ");
    console.log(`${name.padEnd(16)} ${median(microseconds).toFixed(0)} µs a request  (${each})`);
  }
} finally {
  for (const { stop } of all) stop();
  rmSync(folder, { recursive: true });
}

async function measured(name: string, auth: string): Promise<Measured> {
  const home = path.join(folder, name.replaceAll(" ", "-"));
  const port = await freePort();
  mkdirSync(home, { mode: 0o700 });
  const config = `listen = "127.0.0.1:${port}"\n${auth}`;
  writeFileSync(path.join(home, "config.toml"), config, { mode: 0o600 });
  const base = { ...process.env, SVC_HOME: home, XDG_RUNTIME_DIR: home, SVC_AUTHOR: "bench" };
  const svc = (words: readonly string[], env: object = {}): string =>
    execFileSync(SVC, words, { cwd: home, env: { ...base, ...env }, encoding: "utf8" });
  const { pid } = JSON.parse(svc(["daemon", "start", "--json"])) as { pid: number };
  const create = ["tokens", "create", "--actor", "ann", "-q"];
  const token = auth === "" ? undefined : svc(create).trim();
  const own = token === undefined ? {} : { SVC_AUTH_TOKEN: token };
  svc(["init", "--project", "p"], own);
  const ref = svc(["create", "an issue", "--body", "with some text", "-q"], own).trim();
  const agent = new http.Agent({ keepAlive: true, maxSockets: CLIENTS });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const url = `http://127.0.0.1:${port}/api/v1/projects/1/issues/${ref}`;
  return {
    ...{ name, pid, microseconds: [] },
    ask: async () => await get(url, agent, headers),
    stop: () => {
      agent.destroy();
      svc(["daemon", "stop"]);
    },
  };
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

async function many(ask: () => Promise<void>): Promise<void> {
  let left = REQUESTS;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await ask();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return address.port;
}
