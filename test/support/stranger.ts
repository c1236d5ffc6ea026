import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/**
 * The uid of another user of this machine, as whom `strangerAt` acts if the test runs as root. Otherwise it makes a
 * symbolic link, which is something that such a user could leave there.
 */
export const STRANGER_UID = 12_345;

export const isRoot = process.getuid?.() === 0;

export interface Stranger {
  /** Everything that was sent to it. */
  heard(): string;
}

const SCRIPT = `
  const { mkdirSync, symlinkSync } = require("node:fs");
  const { dirname, basename, join } = require("node:path");
  const [socket, uid] = process.argv.slice(1);
  if (process.getuid() === 0) {
    process.setgroups([]);
    process.setgid(Number(uid));
    process.setuid(Number(uid));
    process.umask(0);
    mkdirSync(dirname(socket), { recursive: true });
  } else {
    const place = dirname(dirname(socket));
    mkdirSync(join(place + "-real", basename(dirname(socket))), { recursive: true });
    symlinkSync(place + "-real", place);
  }
  require("node:http").createServer((request, response) => {
    process.stdout.write(request.method + " " + request.url + " " + JSON.stringify(request.headers) + "\\n");
    request.on("data", (piece) => process.stdout.write(piece));
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ ok: true, service: "svc", version: "0.1.0", pid: process.pid, issues: [] }));
  }).listen(socket, () => process.stdout.write("ready\\n"));`;

/** Another user who made the socket's folders first, listens there as svc would, and records what is sent. */
export async function strangerAt(socket: string): Promise<Stranger> {
  const child = spawn(process.execPath, ["-e", SCRIPT, socket, String(STRANGER_UID)], {
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  await once(child.stdout, "data");
  return { heard: () => said.replace(/^ready\n/, "") };
}
