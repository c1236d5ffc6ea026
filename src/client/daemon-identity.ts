import { LOCAL_HOST } from "./host.ts";
import { type PingResult, ping } from "./ping.ts";
import { addressOf, type RuntimeRecord } from "./record.ts";

/**
 * Pings the recorded daemon. One that closes the connection without an answer, because it has too many, counts as
 * silent while its process runs.
 */
export async function pingOf(record: RuntimeRecord): Promise<PingResult> {
  const ask = async (): Promise<PingResult> => await ping(addressOf(record), hostOf(record));
  const answer = await ask();
  if (!isCut(answer)) return answer;
  // A full listener closes idle connections, so there may be room now.
  const again = await ask();
  if (!isCut(again)) return again;
  const { isDaemon } = await import("./force.ts");
  return isDaemon(record) ? { state: "silent" } : again;
}

function isCut(answer: PingResult): boolean {
  if (answer.state === "gone") return answer.errno === "ECONNRESET";
  return answer.state === "foreign" && answer.cut === true;
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
