import { lstat, open, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { errorCode } from "../base/error-code.ts";
import { SvcError } from "../contract/errors.ts";

/** Means standard output where a command takes the path of a file to write. */
export const STDOUT = "-";

export type Output =
  /**
   * A regular file, which may not exist yet. `path` has no symbolic links. The file is written under a temporary name
   * and then renamed.
   */
  | { readonly kind: "file"; readonly path: string }
  /** A pipe, a device or a file descriptor. It cannot be replaced, so it is written to directly. */
  | { readonly kind: "stream"; readonly path: string }
  | { readonly kind: "stdout" };

/** The maximum number of symbolic links to follow. There is a limit because links can form a cycle. */
const MOST_LINKS = 40;

/**
 * Resolves a path that a person named for output. Folders, sockets, disks and broken links are refused with
 * `validation`.
 */
export async function outputAt(path: string): Promise<Output> {
  if (path === STDOUT) return { kind: "stdout" };
  let at = path;
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const folder = await realpath(dirname(at)).catch((cause: NodeJS.ErrnoException) => {
      throw folderRefused(path, cause);
    });
    const real = join(folder, basename(at));
    const descriptor = descriptorOf(real);
    if (descriptor === 1) return { kind: "stdout" };
    if (descriptor !== undefined) return { kind: "stream", path: real };
    const found = await lstat(real).catch(() => undefined);
    if (found?.isSymbolicLink() !== true) return await plainOutput(path, real);
    at = resolve(folder, await readlink(real));
    if ((await stat(real).catch(() => undefined)) === undefined && descriptorOf(at) === undefined)
      throw refused(path, "it is a link that leads nowhere", "remove the link, or name a file");
  }
  throw refused(path, "its links lead in a circle", "name a file");
}

/**
 * The number of the file descriptor of this process that a path names, such as `/dev/stdout`, `/dev/fd/3` or
 * `/proc/self/fd/3`; undefined for any other path.
 */
function descriptorOf(path: string): number | undefined {
  if (path === "/dev/stdout") return 1;
  if (path === "/dev/stderr") return 2;
  const [, pid, number] = /^\/(?:dev|proc\/(self|\d+))\/fd\/(\d+)$/.exec(path) ?? [];
  if (number === undefined || (pid !== undefined && pid !== "self" && Number(pid) !== process.pid))
    return undefined;
  return Number(number);
}

async function plainOutput(path: string, real: string): Promise<Output> {
  const found = await stat(real).catch(() => undefined);
  if (found === undefined || found.isFile()) return { kind: "file", path: real };
  if (found.isFIFO() || found.isCharacterDevice()) return { kind: "stream", path: real };
  const what = found.isDirectory() ? "a folder" : found.isBlockDevice() ? "a disk" : "a socket";
  throw refused(path, `it is ${what}`, "name a file, or - for standard output");
}

/** Converts the system error of a file that could not be created into an error that says how to fix the cause. */
export function folderRefused(path: string, cause: NodeJS.ErrnoException): SvcError {
  switch (cause.code) {
    case "ENOENT":
      return refused(path, "its folder is not there", "make the folder first", cause);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return refused(
        path,
        `its folder cannot be written to (${cause.code})`,
        "name a file in a folder of yours",
        cause,
      );
    default:
      return refused(path, `its folder answers ${cause.code}`, "name a file elsewhere", cause);
  }
}

export function refused(path: string, why: string, hint: string, cause?: unknown): SvcError {
  const message = `cannot write ${path}: ${why}`;
  return new SvcError("validation", { path }, { message, hint, cause });
}

const BUFFER_CHARACTERS = 64 * 1024;

export interface OutputSize {
  readonly lines: number;
  readonly bytes: number;
}

interface OutputState {
  lines: number;
  bytes: number;
  /** The error that the source of the lines threw. It is stored to distinguish it from an error of the output. */
  fault?: { readonly cause: unknown };
}

/** Writes lines to a pipe, a device or standard output. A reader that closes the pipe early is no error. */
export async function writeToStream(
  path: string,
  lines: AsyncIterable<string>,
  stdout: Writable,
): Promise<OutputSize> {
  const sent: OutputState = { lines: 0, bytes: 0 };
  const from = Readable.from(bufferLines(lines, sent), { objectMode: false });
  try {
    if (path === STDOUT) await pipeline(from, stdout, { end: false });
    else await pipeline(from, (await open(path, "a")).createWriteStream());
  } catch (error) {
    if (sent.fault !== undefined) throw sent.fault.cause;
    const code = errorCode(error);
    if (code !== "EPIPE" && typeof code === "string")
      throw refused(path, `it answers ${code}`, "name another file", error);
    if (code !== "EPIPE") throw error;
  }
  return { lines: sent.lines, bytes: sent.bytes };
}

async function* bufferLines(
  lines: AsyncIterable<string>,
  sent: OutputState,
): AsyncGenerator<Buffer> {
  let waiting = "";
  const takeWaiting = (): Buffer => {
    const bytes = Buffer.from(waiting);
    sent.bytes += bytes.length;
    waiting = "";
    return bytes;
  };
  for await (const line of keepFault(lines, sent)) {
    sent.lines += 1;
    waiting += `${line}\n`;
    if (waiting.length >= BUFFER_CHARACTERS) yield takeWaiting();
  }
  if (waiting !== "") yield takeWaiting();
}

async function* keepFault(lines: AsyncIterable<string>, sent: OutputState): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (cause) {
    sent.fault = { cause };
    throw cause;
  }
}
