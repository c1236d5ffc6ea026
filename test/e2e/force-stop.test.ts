import { spawn } from "node:child_process";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isAlive } from "../../src/client/record.ts";
import { openStream } from "../support/daemon.ts";
import { type Box, box } from "./box.ts";

interface Status {
  readonly daemons: readonly { readonly pid: number; readonly address: string }[];
}

async function running(place: Box) {
  await place.json("init", "--project", "tools");
  const { daemons } = await place.json<Status>("daemon", "status");
  const [daemon] = daemons;
  if (daemon === undefined) throw new Error("no daemon");
  return { pid: daemon.pid, address: daemon.address.replace("unix://", "") };
}

test("svc daemon stop names a daemon that hangs, and with --force ends it without loss of acknowledged writes", async () => {
  const place = box({ SVC_HTTP_TIMEOUT: "1s" });
  const { pid } = await running(place);
  await place.json("create", "kept");
  process.kill(pid, "SIGSTOP");
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  for (const words of [
    ["list"],
    ["list", "--json"],
    ["show", "abc4", "--json"],
    ["create", "lost"],
  ]) {
    const { code, stderr } = await place.svc(...words);
    expect([words, code]).toEqual([words, 7]);
    expect(stderr).toContain(`the daemon (pid ${pid}) at `);
    expect(stderr).toContain(`svc daemon stop --force (pid ${pid})`);
  }
  const refused = await place.svc("daemon", "stop");
  expect(refused.code).toBe(7);
  expect(refused.stderr).toContain(`svc daemon stop --force (pid ${pid})`);
  expect(await place.json("daemon", "stop", "--force")).toMatchObject({
    stopped: true,
    pids: [pid],
    killed: [pid],
  });
  expect(isAlive(pid)).toBe(false);
  const { issues } = await place.json<{ issues: readonly { title: string }[] }>("list");
  expect(issues.map(({ title }) => title)).toEqual(["kept"]);
  expect(await place.json("daemon", "stop", "--force")).not.toHaveProperty("killed");
}, 60_000);

test.runIf(process.platform === "linux")(
  "svc daemon stop --force does not end another program that now has the daemon's pid",
  async () => {
    const place = box();
    const { pid } = await running(place);
    process.kill(pid, "SIGSTOP");
    onTestFinished(() => {
      if (isAlive(pid)) process.kill(pid, "SIGKILL");
    });
    const other = spawn("sleep", ["60"], { stdio: "ignore" });
    onTestFinished(() => void other.kill("SIGKILL"));
    const [name = ""] = readdirSync(join(place.home, "runtime"));
    const folder = join(place.home, "runtime", name);
    const path = join(folder, `daemon.${pid}.json`);
    const record = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...record, pid: other.pid }));
    renameSync(path, join(folder, `daemon.${other.pid}.json`));
    const refused = await place.svc("daemon", "stop", "--force");
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain(`pid ${other.pid} cannot be shown to be the daemon`);
    expect(isAlive(other.pid ?? 0)).toBe(true);
    process.kill(pid, "SIGKILL");
  },
  60_000,
);

test("svc daemon stop does not wait for a client that opened a stream of events and does not read it", async () => {
  const place = box();
  const { address } = await running(place);
  const stream = await openStream({ network: "unix", address });
  stream.pause();
  for (let count = 0; count < 5; count++)
    await place.json("create", `wide ${count}`, "--force-new", "--body", "x".repeat(100_000));
  const begun = performance.now();
  await place.json("daemon", "stop");
  const bare = performance.now();
  await place.json("daemon", "stop");
  // Subtracts the time that the command itself takes on this machine.
  expect(bare - begun - (performance.now() - bare)).toBeLessThan(1000);
}, 60_000);
