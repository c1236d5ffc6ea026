import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import type { Log } from "../base/log.ts";
import type { GroupKeeper } from "./process.ts";

/**
 * Reads lines `+<group>` and `-<group>`. At the end of its stdin, which is when the daemon ends, it kills the groups
 * that are left.
 */
const SCRIPT = `
live=
while read -r line; do
  group=\${line#?}
  left=
  for one in $live; do [ "$one" = "$group" ] || left="$left $one"; done
  live=$left
  case $line in +*) live="$live $group" ;; esac
done
for one in $live; do kill -s KILL -- "-$one"; done
`;

/**
 * Kills the programs of connectors that still run when the daemon is killed itself: a small shell beside the daemon,
 * started by the first call of a connector. Without a shell, such a program runs until it ends by itself. On Windows
 * there is none.
 */
export class Reaper implements GroupKeeper {
  readonly #log: Pick<Log, "warn">;
  readonly #path: string;
  readonly #groups = new Set<number>();
  #shell: Shell | undefined;
  #isMissing = false;

  constructor(log: Pick<Log, "warn">, shell = "/bin/sh") {
    this.#log = log;
    this.#path = shell;
  }

  ready(): void {
    if (process.platform !== "win32" && this.#shell === undefined) this.#start();
  }

  add(group: number): void {
    this.ready();
    this.#groups.add(group);
    this.#tell(`+${group}\n`);
  }

  remove(group: number): void {
    if (this.#groups.delete(group)) this.#tell(`-${group}\n`);
  }

  /** Ends the shell, which kills what is left. */
  stop(): void {
    this.#shell?.stdin.end();
    this.#shell = undefined;
  }

  #tell(line: string): void {
    this.#shell?.stdin.write(line);
  }

  #start(): void {
    const shell = startShell(this.#path);
    if (shell === undefined) {
      this.#warn();
      return;
    }
    const gone = (): void => {
      if (this.#shell !== shell) return;
      this.#shell = undefined;
      this.#warn();
    };
    shell.once("error", gone).once("exit", gone);
    shell.stdin.on("error", gone);
    // Neither the shell nor its pipe keeps the daemon running.
    shell.unref();
    if ("unref" in shell.stdin && typeof shell.stdin.unref === "function") shell.stdin.unref();
    this.#shell = shell;
    for (const group of this.#groups) this.#tell(`+${group}\n`);
  }

  #warn(): void {
    if (!this.#isMissing) this.#log.warn("connectors.reaper_missing");
    this.#isMissing = true;
  }
}

type Shell = ChildProcess & { readonly stdin: Writable };

/** Undefined if no shell can be started, such as without memory or free file descriptors. */
function startShell(path: string): Shell | undefined {
  try {
    const shell = spawn(path, ["-c", SCRIPT], {
      // A group of its own, so that a signal to the daemon's group does not end it.
      ...{ env: {} as NodeJS.ProcessEnv, cwd: "/", detached: true },
      stdio: ["pipe", "ignore", "ignore"],
    });
    shell.once("error", () => undefined);
    return hasStdin(shell) ? shell : undefined;
  } catch {
    return undefined;
  }
}

/** Without free file descriptors Node makes no streams. */
function hasStdin(shell: ChildProcess): shell is Shell {
  return shell.stdin !== null && shell.stdin !== undefined;
}
