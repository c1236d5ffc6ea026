import { LOCAL_HOST } from "./host.ts";
import { type PingResult, ping } from "./ping.ts";
import { addressOf, type RuntimeRecord } from "./record.ts";

export async function pingOf(record: RuntimeRecord): Promise<PingResult> {
  return await ping(addressOf(record), hostOf(record));
}

/** Another process may have the recorded pid by now, so only the daemon's own answer counts. */
export function isOurs({ pid }: RuntimeRecord, answer: PingResult): boolean {
  return answer.state === "stopping" || (answer.state === "svc" && answer.pid === pid);
}

/** The address as `svc daemon locate` prints it. */
export function shownAddress({ network, address }: RuntimeRecord): string {
  return network === "unix" ? `unix://${address}` : address;
}

export function hostOf({ network, address }: RuntimeRecord): string {
  return network === "unix" ? LOCAL_HOST : address;
}
