import { lstatSync, readFileSync, readlinkSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, sep } from "node:path";

/** Why another user of this machine could be behind a path. */
export interface PathFault {
  /** The folder, link or socket that is unsafe. */
  readonly path: string;
  /** Completes "<path> …". */
  readonly what: string;
  readonly cure: string;
  /** It is ours and only its mode is wrong, so its owner can mend it with one command. */
  readonly ours: boolean;
}

/**
 * What makes a Unix socket unsafe to talk to or to listen on. Each folder above it belongs to us or to root and, where
 * others may write to it, is sticky: otherwise somebody could put their own folder in its place. Folders with a name
 * that anybody can foretell (`svc-<uid>` and the database's below it) are ours alone, mode 0700, and no links. What is
 * not there yet is no fault. On systems without user ids nothing is checked.
 */
export function socketFault(path: string): PathFault | undefined {
  const own = process.getuid?.();
  if (own === undefined) return undefined;
  const folders = foretoldFolders(path);
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

/** A folder that has to be ours alone. One that is not there is no fault. */
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

/** Why other users can get at what is in the home: it is open to them, or it is not ours. */
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

/** Why other users could put another folder in the place of this one. */
export function aboveFault(folder: string): PathFault | undefined {
  const own = process.getuid?.();
  return own === undefined ? undefined : ancestorFault(folder, own);
}

/** The folders that svc makes itself, from the outermost down. A socket that somebody chose with `listen` has none. */
export function foretoldFolders(socket: string): readonly string[] {
  if (basename(socket) !== "daemon.sock") return [];
  const database = dirname(socket);
  if (!/^[0-9a-f]{12}$/.test(basename(database))) return [];
  const above = dirname(database);
  if (/^svc(?:-\d+)?$/.test(basename(above))) return [above, database];
  return basename(above) === "runtime" ? [database] : [];
}

const MAX_LINKS = 40;

/** Walks down to the folder as the system would, links included, and looks at each step. */
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

/** Where others may make files, the name is theirs as soon as our socket is gone, sticky or not. */
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

/** Never follows a link. */
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
 * In a sandbox with its own user ids (bubblewrap, rootless containers), root outside of it has no id inside. Its folders
 * then seem to belong to the overflow id ("nobody"), which no user of the sandbox can have.
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
