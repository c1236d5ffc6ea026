import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

const SCRIPT = `
  const [socket, version, pid, told] = process.argv.slice(1);
  require("node:http").createServer((_request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ ok: true, service: "svc", version, pid: Number(pid) || process.pid, ...JSON.parse(told) }));
  }).listen(socket, () => process.stdout.write("ready"));`;

/**
 * A daemon of another release, as far as a client can see it: a process that answers pings and ends when it is told
 * to. `pid` is what it says of itself, where that is to be wrong; `told` is the rest, which older releases leave out.
 */
export async function oldDaemon(
  socket: string,
  version: string,
  pid = 0,
  told: Readonly<Record<string, string | number>> = {},
): Promise<ChildProcess & { readonly pid: number }> {
  const args = ["-e", SCRIPT, socket, version, String(pid), JSON.stringify(told)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return Object.assign(child, { pid: child.pid ?? 0 });
}
