import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 2 ** 31;

/**
 * The folder for the temporary files of tests that open databases in their own process. In memory each commit is spared
 * the wait for a disk, which takes most of the time of such a test. Without a folder in memory, or with a small one as
 * in many containers, it is the usual folder.
 */
export function memoryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
