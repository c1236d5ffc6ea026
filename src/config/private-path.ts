import { lstatSync, readFileSync, readlinkSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, sep } from "node:path";

/** A reason why another user of this machine could control a path. */
export interface PathFault {
  readonly path: string;
  /** What is wrong, to complete the error "<path> …". */
  readonly what: string;
  readonly cure: string;
  /** True if the folder belongs to the user and only its mode is wrong, so that a chmod fixes it. */
  readonly ours: boolean;
}

/**
 * Checks that a Unix socket is safe to listen on or connect to. On systems without user ids nothing is checked.
 * - Each folder above the socket must belong to the user or to root. If others may write to the folder, it must be
 *   sticky, because they could replace the socket otherwise.
 * - Folders with a predictable name, `svc-<uid>` and the folder of the database in it, must belong to the user, have
 *   mode 0700, and be no links.
 * - If svc has not created the folder of the socket, nobody else may write to it.
 * - The socket itself must belong to the user and be no link.
 * - A missing folder or socket is no fault.
 */
export function socketFault(path: string): PathFault | undefined {
  const own = process.getuid?.();
  if (own === undefined) return undefined;
  const folders = ownSocketFolders(path);
  const [first] = folders;
  if (first === undefined) {
    const folder = dirname(path);
    return ancestorFault(folder, own) ?? writableFault(folder) ?? socketFileFault(path, own);
  }
  const above = ancestorFault(dirname(first), own);
  if (above !== undefined) return above;
  for (const folder of folders) {
    const fault = privateFault(folder);
    if (fault !== undefined) return fault;
  }
  return socketFileFault(path, own);
}

/** Checks that a folder is private to the user. A missing folder is no fault. */
export function privateFault(folder: string): PathFault | undefined {
  const own = process.getuid?.();
  const found = own === undefined ? undefined : look(folder);
  if (own === undefined || found === undefined) return undefined;
  if (found === "hidden") return foreign(folder, HIDDEN);
  if (found.isSymbolicLink()) return foreign(folder, "is a link");
  if (!found.isDirectory()) return foreign(folder, "is not a folder");
  if (found.uid !== own) return foreign(folder, belongsTo(found));
  return openFault(folder, found);
}

/** Checks that other users cannot read the home: it belongs to the user and is closed to others. */
export function homeFault(home: string): PathFault | undefined {
  const own = process.getuid?.();
  const found = own === undefined ? undefined : statSync(home, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return undefined;
  if (found.uid === own) return openFault(home, found);
  return {
    path: home,
    what: belongsTo(found),
    cure: "set SVC_HOME to a folder of your own",
    ours: false,
  };
}

export function aboveFault(folder: string): PathFault | undefined {
  const own = process.getuid?.();
  return own === undefined ? undefined : ancestorFault(folder, own);
}

/**
 * The folders that svc itself creates for this socket, outermost first; none for a socket that was chosen with
 * `listen`.
 */
export function ownSocketFolders(socket: string): readonly string[] {
  if (basename(socket) !== "daemon.sock") return [];
  const database = dirname(socket);
  if (!/^[0-9a-f]{12}$/.test(basename(database))) return [];
  const above = dirname(database);
  if (/^svc(?:-\d+)?$/.test(basename(above))) return [above, database];
  return basename(above) === "runtime" ? [database] : [];
}

const MAX_LINKS = 40;

/** Resolves the path like the system does, links included, and checks each step. */
function ancestorFault(folder: string, own: number): PathFault | undefined {
  let rest = partsOf(folder);
  let at: string = sep;
  let links = 0;
  for (;;) {
    const found = look(at);
    if (found === undefined) return undefined;
    if (found === "hidden") return foreign(at, HIDDEN);
    if (!isTrusted(found, own)) return foreign(at, belongsTo(found));
    if (found.isSymbolicLink()) {
      if (++links > MAX_LINKS) return foreign(at, "is a link without an end");
      const target = readlinkSync(at);
      rest = [...partsOf(target), ...rest];
      at = isAbsolute(target) ? sep : dirname(at);
    } else if (isWritableByOthers(found) && (found.mode & STICKY) === 0) {
      return writable(at, found, own);
    }
    const [next, ...others] = rest;
    if (next === undefined) return undefined;
    at = join(at, next);
    rest = others;
  }
}

/**
 * Returns a fault if other users may create files in the folder. A sticky folder is no better here: once the socket is
 * removed, anybody could create a file with its name.
 */
function writableFault(folder: string): PathFault | undefined {
  const found = look(folder);
  if (found === undefined || found === "hidden") return undefined;
  if (found.isSymbolicLink() || !isWritableByOthers(found)) return undefined;
  return {
    path: folder,
    what: "can be written to by other users",
    cure: "listen in a folder that only you can enter",
    ours: false,
  };
}

const HIDDEN = "is in a folder that this user may not enter";

function look(path: string): Stats | "hidden" | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return "hidden";
  }
}

function socketFileFault(path: string, own: number): PathFault | undefined {
  const found = look(path);
  if (found === undefined) return undefined;
  if (found === "hidden") return foreign(path, HIDDEN);
  if (found.isSymbolicLink()) return foreign(path, "is a link");
  return found.uid === own ? undefined : foreign(path, belongsTo(found));
}

function openFault(path: string, { mode }: Stats): PathFault | undefined {
  if ((mode & 0o077) === 0) return undefined;
  return { path, what: "is open to other users", cure: `chmod 700 ${path}`, ours: true };
}

function writable(path: string, { uid }: Stats, own: number): PathFault {
  const what = "can be written to by other users";
  if (uid === own) return { path, what, cure: `chmod go-w ${path}`, ours: true };
  const cure = `set XDG_RUNTIME_DIR to a folder that only you can enter, or have root run chmod +t ${path}`;
  return { path, what, cure, ours: false };
}

function foreign(path: string, what: string): PathFault {
  const cure =
    "set XDG_RUNTIME_DIR to a folder that only you can enter, and remove this one or have it removed";
  return { path, what, cure, ours: false };
}

function belongsTo({ uid }: Stats): string {
  return `belongs to another user (uid ${uid})`;
}

const STICKY = 0o1000;

function isWritableByOthers({ mode }: Stats): boolean {
  return (mode & 0o022) !== 0;
}

function isTrusted({ uid }: Stats, own: number): boolean {
  return uid === own || uid === 0 || isOutside(uid);
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
