import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { parseDsn } from "../../src/config/dsn.ts";
import { socketPath } from "../../src/config/paths.ts";
import { call } from "./daemon.ts";
import { type DaemonProcess, daemonProcess } from "./daemon-process.ts";

const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "run.js");

/** Each home keeps compiled code of its own, which a kill may cut off too. */
const OWN_CACHE = { XDG_CACHE_HOME: "" };

export interface FirstStart {
  /** The files of the database that existed when the process was killed. */
  readonly left: readonly string[];
  /** What the killed daemon had acknowledged and the next one does not have. */
  readonly lost: readonly string[];
  /** Files beside the database that belong to nothing after the next start. */
  readonly litter: readonly string[];
}

/** Returns how long a first start takes on this machine until the daemon is announced. */
export async function firstStartMs(folder: string): Promise<number> {
  const begun = performance.now();
  const daemon = await daemonProcess({ folder, env: OWN_CACHE });
  const took = performance.now() - begun;
  await daemon.end("SIGKILL");
  return took;
}

/**
 * Starts a daemon for the first time in an empty folder and kills it `afterMs` after the spawn, while a client writes
 * as soon as it can. Then starts a daemon normally: it must work, and must have everything that was acknowledged.
 */
export async function killedFirstStart(folder: string, afterMs: number): Promise<FirstStart> {
  const run = join(folder, "run");
  const home = join(folder, "home");
  mkdirSync(run, { recursive: true, mode: 0o700 });
  const env = { HOME: folder, SVC_HOME: home, XDG_RUNTIME_DIR: run };
  const child = spawn(process.execPath, [LAUNCHER, "daemon", "start", "--foreground"], {
    cwd: folder,
    env,
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  const acknowledged: string[] = [];
  const writing = new AbortController();
  const writer = writeUntil(writing.signal, socketOf(folder, env), acknowledged);
  await systemClock.sleep(afterMs);
  child.kill("SIGKILL");
  await ended;
  writing.abort();
  await writer;
  const left = existsSync(home)
    ? readdirSync(home).filter((name) => name.startsWith("svc.db"))
    : [];

  const daemon = await daemonProcess({ folder, env: OWN_CACHE });
  const names = await projectsOf(daemon);
  await call(daemon.endpoint, "POST", "/projects", { body: { name: "after", actor: "ann" } });
  const lost = acknowledged.filter((name) => !names.includes(name));
  if (!(await projectsOf(daemon)).includes("after")) lost.push("after");
  const litter = readdirSync(home).filter((name) => /^svc\.db\.(?!daemon\.lock|end$)/.test(name));
  await daemon.end("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
  return { left, lost, litter };
}

function socketOf(folder: string, env: Readonly<Record<string, string>>): string {
  const home = join(folder, "home");
  return socketPath(env, parseDsn(join(home, "svc.db"), folder), home);
}

async function writeUntil(
  ended: AbortSignal,
  address: string,
  acknowledged: string[],
): Promise<void> {
  for (let count = 0; !ended.aborted; count++) {
    const name = `p${count}`;
    const body = { name, actor: "ann" };
    try {
      const { status } = await call({ network: "unix", address }, "POST", "/projects", { body });
      if (status === 200) acknowledged.push(name);
    } catch {
      // Nothing listens yet, or nothing listens any more.
      await systemClock.sleep(2);
    }
  }
}

async function projectsOf({ endpoint }: DaemonProcess): Promise<readonly string[]> {
  const { body } = await call(endpoint, "GET", "/projects");
  return (body["projects"] as readonly { readonly name: string }[]).map(({ name }) => name);
}
