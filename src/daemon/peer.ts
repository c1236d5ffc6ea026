import { LOCAL_HOST } from "../client/host.ts";
import { ping } from "../client/ping.ts";
import { addressOf, type RuntimeRecord, readRecords } from "../client/record.ts";
import { socketFault } from "../config/private-path.ts";

export interface Peer {
  readonly pid?: number;
  readonly network: RuntimeRecord["network"];
  readonly address: string;
  readonly certificate?: string;
}

/**
 * A daemon that answers: one announced in the folder, or one that listens on this database's socket from another
 * home. One that is stopping does not count, since its lock will be free soon.
 */
export async function findLive(
  runtimeDir: string,
  socketPath: string | undefined,
): Promise<Peer | undefined> {
  const elsewhere: readonly Peer[] =
    socketPath === undefined ? [] : [{ network: "unix", address: socketPath }];
  for (const peer of [...readRecords(runtimeDir), ...elsewhere]) {
    if (peer.network === "unix" && socketFault(peer.address) !== undefined) continue;
    const host = peer.network === "unix" ? LOCAL_HOST : peer.address;
    const answer = await ping(addressOf(peer), host);
    if (answer.state === "svc")
      return { ...(answer.pid === undefined ? {} : { pid: answer.pid }), ...peer };
  }
  return undefined;
}
