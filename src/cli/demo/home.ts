import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRecords } from "../../client/record.ts";
import { parseDsn } from "../../config/dsn.ts";
import type { Env } from "../../config/env.ts";
import { runtimeDir } from "../../config/paths.ts";

/** A temporary home folder of svc and a temporary workspace, separate from the user's. */
export interface DemoHome {
  readonly folder: string;
  readonly home: string;
  readonly work: string;
  readonly signal: AbortSignal;
  run(words: readonly string[], actor?: string): Promise<string>;
  /** Runs svc in the demo's workspace, on this command's terminal. */
  show(words: readonly string[]): Promise<void>;
  remove(keep: boolean): Promise<void>;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function makeDemoHome(launcher: string, env: Env): DemoHome {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "svc-demo-"));
  const [home, work, sockets] = ["home", "work", "run"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [work, sockets]) mkdirSync(path, { mode: 0o700 });
  const ownEnv = { ...withoutSettings(env), SVC_HOME: home, XDG_RUNTIME_DIR: sockets };
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const removeHome = (): void => clearAtOnce(home, folder);
  for (const signal of SIGNALS) process.on(signal, end);
  process.on("exit", removeHome);

  const start = (words: readonly string[], more: Env, visible: boolean, signal?: AbortSignal) =>
    outputOf(
      spawn(process.execPath, [launcher, ...words], {
        cwd: work,
        env: { ...ownEnv, ...more },
        stdio: visible ? "inherit" : ["ignore", "pipe", "pipe"],
        ...(signal === undefined ? {} : { signal }),
      }),
      words,
    );

  return {
    folder,
    home,
    work,
    signal: ending.signal,
    run: async (words, actor) =>
      await start(words, actor === undefined ? {} : { SVC_AUTHOR: actor }, false, ending.signal),
    show: async (words) => {
      await start(words, {}, true, ending.signal);
    },
    remove: async (keep) => {
      await start(["daemon", "stop"], {}, false).catch(() => undefined);
      process.off("exit", removeHome);
      if (keep) rmSync(sockets, { recursive: true, force: true });
      else clearAtOnce(home, folder);
      for (const signal of SIGNALS) process.off(signal, end);
    },
  };
}

function withoutSettings(env: Env): Env {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("SVC_") && name !== "PORT"),
  );
}

/** Kills the daemon and removes the folder without waiting, because nobody needs the demo's data any more. */
function clearAtOnce(home: string, folder: string): void {
  const dsn = parseDsn(join(home, "svc.db"), home);
  for (const { pid } of readRecords(runtimeDir(home, dsn))) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The daemon has already ended.
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function outputOf(
  child: ReturnType<typeof spawn>,
  words: readonly string[],
): Promise<string> {
  return await new Promise((resolve, reject) => {
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout?.setEncoding("utf8").on("data", (text: string) => out.push(text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => err.push(text));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(out.join(""));
      else reject(new Error(`svc ${words.join(" ")} failed: ${err.join("").trim()}`));
    });
  });
}
