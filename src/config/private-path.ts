import { type Stats, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import {
  belongsTo,
  foreign,
  HIDDEN,
  isWritableByOthers,
  look,
  type PathFault,
  pathFault,
} from "./path-fault.ts";

const MOVE_HINT = "set XDG_RUNTIME_DIR to a folder that only you can enter";

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
    return pathFault(folder, MOVE_HINT) ?? writableFault(folder) ?? socketFileFault(path, own);
  }
  const above = pathFault(dirname(first), MOVE_HINT);
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
  if (found === "hidden") return foreign(folder, HIDDEN, MOVE_HINT);
  if (found.isSymbolicLink()) return foreign(folder, "is a link", MOVE_HINT);
  if (!found.isDirectory()) return foreign(folder, "is not a folder", MOVE_HINT);
  if (found.uid !== own) return foreign(folder, belongsTo(found), MOVE_HINT);
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
    hint: "set SVC_HOME to a folder of your own",
    ours: false,
  };
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
    hint: "listen in a folder that only you can enter",
    ours: false,
  };
}

function socketFileFault(path: string, own: number): PathFault | undefined {
  const found = look(path);
  if (found === undefined) return undefined;
  if (found === "hidden") return foreign(path, HIDDEN, MOVE_HINT);
  if (found.isSymbolicLink()) return foreign(path, "is a link", MOVE_HINT);
  return found.uid === own ? undefined : foreign(path, belongsTo(found), MOVE_HINT);
}

function openFault(path: string, { mode }: Stats): PathFault | undefined {
  if ((mode & 0o077) === 0) return undefined;
  return { path, what: "is open to other users", hint: `chmod 700 ${path}`, ours: true };
}
