import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { startBenchDaemon } from "./daemon.ts";

const SVC = path.resolve(import.meta.dirname, "../../bin/svc");
const VARIABLE = "SVC_BENCH_TOKEN";

/** A tool server over HTTP and the daemon that it uses. The daemon has the project `web`. */
export interface ToolSite {
  readonly port: number;
  readonly token: string;
  /** The folder of the workspace of `web`. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

export async function startToolSite(...words: readonly string[]): Promise<ToolSite> {
  const token = "token-of-this-bench";
  const daemon = await startBenchDaemon({ env: { [VARIABLE]: token } });
  const folder = path.join(daemon.home, "work");
  mkdirSync(folder);
  const options = { cwd: folder, env: daemon.env } as const;
  execFileSync(SVC, ["init", "--project", "web"], { ...options, stdio: "ignore" });
  const port = await freePort();
  const http = ["--http", `127.0.0.1:${port}`, "--http-token-env", VARIABLE];
  const child = spawn(SVC, ["mcp", "serve", ...http, ...words], {
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  });
  await once(child.stderr, "data");
  return {
    port,
    token,
    folder,
    env: daemon.env,
    stop: async () => {
      child.kill("SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      await daemon.stop();
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
