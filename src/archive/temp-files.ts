import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../base/error-code.ts";
import { processStartedMs } from "../base/process-start.ts";
import { writerOf } from "./write-file.ts";

/** Tolerance in comparing times: process start times have a resolution of a second, and clocks can be set back. */
const SLACK_MS = 5000;

/**
 * Removes the temporary files that killed writers left for the target files that `isWanted` accepts; returns the names
 * of those targets. A temporary file whose writer is still running is left alone.
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
 * Whether the process is still writing the file. A process that started after the last write only reuses the pid of
 * the writer.
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
