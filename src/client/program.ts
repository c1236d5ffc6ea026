import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Env } from "../config/env.ts";
import type { Config } from "../config/load.ts";

/** How a client starts a daemon of its own version. */
export interface Program {
  readonly version: string;
  /** The script that runs `daemon start`; `undefined` if this process cannot start a daemon. */
  readonly launcher: string | undefined;
}

/**
 * Only svc's own launcher can start a daemon. In a test runner or another program, the running script is not svc's, and
 * starting that script for each call would never end (facts cli-and-config 4.5).
 */
export function thisProgram(version: string, script = process.argv[1]): Program {
  return { version, launcher: script === undefined ? undefined : launcherAt(script) };
}

function launcherAt(script: string): string | undefined {
  try {
    const path = realpathSync(script);
    const isOurs = basename(dirname(path)) === "bin" && LAUNCHERS.has(basename(path));
    return isOurs ? path : undefined;
  } catch {
    return undefined;
  }
}

const LAUNCHERS = new Set(["run.js", "dev.js"]);

/**
 * The environment of a daemon started here: the mark of an autostart, and absolute paths, because the daemon's working
 * folder is the home.
 */
export function daemonEnv({ env, home, dsn, sources }: Config): Env {
  const { SVC_DB: _older, ...rest } = env;
  const fixed =
    sources.dsn === "env" ? { SVC_DSN: dsn.dialect === "sqlite" ? dsn.path : dsn.url } : {};
  return { ...rest, ...fixed, SVC_HOME: home, SVC_AUTOSTART: "1" };
}
