import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Log } from "../../base/log.ts";
import { writeOwnerFile } from "../access/owner-file.ts";
import type { Ownership } from "../access/ownership.ts";
import { socketFolders } from "../files/folders.ts";
import { OWNER_ID } from "../listener.ts";
import type { Listeners } from "../listeners/all-listeners.ts";
import { prepareSocket } from "../listeners/socket.ts";
import type { DaemonSettings } from "../settings.ts";
import { ownSocket } from "./acquire-database.ts";

export interface OwnerProof {
  close(): void;
}

/**
 * Makes it possible for the user who runs the daemon to prove who they are, which a TCP connection cannot prove. If
 * commands use a socket, a request on this socket is the proof. Otherwise an additional socket is opened, or a file
 * with a secret is written. If that fails, the daemon runs without a proof, and pages need a token.
 */
export async function openOwnerProof(
  settings: DaemonSettings,
  listeners: Listeners,
  ownership: Ownership,
  log: Log,
): Promise<OwnerProof> {
  const [local] = listeners.all;
  const none = { close: () => undefined };
  if (local === undefined || local.endpoint.network === "unix") return none;
  const { ownerProof = process.platform === "win32" ? "file" : "socket" } = settings;
  try {
    if (ownerProof === "file") {
      const { secret, remove } = writeOwnerFile(settings.runtimeDir);
      ownership.trustFile(secret);
      return { close: remove };
    }
    // The socket is closed with the other listeners.
    const path = ownSocket(settings) ?? (await ownName(settings.socketPath));
    await listeners.add({ path }, { id: OWNER_ID });
  } catch (error) {
    log.warn("owner_proof.unavailable", { proof: ownerProof, error });
  }
  return none;
}

const OWN_NAME = /^own-\d+$/;

/**
 * Returns the path of an additional socket in the folder of the database's socket, which another daemon may own. The
 * path is not longer than that of the database's socket, so it is within the limit. Removes such sockets of daemons
 * that have ended.
 */
async function ownName(socketPath: string): Promise<string> {
  const folder = dirname(socketPath);
  socketFolders(socketPath);
  for (const name of readdirSync(folder))
    if (OWN_NAME.test(name)) await prepareSocket(join(folder, name)).catch(() => undefined);
  return join(folder, `own-${process.pid}`);
}
