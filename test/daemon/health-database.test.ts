import { createServer, connect as dial, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { call, testDaemon } from "../support/daemon.ts";
import { freshPostgres } from "../support/postgres.ts";

/** A proxy for a server; the test can cut or stall it. */
async function wayTo(dsn: string) {
  const server = await freshPostgresAddress(dsn);
  const open = new Set<Socket>();
  let state: "open" | "cut" | "hanging" = "open";
  const proxy = createServer((client) => {
    open.add(client.on("error", () => undefined));
    if (state === "cut") return client.destroy();
    if (state === "hanging") return client;
    const upstream = dial(server).on("error", () => undefined);
    open.add(upstream);
    client.on("data", (bytes) => state === "open" && upstream.write(bytes));
    upstream.on("data", (bytes) => client.write(bytes));
    client.on("close", () => upstream.destroy());
    return upstream.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  const url = new URL(dsn);
  url.host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const turn = (next: typeof state): void => {
    state = next;
    if (next === "hanging") return;
    for (const socket of open) socket.destroy();
    open.clear();
  };
  onTestFinished(() => {
    turn("cut");
    proxy.close();
  });
  return { dsn: url.href, turn };
}

async function freshPostgresAddress(dsn: string) {
  const { hostname, port } = new URL(dsn);
  return { host: hostname, port: Number(port) };
}

const AWAY = {
  status: 503,
  body: { error: { code: "unavailable", data: { reason: "disconnected" } } },
};

test.each([
  ["", {}],
  [" of a daemon that ends when idle", { idleTimeoutMs: 3_600_000 }],
])(
  "GET /health%s still answers and reports a problem while the database is unreachable or hangs",
  async (_, idle) => {
    const database = await freshPostgres();
    onTestFinished(async () => await database.drop());
    const way = await wayTo(database.dsn);
    const { endpoint } = await testDaemon({ dsn: way.dsn, ...idle });
    const isOk = async (): Promise<unknown> => {
      const { status, body } = await call(endpoint, "GET", "/health");
      expect(status).toBe(200);
      return body["ok"];
    };
    expect(await isOk()).toBe(true);
    way.turn("cut");
    expect(await isOk()).toBe(false);
    const asked = [
      await call(endpoint, "GET", "/projects"),
      await call(endpoint, "POST", "/projects", { body: { name: "web", actor: "ann" } }),
    ];
    for (const answer of asked) expect(answer).toMatchObject(AWAY);
    way.turn("open");
    await expect.poll(isOk, { timeout: 10_000 }).toBe(true);
    way.turn("hanging");
    const begun = performance.now();
    expect(await Promise.all([isOk(), isOk(), isOk()])).toEqual([false, false, false]);
    expect(performance.now() - begun).toBeLessThan(5000);
    way.turn("open");
    await expect.poll(isOk, { timeout: 10_000 }).toBe(true);
  },
);
