import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../base/error-code.ts";
import { processStartedMs } from "../base/process-start.ts";
import { writerOf } from "./write-file.ts";

/**
 * Tolerance for comparing the start time of a process with the time of a file's last write: the start time is in whole
 * seconds, and clocks can be set back.
 */
const SLACK_MS = 5000;

/**
 * Removes temporary files of processes that were killed while they wrote a file. The temporary file of a running
 * process is kept. `isWanted` gets the name of the final file, which is part of the temporary file's name. Returns the
 * names of the final files whose temporary files were removed.
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

/**
 * Whether the process with this pid is still writing the file. A process that started after the last write to the file
 * is a later process that got the same pid.
 */
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
    return errorCode(error) === "EPERM";
  }
}
