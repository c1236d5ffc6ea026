import { chmodSync, linkSync, lstatSync, renameSync, unlinkSync } from "node:fs";
import { connect } from "node:net";
import type { Clock } from "../base/clock.ts";
import { requireSafeSocket } from "./folders.ts";
import { StartError } from "./start-error.ts";

/**
 * Removes what an ended daemon left at the path of a Unix socket. The caller holds the daemon's lock, so no other
 * daemon does this at the same time.
 */
export async function prepareSocket(path: string): Promise<void> {
  requireSafeSocket(path);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw refused(`${path} exists and is not a socket; it is left as it is`);
  if (await answers(path)) throw refused(`another process already listens on ${path}`);
  unlinkSync(path);
}

export function sealSocket(path: string): void {
  chmodSync(path, 0o600);
}

/**
 * Node deletes a socket's path when it closes the socket, even if another daemon listens there by then. A hard link
 * keeps that daemon's socket, which is moved back afterwards.
 */
export function socketKeeper(path: string): (close: () => unknown) => void {
  const ours = lstatSync(path, { throwIfNoEntry: false })?.ino;
  return (close) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.ino === ours) return void close();
    const kept = `${path}.${process.pid}`;
    linkSync(path, kept);
    close();
    renameSync(kept, path);
  };
}

const LOOK_MS = 5000;

/**
 * Resolves with `true` when the socket's file is gone or replaced, for example by a clean-up of temporary files, since
 * then no client can reach the daemon. Resolves with `false` when `ended` came first.
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
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino} ${found.uid} ${found.birthtimeMs}`;
  } catch {
    return undefined;
  }
}

function refused(message: string): StartError {
  return new StartError("address", message);
}

/** True if a process accepts connections on the socket. No answer within half a second counts as yes. */
async function answers(path: string): Promise<boolean> {
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
