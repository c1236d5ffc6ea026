import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { listBackups, newestBackup } from "../archive/backup.ts";
import { clearAfterKill, lastTrial } from "../archive/trial.ts";
import { daemonEnv } from "../client/program.ts";
import { programEnv } from "../config/env.ts";
import type { Config } from "../config/load.ts";
import { backupsDir, trialsDir } from "../config/paths.ts";
import { secretVariables } from "../config/secret-variables.ts";
import type { BackupSettings } from "../engines/backups.ts";
import type { TrialSettings } from "../engines/trials.ts";

const NICENESS = 10;

/**
 * Returns the settings of scheduled backups. Each backup is made by `svc backup` in a process of its own, because
 * reading the whole event log would delay the daemon's answers and fill its memory.
 */
export function backupsBy(launcher: string, config: Config, intervalMs: number): BackupSettings {
  const { backupDirectory, backupKeep } = config.settings;
  const folder = backupsDir(config.home, backupDirectory);
  const words = ["backup", "--local", "--directory", folder, "--keep", String(backupKeep)];
  return {
    intervalMs,
    made: async (instanceUid) => (await listBackups(folder, instanceUid)).map(({ at }) => at),
    run: async (signal) => {
      const out = await runSvc(launcher, config, words, signal);
      const { path, records } = JSON.parse(out) as { path: string; records: number };
      return { path, records };
    },
  };
}

/** Returns the settings of scheduled trials of the newest backup, each in a process of its own as well. */
export function trialsBy(launcher: string, config: Config, intervalMs: number): TrialSettings {
  const folder = backupsDir(config.home, config.settings.backupDirectory);
  const scratch = trialsDir(config.home);
  const words = ["backup", "verify", "--schedule", "--local", "--directory", folder];
  return {
    intervalMs,
    folder,
    newest: async (instanceUid) => (await newestBackup(folder, instanceUid))?.path,
    last: async (instanceUid) => await lastTrial(scratch, instanceUid),
    run: async (signal) => {
      try {
        await runSvc(launcher, config, words, signal);
      } finally {
        if (signal.aborted) clearAfterKill(scratch);
      }
    },
  };
}

/** Runs a command of svc at a low priority and returns what it printed. Throws the error that it reported. */
async function runSvc(
  launcher: string,
  config: Config,
  words: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const whole = programEnv(daemonEnv(config), secretVariables(config));
  const { SVC_AUTOSTART: _mark, SVC_SERVER: _server, ...env } = whole;
  const child = spawn(process.execPath, [launcher, ...words, "--json"], {
    cwd: config.home,
    env,
    signal,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  if (child.pid !== undefined) setPriority(child.pid, NICENESS);
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
  let failure: Error | undefined;
  child.once("error", (error) => (failure = error));
  // A process that was cancelled is awaited too, so that it writes no file any more.
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (failure !== undefined) throw failure;
  if (code !== 0) throw new Error(failureIn(err.join("")) ?? `svc backup ended with ${code}`);
  return out.join("");
}

/**
 * Returns the error message that the process printed as JSON (docs/contract/command-line.md#13-streams-and-failures),
 * or the end of the output if it is not JSON.
 */
function failureIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly message?: string } };
    return error?.message;
  } catch {
    return text.trim() === "" ? undefined : text.trim().slice(-500);
  }
}
