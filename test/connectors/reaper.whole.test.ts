import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { Reaper } from "../../src/connectors/reaper.ts";
import { ANSWERS, marks, runningOf, sleeper, startedOf, untilGone } from "./programs/marks.ts";

const TESTER = join(import.meta.dirname, "programs", "tester-process.ts");
const CALLER = join(import.meta.dirname, "programs", "caller-process.ts");

describe.runIf(process.platform !== "win32")("the reaper", () => {
  test("kills a connector and what it started when the daemon is killed", async () => {
    const path = marks();
    const daemon = spawn(process.execPath, [
      ...[CALLER, process.execPath, ANSWERS, "sleep-with-child", path],
    ]);
    while (startedOf(path) < 2) await systemClock.sleep(20);
    expect(runningOf(path)).toHaveLength(2);
    daemon.kill("SIGKILL");
    await once(daemon, "exit");
    expect(await untilGone(path)).toEqual([]);
  });

  test("kills a connector and what it started when svc connector test is ended by a signal", async () => {
    const path = marks();
    const tester = spawn(process.execPath, [
      ...[TESTER, process.execPath, ANSWERS, "sleep-with-child", path],
    ]);
    while (startedOf(path) < 2) await systemClock.sleep(20);
    tester.kill("SIGTERM");
    await once(tester, "exit");
    expect(await untilGone(path)).toEqual([]);
  });

  test("leaves a group whose call has ended alone, and kills the others when it stops", async () => {
    const reaper = new Reaper({ warn: () => undefined });
    const [ended, other] = [sleeper(), sleeper()];
    reaper.add(ended.pid ?? 0);
    reaper.add(other.pid ?? 0);
    reaper.remove(ended.pid ?? 0);
    reaper.stop();
    await once(other, "exit");
    // Enough for a signal of the same moment to arrive.
    await systemClock.sleep(50);
    expect([ended.exitCode, ended.signalCode, other.signalCode]).toEqual([null, null, "SIGKILL"]);
    ended.kill("SIGKILL");
  });

  test("that cannot be started is logged once and fails no call", () => {
    const said: string[] = [];
    const reaper = new Reaper({ warn: (event) => void said.push(event) }, "/bin\0sh");
    for (const group of [1_000_001, 1_000_002]) {
      reaper.add(group);
      reaper.remove(group);
    }
    reaper.stop();
    expect(said).toEqual(["connectors.reaper_missing"]);
  });

  test("is not there without free file descriptors, and the call of that moment has failed", async () => {
    const program = join(import.meta.dirname, "programs", "out-of-files-process.ts");
    const limited = 'ulimit -n 200; exec "$0" "$1"';
    const daemon = spawn("/bin/sh", ["-c", limited, process.execPath, program]);
    let text = "";
    daemon.stdout.on("data", (part: Buffer) => {
      text += part.toString();
    });
    await once(daemon, "close");
    expect(JSON.parse(text)).toMatchObject({
      ran: { fault: "process", rule: "process.start" },
      logged: ["connectors.reaper_missing"],
    });
  });

  test("that was killed is started again by the next call, with the groups that still run", async () => {
    const said: string[] = [];
    const reaper = new Reaper({ warn: (event) => void said.push(event) });
    const [first, second] = [sleeper(), sleeper()];
    reaper.add(first.pid ?? 0);
    const [shell = 0] = await shellsOf(process.pid);
    process.kill(shell, "SIGKILL");
    while (said.length === 0) await systemClock.sleep(5);
    reaper.add(second.pid ?? 0);
    reaper.stop();
    await Promise.all([once(first, "exit"), once(second, "exit")]);
    expect([first.signalCode, second.signalCode, said]).toEqual([
      ...["SIGKILL", "SIGKILL"],
      ["connectors.reaper_missing"],
    ]);
  });
});

/** The shells that a process has started. */
async function shellsOf(parent: number): Promise<readonly number[]> {
  const listed = spawn("ps", ["-A", "-o", "ppid=,pid=,comm="]);
  let text = "";
  listed.stdout.on("data", (part: Buffer) => {
    text += part.toString();
  });
  await once(listed, "close");
  return text
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([ppid, , name]) => Number(ppid) === parent && name?.endsWith("sh") === true)
    .map(([, pid]) => Number(pid));
}
