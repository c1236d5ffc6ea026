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
 * A daemon of another version, as a client sees it: a process that answers pings and ends when it is asked to. `pid` is
 * the pid that it reports, if that is to be wrong. `told` has the other fields, which older versions leave out.
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
