import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { recordedIn } from "../../src/client/daemons.ts";
import { tempFolder } from "../support/daemon.ts";

/** A process that closes each connection without an answer, and its record. */
async function cuttingProcess(folder: string, words: readonly string[]): Promise<number> {
  const script = `
    const server = require("node:net").createServer((socket) => socket.destroy());
    server.listen(0, "127.0.0.1", () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ["-e", script, "--", ...words]);
  onTestFinished(() => void child.kill());
  const port = String((await once(child.stdout, "data"))[0]).trim();
  const pid = child.pid ?? 0;
  const record = {
    pid,
    network: "tcp",
    address: `127.0.0.1:${port}`,
    service: "svc",
    version: "1.2.3",
    started_at: systemClock.now(),
    metadata: {},
  };
  writeFileSync(join(folder, `daemon.${pid}.json`), JSON.stringify(record));
  return pid;
}

test("a daemon that closes connections without an answer is reported as unresponsive", async () => {
  const folder = tempFolder();
  const pid = await cuttingProcess(folder, ["daemon", "start", "--foreground"]);
  expect(await recordedIn(folder)).toMatchObject([{ record: { pid }, state: "silent" }]);
});

test("another process that closes connections is not mistaken for the daemon", async () => {
  const folder = tempFolder();
  await cuttingProcess(folder, ["something", "else"]);
  expect(await recordedIn(folder)).toEqual([]);
});
