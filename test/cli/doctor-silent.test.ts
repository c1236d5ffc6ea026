import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { storageChecks } from "../../src/archive/storage-checks.ts";
import { stopwatch, systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { check } from "../../src/cli/doctor.ts";
import { parseDsn } from "../../src/config/dsn.ts";
import { runtimeDir } from "../../src/config/paths.ts";
import { recordPath } from "../../src/daemon/listeners/record.ts";
import { openStore } from "../../src/store/open.ts";
import { json, PONG, type Script, standIn } from "../client/stand-in.ts";
import { tempFolder } from "../support/daemon.ts";
import { openNetwork } from "../support/network.ts";
import { postgresDsn } from "../support/postgres.ts";
import { cliWorld, runCommand } from "./harness.ts";

/** The ten seconds of a question, and the work on a busy machine. */
const ANSWERED_MS = 20_000;

test("svc doctor asks an unresponsive daemon once, for ten seconds at most", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request) => asked.push(request.url)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const w = await cliWorld();
  const elapsed = stopwatch();
  const env = { SVC_SERVER: `http://127.0.0.1:${port}`, SVC_HTTP_TIMEOUT: "10m" };
  const { out, code } = await w.run(["doctor", "--json"], { env });
  expect(elapsed()).toBeLessThan(ANSWERED_MS);
  expect(code).toBe(1);
  const checks = JSON.parse(out).checks as readonly { id: string; status: string }[];
  const statusOf = (name: string) => checks.find(({ id }) => id === name)?.status;
  expect(statusOf("daemon.health")).toBe("failed");
  expect(statusOf("daemon.engines")).toBe("skipped");
  expect(statusOf("workspace.project")).toBe("skipped");
  expect(asked).toHaveLength(1);
});

/** What a stand-in on TCP is asked by the doctor of a home whose record names it as the local daemon. */
async function askedByDoctor(script: Script) {
  const server = await standIn(script, "tcp");
  const port = server.address.network === "tcp" ? server.address.port : 0;
  const address = `127.0.0.1:${port}`;
  const home = tempFolder();
  const runtime = runtimeDir(home, parseDsn("svc.db", home));
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  const listener = { address, kind: "shared-tcp", https: false };
  const record = {
    ...{ service: "svc", pid: process.pid, network: "tcp", address, version: "1.2.3" },
    started_at: systemClock.now(),
    metadata: { mode: "open", listeners: [listener] },
  };
  writeFileSync(recordPath(runtime, process.pid), JSON.stringify(record), { mode: 0o600 });
  const env = { SVC_HOME: home, HOME: home, XDG_RUNTIME_DIR: home, USER: "ann" };
  const { out } = await runCommand(["doctor", "--json"], { env, cwd: home });
  const asked = server.requests.map((request) => request.split(" ", 2).join(" "));
  const checks = JSON.parse(out).checks as readonly { id: string; status: string }[];
  return { asked, statuses: new Map(checks.map(({ id, status }) => [id, status])) };
}

test("svc doctor sends a single request to a local daemon that answers nothing", async () => {
  const { asked, statuses } = await askedByDoctor(() => undefined);
  expect(asked).toEqual(["GET /api/v1/ping"]);
  expect(statuses.get("daemon.connection")).toBe("failed");
  expect(statuses.get("daemon.health")).toBe("skipped");
});

test("svc doctor sends one request of each kind to a local daemon that answers only pings", async () => {
  const pong = json(200, { ...PONG, version: "1.2.3", pid: process.pid });
  const { asked, statuses } = await askedByDoctor((request) =>
    request.startsWith("GET /api/v1/ping ") ? pong : undefined,
  );
  expect(asked.filter((one) => one !== "GET /api/v1/ping")).toEqual([
    "GET /api/v1/instance",
    "GET /api/v1/health",
  ]);
  expect(statuses.get("daemon.health")).toBe("failed");
  expect(statuses.get("daemon.engines")).toBe("skipped");
});

test("svc doctor sends no more queries to a database server after the first query without an answer", async () => {
  const network = await openNetwork(await postgresDsn());
  onTestFinished(async () => await network.close());
  const { dsn } = network;
  await (await openStore({ dsn, clock: systemClock, ids: systemIds(), timezone: "UTC" })).close();
  const found = await storageChecks({ dialect: "postgres", dsn }, async (id, work) => {
    const done = await check(id, work);
    if (id === "storage.open") network.drop();
    return done;
  });
  const statusOf = (name: string) => found.find(({ id }) => id === name);
  expect(statusOf("storage.open")).toMatchObject({ status: "ok" });
  expect(statusOf("storage.writes")).toMatchObject({ status: "failed" });
  const unknown = { status: "skipped", summary: "unknown: the database did not answer" };
  expect(statusOf("storage.circles")).toMatchObject(unknown);
  expect(statusOf("storage.jobs")).toMatchObject(unknown);
});
