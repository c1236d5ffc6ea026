import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseHostPort } from "../../src/config/addresses.ts";
import { tempFolder } from "../support/daemon.ts";
import { daemonProcess } from "../support/daemon-process.ts";

const REQUESTS = 20_000;
const AT_ONCE = 10;

test("20,000 refused requests leave the daemon's log unchanged, and are counted in a separate file", async () => {
  const folder = tempFolder();
  const env = { SVC_AUTH_TOKEN: "token-of-the-owner-0123456789" };
  const daemon = await daemonProcess({ folder, env, args: ["--listen", "127.0.0.1:0"] });
  onTestFinished(async () => void (await daemon.end("SIGKILL")));
  const log = join(daemon.runtimeDir, "daemon.log");
  const history = readFileSync(log, "utf8");
  const { host = "", port = 0 } = parseHostPort(daemon.endpoint.address) ?? {};
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, at) => {
      const paths = Array.from({ length: REQUESTS / AT_ONCE }, (_, one) =>
        at === 0 ? `/api/v1/projects/${one}` : "/api/v1/projects",
      );
      await refused(port, host, paths);
    }),
  );
  expect(await daemon.end("SIGTERM")).toBe(0);

  const added = readFileSync(log, "utf8").slice(history.length);
  expect(added).not.toContain("request.refused");
  expect(added.split("\n").length).toBeLessThan(10);
  const refusals = join(daemon.runtimeDir, "refusals.log");
  const lines = readFileSync(refusals, "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThan(500);
  expect(existsSync(`${refusals}.1`)).toBe(false);
  const count = lines.reduce((sum, line) => sum + (JSON.parse(line).repeated ?? 1), 0);
  expect(count).toBe(REQUESTS);
});

/** Sends requests without a token on one connection, and waits until each is refused. */
async function refused(port: number, host: string, paths: readonly string[]): Promise<void> {
  const socket = connect(port, host);
  onTestFinished(() => void socket.destroy());
  let text = "";
  const head = `Host: ${host}:${port}\r\n`;
  socket.setEncoding("latin1").on("data", (piece: string) => {
    text += piece;
  });
  for (const [at, path] of paths.entries()) {
    const close = at === paths.length - 1 ? "Connection: close\r\n" : "";
    socket.write(`GET ${path} HTTP/1.1\r\n${head}${close}\r\n`);
  }
  await once(socket, "close");
  expect(text.match(/HTTP\/1\.1 401 /g)).toHaveLength(paths.length);
}
