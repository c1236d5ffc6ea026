import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { listBackups } from "../archive/backup.ts";
import { daemonEnv } from "../client/program.ts";
import type { Config } from "../config/load.ts";
import { backupsDir } from "../config/paths.ts";
import type { BackupSettings } from "../engines/backups.ts";

const NICENESS = 10;

/**
 * Returns the settings of scheduled backups. Each backup is made by `svc backup` in a process of its own, because
 * reading the whole event log would delay the daemon's answers and fill its memory.
 */
export function backupsBy(launcher: string, config: Config, intervalMs: number): BackupSettings {
  const { backupDirectory, backupKeep } = config.settings;
  const folder = backupsDir(config.home, backupDirectory);
  const words = ["backup", "--local", "--directory", folder, "--keep", String(backupKeep)];
  const { SVC_AUTOSTART: _mark, SVC_SERVER: _server, ...env } = daemonEnv(config);
  return {
    intervalMs,
    made: async (instanceUid) => (await listBackups(folder, instanceUid)).map(({ at }) => at),
    run: async (signal) => {
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
      const code = await new Promise<number | null>((resolve, reject) => {
        child.once("error", reject).once("close", resolve);
      });
      if (code !== 0) throw new Error(failureIn(err.join("")) ?? `svc backup ended with ${code}`);
      const { path, records } = JSON.parse(out.join("")) as { path: string; records: number };
      return { path, records };
    },
  };
}

/**
 * Returns the error message that the process printed as JSON (facts cli-and-config 1.3), or the end of the output if it
 * is not JSON.
 */
function failureIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly message?: string } };
    return error?.message;
  } catch {
    return text.trim() === "" ? undefined : text.trim().slice(-500);
  }
}
