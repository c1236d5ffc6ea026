import { LOCAL_HOST } from "../../client/host.ts";
import { ping } from "../../client/ping.ts";
import { addressOf, type RuntimeRecord, readRecords } from "../../client/record.ts";
import { socketFault } from "../../config/private-path.ts";

export interface RunningDaemon {
  readonly pid?: number;
  readonly network: RuntimeRecord["network"];
  readonly address: string;
  readonly certificate?: string;
}

/**
 * Finds a running daemon: one that has a record file in `runtimeDir`, or one that was started from another home and
 * listens on the socket of this database. A stopping daemon does not count, because its lock will soon be free.
 */
export async function findRunning(
  runtimeDir: string,
  socketPath: string | undefined,
): Promise<RunningDaemon | undefined> {
  const elsewhere: readonly RunningDaemon[] =
    socketPath === undefined ? [] : [{ network: "unix", address: socketPath }];
  for (const daemon of [...readRecords(runtimeDir), ...elsewhere]) {
    if (daemon.network === "unix" && socketFault(daemon.address) !== undefined) continue;
    const host = daemon.network === "unix" ? LOCAL_HOST : daemon.address;
    const answer = await ping(addressOf(daemon), host);
    if (answer.state === "svc")
      return { ...(answer.pid === undefined ? {} : { pid: answer.pid }), ...daemon };
  }
  return undefined;
}
