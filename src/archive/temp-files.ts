import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { processStartedMs } from "../base/process-start.ts";
import { writerOf } from "./write-file.ts";

/** The system tells when a process began to the second, and clocks are set back. */
const SLACK_MS = 5000;

/**
 * Removes the temporary files that writers of the wanted files left in the folder when they were killed, and answers
 * whose they were. One that is still being written has a living process.
 */
export async function clearTempFiles(
  folder: string,
  isWanted: (of: string) => boolean,
): Promise<readonly string[]> {
  const cleared: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const writer = writerOf(name);
    if (writer === undefined || !isWanted(writer.of)) continue;
    const temp = join(folder, name);
    if (await isWritten(temp, writer.pid)) continue;
    await rm(temp, { force: true });
    cleared.push(writer.of);
  }
  return cleared;
}

/** A process that started after the file's last write did not write it: the pid was given out again. */
async function isWritten(temp: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const started = processStartedMs(pid);
  const found = await stat(temp).catch(() => undefined);
  return started === undefined || found === undefined || started <= found.mtimeMs + SLACK_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
