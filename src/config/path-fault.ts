import { lstatSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";

/** A reason why another user of this machine could control a path. */
export interface PathFault {
  readonly path: string;
  /** What is wrong, to complete the error "<path> …". */
  readonly what: string;
  readonly hint: string;
  /** True if the path belongs to the user and only its mode is wrong, so that a chmod fixes it. */
  readonly ours: boolean;
}

const MAX_LINKS = 40;

/**
 * The rule for everything that svc trusts on the disk: sockets, settings, credentials, compiled code
 * (docs/configuration.md, "Files that other users could change"). Resolves the path like the system does, links
 * included, and checks each step:
 * - Folders, links and the file itself must belong to the user or to root.
 * - If others may write to a folder, it must be sticky, because they could replace what is in it otherwise.
 * - If others may write to the file, they must not be able to reach it.
 * - A path that does not exist is no fault. On systems without user ids nothing is checked.
 *
 * `move` says how the user can choose another place, and becomes part of the hint. The launcher `bin/run.js` uses this
 * file too, so it imports nothing of svc.
 */
export function pathFault(path: string, move: string): PathFault | undefined {
  const own = process.getuid?.();
  if (own === undefined) return undefined;
  let rest = partsOf(resolve(path));
  let at: string = sep;
  let links = 0;
  let closed: string | undefined;
  for (;;) {
    const found = look(at);
    if (found === undefined) return undefined;
    if (found === "hidden") return foreign(at, HIDDEN, move);
    if (!isTrustedOwner(found)) return foreign(at, belongsTo(found), move);
    if (found.isSymbolicLink()) {
      if (++links > MAX_LINKS) return foreign(at, "is a link without an end", move);
      const target = readlinkSync(at);
      rest = [...partsOf(target), ...rest];
      at = isAbsolute(target) ? sep : dirname(at);
    } else if (found.isDirectory()) {
      if (isWritableByOthers(found) && (found.mode & STICKY) === 0)
        return writableByOthers(at, found, move);
      if ((found.mode & 0o011) === 0) closed = at;
    } else if (isWritableByOthers(found) && !isBelow(at, closed)) {
      return writableByOthers(at, found, move);
    }
    const [next, ...others] = rest;
    if (next === undefined) return undefined;
    at = join(at, next);
    rest = others;
  }
}

/** Whether a path without links is below a folder that others may not enter, so that they cannot reach it. */
function isBelow(path: string, closed: string | undefined): boolean {
  return closed !== undefined && path.startsWith(`${closed}${sep}`);
}

export const HIDDEN = "is in a folder that this user may not enter";

/** Returns the status of a path without following a link; `hidden` if this user has no access to its folder. */
export function look(path: string): Stats | "hidden" | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return "hidden";
  }
}

const STICKY = 0o1000;

export function isWritableByOthers({ mode }: Pick<Stats, "mode">): boolean {
  return (mode & 0o022) !== 0;
}

export function belongsTo({ uid }: Pick<Stats, "uid">): string {
  return `belongs to another user (uid ${uid})`;
}

/** True if the owner is this user, root, or a user outside of the sandbox in which this process runs. */
export function isTrustedOwner({ uid }: Pick<Stats, "uid">): boolean {
  return uid === process.getuid?.() || uid === 0 || isOutside(uid);
}

export function foreign(path: string, what: string, move: string): PathFault {
  return { path, what, hint: `${move}, and remove this one or have it removed`, ours: false };
}

function writableByOthers(path: string, { uid }: Stats, move: string): PathFault {
  const what = "can be written to by other users";
  if (uid === process.getuid?.()) return { path, what, hint: `chmod go-w ${path}`, ours: true };
  return { path, what, hint: `${move}, or have root run chmod +t ${path}`, ours: false };
}

/**
 * Whether a file belongs to a user outside of the sandbox in which this process runs (bubblewrap, a rootless
 * container), usually to root. Such a file has the overflow user id ("nobody"), which no user of the sandbox can have.
 */
function isOutside(uid: number): boolean {
  try {
    if (Number(readFileSync("/proc/sys/kernel/overflowuid", "utf8")) !== uid) return false;
    const ranges = readFileSync("/proc/self/uid_map", "utf8").trim().split("\n");
    return !ranges.some((range) => {
      const [first = 0, , count = 0] = range.trim().split(/\s+/).map(Number);
      return uid >= first && uid < first + count;
    });
  } catch {
    return false;
  }
}

function partsOf(path: string): string[] {
  return path.split(sep).filter((part) => part !== "" && part !== ".");
}
