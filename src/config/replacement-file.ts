import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "../base/clock.ts";
import { errorCode } from "../base/error-code.ts";
import { syncFolder } from "../base/files.ts";
import { makeFolders } from "../base/folders.ts";
import { fileError } from "./toml.ts";

/**
 * A replacement for a file, which is being prepared. While it exists, no other process can begin a replacement of the
 * same file.
 */
export interface ReplacementFile {
  /**
   * Replaces the file with this text, atomically: after a crash it has its old or its new content. The new file gets
   * `mode`; without it, only its owner can use the file.
   */
  put(text: string, mode?: number): void;
  drop(): void;
}

/** A replacement older than this was left by a process that was killed. */
const LEFT_OVER_MS = 5000;
const TRY_AGAIN_MS = 10;

/**
 * Begins the replacement of a file; only the owner can read the replacement. If the path is a link, the link stays and
 * its target is replaced. Begin the replacement before you read the old file: two processes that change the file then
 * take turns, and neither loses the other's change.
 */
export async function openReplacement(
  path: string,
  clock: Pick<Clock, "nowMs" | "sleep">,
): Promise<ReplacementFile> {
  const target = existsSync(path) ? realpathSync(path) : path;
  const replacement = `${target}.new`;
  for (;;) {
    const fd = begin(replacement, path);
    if (fd !== undefined) return replacementOf(fd, replacement, target, path);
    if (isLeftOver(replacement, clock)) clear(replacement, path);
    else await clock.sleep(TRY_AGAIN_MS);
  }
}

function begin(replacement: string, path: string): number | undefined {
  try {
    makeFolders(dirname(replacement));
    return openSync(replacement, "wx", 0o600);
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return undefined;
    throw fileError(path, "cannot be written", cause);
  }
}

/**
 * True if the replacement is older than `LEFT_OVER_MS`, because the process that made it was killed. A replacement
 * whose time lies that far in the future counts too, because the clock may have been set back.
 */
function isLeftOver(replacement: string, clock: Pick<Clock, "nowMs">): boolean {
  const stat = statSync(replacement, { throwIfNoEntry: false });
  return stat !== undefined && Math.abs(clock.nowMs() - stat.mtimeMs) > LEFT_OVER_MS;
}

function clear(replacement: string, path: string): void {
  try {
    rmSync(replacement, { force: true });
  } catch (cause) {
    throw fileError(path, "cannot be written", cause, `remove ${replacement}`);
  }
}

function replacementOf(
  fd: number,
  replacement: string,
  target: string,
  path: string,
): ReplacementFile {
  /** False if another process took our replacement for abandoned and began its own under the same name. */
  const isOurs = (): boolean =>
    fstatSync(fd).ino === statSync(replacement, { throwIfNoEntry: false })?.ino;
  return {
    put: (text, mode) => {
      if (!isOurs()) throw fileError(path, "was changed by somebody else meanwhile: try again");
      try {
        writeFileSync(fd, text);
        if (mode !== undefined) fchmodSync(fd, mode);
        fsyncSync(fd);
        renameSync(replacement, target);
        syncFolder(dirname(target));
      } catch (cause) {
        throw fileError(path, "cannot be written", cause);
      }
    },
    drop: () => {
      if (isOurs()) rmSync(replacement, { force: true });
      closeSync(fd);
    },
  };
}
