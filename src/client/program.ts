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
 * Returns the running program. It has a launcher only if the running script is svc's own. In a test runner or another
 * program, starting the script again as a daemon would make each copy start the next one, without end
 * (docs/contract/command-line.md#45-starting-by-a-command).
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
 * The environment for a daemon that this process starts. `SVC_AUTOSTART` tells the daemon that a command has started
 * it. Paths are absolute, because the daemon's working folder is the home.
 */
export function daemonEnv({ env, home, dsn, sources }: Config): Env {
  const { SVC_DB: _older, ...rest } = env;
  const fixed =
    sources.dsn === "env" ? { SVC_DSN: dsn.dialect === "sqlite" ? dsn.path : dsn.url } : {};
  // By default, glibc gives each thread an arena, which keeps freed memory. `bin/svc` sets the same limit on arenas.
  const arenas = { MALLOC_ARENA_MAX: env["MALLOC_ARENA_MAX"] ?? "2" };
  return { ...rest, ...fixed, ...arenas, SVC_HOME: home, SVC_AUTOSTART: "1" };
}
