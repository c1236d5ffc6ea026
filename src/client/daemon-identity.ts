import { LOCAL_HOST } from "./host.ts";
import { type PingResult, ping } from "./ping.ts";
import { addressOf, type RuntimeRecord } from "./record.ts";

/**
 * Pings the recorded daemon. A daemon with too many connections closes a new connection without an answer. Such a
 * daemon counts as silent if its process still runs.
 */
export async function pingOf(record: RuntimeRecord): Promise<PingResult> {
  const ask = async (): Promise<PingResult> => await ping(addressOf(record), hostOf(record));
  const answer = await ask();
  if (!isCut(answer)) return answer;
  // A daemon with too many connections also closes idle connections, so the second ping may get through.
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
 * Returns true if the recorded daemon has answered. Another daemon may listen at its address by now, so the answer must
 * contain the recorded pid or say that the daemon is stopping.
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
