import { chmodSync, lstatSync, mkdirSync, type Stats, unlinkSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { StartError } from "./start-error.ts";

/**
 * Makes the way free for a Unix socket: its folder exists and is the owner's alone, and what an ended daemon left at
 * the path is gone. The caller holds the daemon's lock, so nobody else does this at the same time.
 */
export async function prepareSocket(path: string): Promise<void> {
  privateFolder(dirname(path));
  const found = statOf(path);
  if (found === undefined) return;
  if (!found.isSocket()) throw refused(`${path} exists and is not a socket; it is left as it is`);
  if (await answers(path)) throw refused(`another process already listens on ${path}`);
  unlinkSync(path);
}

export function sealSocket(path: string): void {
  chmodSync(path, 0o600);
}

/**
 * The folder for sockets can lie below a shared one (/tmp), where anybody may have made it first. Whoever owns the
 * folder could replace the socket, so a folder that is not ours, or that others may enter, is refused.
 */
export function privateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  if (!found.isDirectory()) throw refused(`${path} is not a folder`);
  if (process.getuid !== undefined && found.uid !== process.getuid())
    throw refused(`${path} belongs to another user`);
  if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

function refused(message: string): StartError {
  return new StartError("address", message);
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Whether somebody accepts on the socket. One that does not answer within half a second counts as alive. */
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
