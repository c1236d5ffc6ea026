import { chmodSync, linkSync, lstatSync, renameSync, unlinkSync } from "node:fs";
import { connect } from "node:net";
import type { Clock } from "../../base/clock.ts";
import { requireSafeSocket } from "../files/folders.ts";
import { StartError } from "../start-error.ts";

/**
 * Removes the socket that an ended daemon has left at this path. The caller holds the daemon's lock, so no other daemon
 * does this at the same time.
 */
export async function prepareSocket(path: string): Promise<void> {
  requireSafeSocket(path);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isSocket())
    throw addressError(`${path} exists and is not a socket; it is left as it is`);
  if (await isListening(path)) throw addressError(`another process already listens on ${path}`);
  unlinkSync(path);
}

export function sealSocket(path: string): void {
  chmodSync(path, 0o600);
}

/**
 * Returns a function that closes this daemon's socket. When Node closes a socket, it deletes the socket's path, even if
 * another daemon already listens there. So a hard link preserves the other daemon's socket, and is moved back to the
 * path afterwards.
 */
export function socketKeeper(path: string): (close: () => unknown) => void {
  const ours = lstatSync(path, { throwIfNoEntry: false })?.ino;
  return (close) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.ino === ours) return void close();
    const kept = `${path}.${process.pid}`;
    linkSync(path, kept);
    close();
    renameSync(kept, path);
  };
}

const LOOK_MS = 5000;

/**
 * Resolves with `true` if the socket's file was deleted or replaced (for example when temporary files are cleaned up),
 * because no client can reach the daemon then. Resolves with `false` if `ended` is aborted first.
 */
export async function socketLost(path: string, clock: Clock, ended: AbortSignal): Promise<boolean> {
  const own = fileAt(path);
  for (;;) {
    await clock.sleep(LOOK_MS, ended);
    if (ended.aborted) return false;
    if (fileAt(path) !== own) return true;
  }
}

function fileAt(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats && `${stats.dev} ${stats.ino} ${stats.uid} ${stats.birthtimeMs}`;
  } catch {
    return undefined;
  }
}

function addressError(message: string): StartError {
  return new StartError("address", message);
}

/** True if a process accepts connections on the socket, or if there is no answer within half a second. */
async function isListening(path: string): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    const socket = connect({ path, timeout: 500 });
    const settle = (alive: boolean): void => {
      socket.destroy();
      resolve(alive);
    };
    socket.once("connect", () => settle(true)).once("timeout", () => settle(true));
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" || error.code === "ENOENT") settle(false);
      else reject(error);
    });
  });
}
