import { LOCAL_HOST } from "./host.ts";
import { type PingResult, ping } from "./ping.ts";
import { addressOf, type RuntimeRecord } from "./record.ts";

export async function pingOf(record: RuntimeRecord): Promise<PingResult> {
  return await ping(addressOf(record), hostOf(record));
}

/**
 * True if the recorded daemon answered. Another process may have its pid by now, so the answer must contain that pid or
 * say that the daemon is stopping.
 */
export function isOurs({ pid }: RuntimeRecord, answer: PingResult): boolean {
  return answer.state === "stopping" || (answer.state === "svc" && answer.pid === pid);
}

/** The address as `svc daemon locate` prints it. */
export function shownAddress({
  network,
  address,
}: Pick<RuntimeRecord, "network" | "address">): string {
  return network === "unix" ? `unix://${address}` : address;
}

export function hostOf({ network, address }: RuntimeRecord): string {
  return network === "unix" ? LOCAL_HOST : address;
}
