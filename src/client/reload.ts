import { type Clock, systemClock } from "../base/clock.ts";
import type { Config } from "../config/load.ts";
import { runtimeDir } from "../config/paths.ts";
import { invalid } from "../contract/errors.ts";
import { UnavailableError } from "../shared/answer-errors.ts";
import { daemonsOf } from "./daemons.ts";
import { type CertificateState, type RuntimeRecord, readRecords, signal } from "./record.ts";

export interface ReloadResult {
  readonly action: "reload";
  readonly pid: number;
  /** Present only if the daemon speaks HTTPS. */
  readonly certificate?: Pick<CertificateState, "valid_until">;
}

/**
 * How long the client waits for the result of a reload in the daemon's record. The daemon cannot answer a signal
 * directly.
 */
const ANSWER_MS = 5_000;
const ANSWER_POLL_MS = 10;

/**
 * Makes the daemon of this database reopen its log and read its certificate and the key of its embedding provider
 * again, by SIGHUP. Returns `undefined` if no daemon runs. Throws if the daemon keeps its old certificate. If the key
 * cannot be read, only the daemon's log says so.
 */
export async function reloadDaemon(
  config: Config,
  clock: Clock = systemClock,
): Promise<ReloadResult | undefined> {
  const running = (await daemonsOf(config)).find(({ state }) => state !== "silent");
  if (running === undefined) return undefined;
  const { record } = running;
  const { pid } = record;
  signal(pid, "SIGHUP");
  if (record.metadata?.tls === undefined) return { action: "reload", pid };
  const { valid_until, fault } = await certificateAfter(record, config, clock);
  if (fault === undefined) return { action: "reload", pid, certificate: { valid_until } };
  throw invalid(
    `the daemon (pid ${pid}) keeps its certificate, which is valid until ${valid_until}: ${fault}`,
    "put the file right and run svc daemon reload again",
  );
}

async function certificateAfter(
  { pid, started_at, metadata }: RuntimeRecord,
  config: Config,
  clock: Clock,
): Promise<CertificateState> {
  const deadline = clock.nowMs() + ANSWER_MS;
  while (clock.nowMs() < deadline) {
    const now = readRecords(runtimeDir(config.home, config.dsn)).find(
      (record) => record.pid === pid && record.started_at === started_at,
    )?.metadata?.tls;
    if (now !== undefined && now.read_at !== metadata?.tls?.read_at) return now;
    await clock.sleep(ANSWER_POLL_MS);
  }
  throw new UnavailableError(
    `the daemon (pid ${pid}) did not say within 5 seconds whether it took the certificate`,
    { hint: "see svc daemon logs" },
  );
}
