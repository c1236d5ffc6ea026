import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, chownSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { freePort } from "./free-port.ts";

const PROGRAM = "/usr/sbin/nginx";

/** Whether nginx is installed; tests that need it are skipped without it. */
export const HAS_NGINX = ((): boolean => {
  try {
    accessSync(PROGRAM, constants.X_OK);
    return true;
  } catch {
    return false;
  }
})();

/**
 * Starts nginx as a user, in front of `address`. `server` is the `server` block of a page of docs, which here gets
 * plain HTTP and a port of its own. Returns its origin.
 */
export async function nginxBefore(address: string, server: string, uid: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "svc-nginx-"));
  chownSync(folder, uid, uid);
  const port = await freePort();
  const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(" ");
  const plain = server
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replaceAll(/ *ssl_certificate\w* .*\n/g, "")
    .replaceAll(/proxy_pass [^;]*;/g, `proxy_pass http://${address};`);
  const user = uid === 0 ? "user root;" : "";
  const config = `${user} daemon off; pid ${folder}/pid; error_log ${folder}/error.log;\nevents {}\nhttp { access_log off; ${temp}\n${plain}\n}\n`;
  writeFileSync(join(folder, "nginx.conf"), config);
  const words = ["-e", join(folder, "error.log"), "-p", folder, "-c", join(folder, "nginx.conf")];
  const child = spawn(PROGRAM, words, { uid, gid: uid, cwd: "/", stdio: "ignore" });
  onTestFinished(async () => {
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  });
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    await systemClock.sleep(10);
  }
  return `http://127.0.0.1:${port}`;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = new Promise((resolve) => void child.once("close", resolve));
  child.kill("SIGTERM");
  await closed;
}

async function answers(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const settle = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", () => settle(true)).once("error", () => settle(false));
  });
}
