import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { endByForce } from "../../src/client/force.ts";
import { signal } from "../../src/client/record.ts";

async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

test("sending a signal to a daemon that has already ended is no error", async () => {
  const pid = await endedPid();
  expect(() => signal(pid, "SIGTERM")).not.toThrow();
  const record = { pid, network: "unix", address: "/s", version: "1", started_at: "" } as const;
  expect(await endByForce(record, "running", systemClock)).toBe(false);
});
