import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../base/error-code.ts";
import { ToolError } from "../failure.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

const MAX_ARTIFACT_BYTES = 1024;

/**
 * Whether a path can begin with an open folder's handle (`/proc/self/fd/<handle>/<name>`), which only Linux has. Such a
 * path leads to the same folder even if the folder is renamed.
 */
const HAS_FD_PATHS = process.platform === "linux";

/** An open folder below the storage root, or the root itself. */
export interface OpenFolder {
  readonly handle: FileHandle;
  /** The path by which the folder was opened. On Linux, files in the folder are opened through the handle instead. */
  readonly path: string;
}

export interface ArtifactPlace {
  readonly folder: OpenFolder;
  readonly name: string;
}

/**
 * The folder of `--storage-root`. It stays open as long as the server runs, so that another folder that is put in its
 * place is not used (docs/contract/tools.md#810-storage).
 */
export class StorageRoot {
  readonly #root: OpenFolder;

  private constructor(root: OpenFolder) {
    this.#root = root;
  }

  /** Opens the folder. Throws the system's error if it is missing or no folder. */
  static async open(path: string): Promise<StorageRoot> {
    return new StorageRoot({ handle: await open(path, O_RDONLY | O_DIRECTORY), path });
  }

  async close(): Promise<void> {
    await this.#root.handle.close();
  }

  /** Opens the folders of an artifact one by one, without following symbolic links. Closes them after the work. */
  async within<T>(artifact: string, work: (place: ArtifactPlace) => Promise<T>): Promise<T> {
    const names = namesOf(artifact);
    const name = names.pop() ?? "";
    const opened: FileHandle[] = [];
    try {
      let folder = this.#root;
      for (const step of names) {
        const path = await pathIn(folder, step);
        const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((cause) => {
          throw refused(artifact, `${step} is no folder of the storage root`, cause);
        });
        opened.push(handle);
        folder = { handle, path: join(folder.path, step) };
        await requireInPlace(folder);
      }
      return await work({ folder, name });
    } finally {
      for (const handle of opened) await handle.close();
    }
  }
}

export async function pathIn(folder: OpenFolder, name: string): Promise<string> {
  if (HAS_FD_PATHS) return `/proc/self/fd/${folder.handle.fd}/${name}`;
  await requireInPlace(folder);
  return join(folder.path, name);
}

/**
 * Returns the path by which to read an open file again. On Linux, this path leads to the open file even if another file
 * has taken its place.
 */
export function pathOfOpen({ fd }: FileHandle, path: string): string {
  return HAS_FD_PATHS ? `/proc/self/fd/${fd}` : path;
}

/** The path of the folder with symbolic links resolved, to compare it with the paths of databases. */
export async function realPathOf({ handle, path }: OpenFolder): Promise<string> {
  return HAS_FD_PATHS ? await readlink(`/proc/self/fd/${handle.fd}`) : path;
}

/**
 * Throws if the folder's path now leads to another folder. On Linux this check is not needed, because files are opened
 * through the folder's handle.
 */
async function requireInPlace({ handle, path }: OpenFolder): Promise<void> {
  if (HAS_FD_PATHS) return;
  const [now, opened] = await Promise.all([lstat(path), handle.stat()]);
  if (now.dev !== opened.dev || now.ino !== opened.ino)
    throw new ToolError("the storage root has changed; start the server again");
}

/**
 * Returns the regular file with this name, or `undefined` if there is none. Throws for anything else, such as a link.
 */
export async function regularFile(artifact: string, { folder, name }: ArtifactPlace) {
  const found = await lstat(await pathIn(folder, name)).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw refused(artifact, "it cannot be looked at", error);
  });
  if (found !== undefined && !found.isFile()) throw refused(artifact, "it is no regular file");
  return found;
}

export function refused(artifact: string, why: string, cause?: unknown): ToolError {
  return new ToolError(`artifact ${JSON.stringify(artifact)} is refused: ${why}`, { cause });
}

function namesOf(artifact: string): string[] {
  if (Buffer.byteLength(artifact) > MAX_ARTIFACT_BYTES)
    throw refused("…", `its path is longer than ${MAX_ARTIFACT_BYTES} bytes`);
  if (/[\0\\]/.test(artifact) || /^[a-z]:/i.test(artifact))
    throw refused(artifact, "write a relative path with / between the names");
  const names = artifact.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".."))
    throw refused(artifact, "the path must be relative, without empty names, . and ..");
  return names;
}
