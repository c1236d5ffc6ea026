import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "../base/clock.ts";
import { makeFolders } from "../base/folders.ts";
import { fileError } from "./toml.ts";

/** What is to take the place of a file. While there is one, nobody else can begin another. */
export interface Draft {
  /** The file is this text from now on, whole or not at all. */
  put(text: string): void;
  /** Ends it, whatever was put: others can begin. */
  drop(): void;
}

/** Nobody takes so long to write a few lines: whoever began a draft that is older was killed. */
const LEFT_OVER_MS = 5000;
const TRY_AGAIN_MS = 10;

/**
 * Begins a file that takes the place of another, for its owner only; a link stays a link to the file that it names. It is
 * begun before the other is read: so two that change the same file do so one after the other, and neither loses what the
 * other wrote.
 */
export async function openDraft(
  path: string,
  clock: Pick<Clock, "nowMs" | "sleep">,
): Promise<Draft> {
  const target = existsSync(path) ? realpathSync(path) : path;
  const draft = `${target}.new`;
  for (;;) {
    const fd = begin(draft, path);
    if (fd !== undefined) return draftOf(fd, draft, target, path);
    if (isLeftOver(draft, clock)) clear(draft, path);
    else await clock.sleep(TRY_AGAIN_MS);
  }
}

function begin(draft: string, path: string): number | undefined {
  try {
    makeFolders(dirname(draft));
    return openSync(draft, "wx", 0o600);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return undefined;
    throw fileError(path, "cannot be written", cause);
  }
}

/** One that seems to be of the future is of a clock that was put back since. */
function isLeftOver(draft: string, clock: Pick<Clock, "nowMs">): boolean {
  const stat = statSync(draft, { throwIfNoEntry: false });
  return stat !== undefined && Math.abs(clock.nowMs() - stat.mtimeMs) > LEFT_OVER_MS;
}

function clear(draft: string, path: string): void {
  try {
    rmSync(draft, { force: true });
  } catch (cause) {
    throw fileError(path, "cannot be written", cause, `remove ${draft}`);
  }
}

function draftOf(fd: number, draft: string, target: string, path: string): Draft {
  /** Somebody who took it for left over has begun another under its name. */
  const isOurs = (): boolean =>
    fstatSync(fd).ino === statSync(draft, { throwIfNoEntry: false })?.ino;
  return {
    put: (text) => {
      if (!isOurs()) throw fileError(path, "was changed by somebody else meanwhile: try again");
      try {
        writeFileSync(fd, text);
        renameSync(draft, target);
      } catch (cause) {
        throw fileError(path, "cannot be written", cause);
      }
    },
    drop: () => {
      if (isOurs()) rmSync(draft, { force: true });
      closeSync(fd);
    },
  };
}
