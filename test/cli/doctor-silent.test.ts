import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { stopwatch } from "../../src/base/clock.ts";
import { cliWorld } from "./harness.ts";

/** The ten seconds of a question, and the work on a busy machine. */
const ANSWERED_MS = 20_000;

test("svc doctor asks a daemon that does not answer once, for ten seconds at most", async () => {
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
