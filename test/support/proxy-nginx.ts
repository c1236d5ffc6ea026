import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";

/** False where nginx is not installed. Tests that need it are skipped there. */
export const hasNginx = spawnSync("nginx", ["-v"], { env: { PATH: programPath() } }).status === 0;

/** On Debian, programs of the administrator are not on the path of every user. */
function programPath(): string {
  return `${process.env["PATH"] ?? ""}:/usr/sbin`;
}

const TEMPORARY = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];

export interface Proxied {
  readonly status: number | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * A real nginx, run by this user, in front of a daemon at `address`. It says that every request comes from `actor`, in
 * the header `X-User`; without an actor it sends no such header.
 */
export async function nginxAs(uid: number, address: string, actor?: string) {
  const folder = mkdtempSync(join(tmpdir(), "svc-nginx-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chownSync(folder, uid, uid);
  const socketPath = join(folder, "socket");
  const config = `daemon off; pid ${folder}/pid; worker_processes 1; error_log stderr crit;
    events { worker_connections 64; }
    http {
      access_log off;
      ${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n      ")}
      server {
        listen unix:${socketPath};
        location / {
          proxy_pass http://${address};
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header X-User "${actor ?? ""}";
        }
      }
    }`;
  writeFileSync(join(folder, "nginx.conf"), config);
  const words = ["-e", "stderr", "-c", join(folder, "nginx.conf")];
  const child = spawn("nginx", words, {
    ...{ uid, gid: uid, cwd: "/", env: { PATH: programPath() } },
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  while (!existsSync(socketPath)) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    await systemClock.sleep(10);
  }
  return async (method: string, path: string, body?: object): Promise<Proxied> => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = { host: "tracker", ...(text && { "content-type": "application/json" }) };
    const options = { socketPath, method, path: `/api/v1${path}`, headers, agent: false };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(options).once("response", resolve).once("error", reject).end(text);
    });
    let answer = "";
    for await (const piece of response.setEncoding("utf8")) answer += String(piece);
    const isJson = answer.startsWith("{");
    return { status: response.statusCode, body: isJson ? JSON.parse(answer) : {} };
  };
}
