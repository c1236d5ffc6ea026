import { LOCAL_HOST } from "./host.ts";
import { type PingResult, ping } from "./ping.ts";
import { addressOf, type RuntimeRecord } from "./record.ts";

export async function pingOf(record: RuntimeRecord): Promise<PingResult> {
  return await ping(addressOf(record), hostOf(record));
}

/** A pid of a record may live again in a process that is none of ours: only what a daemon says of itself counts. */
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
