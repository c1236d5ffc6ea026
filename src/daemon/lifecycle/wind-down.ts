import type { Clock } from "../../base/clock.ts";
import { formatDuration } from "../../base/durations.ts";
import type { Log } from "../../base/log.ts";
import type { Store } from "../../store/types/store.ts";
import type { IdleWatch } from "../idle/watch.ts";
import type { Listeners } from "../listeners/all-listeners.ts";
import { removeRecord } from "../listeners/record.ts";
import type { EventHub } from "../stream/hub.ts";
import { closeStore } from "./close-store.ts";

/**
 * When the daemon stops, running requests may take this long before they are cut
 * (docs/contract/http-api.md#11-transport-and-formats).
 */
const DRAIN_MS = 10_000;

interface RunningParts {
  readonly listeners: Listeners;
  readonly hub: EventHub;
  readonly watch: IdleWatch | undefined;
  readonly services: readonly { stop(): Promise<void> }[];
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly runtimeDir: string;
  readonly kill: (() => void) | undefined;
}

/**
 * Stops the daemon. Streams are ended first, because they never end by themselves. The socket stays open while requests
 * run, so that new clients get `daemon_stopping` and know to wait. Then the record file and the socket are removed, and
 * the store is closed.
 */
export async function windDown({
  listeners,
  hub,
  watch,
  services,
  store,
  clock,
  log,
  runtimeDir,
  kill,
}: RunningParts): Promise<void> {
  const idleFor = watch?.idleFor();
  if (idleFor !== undefined) log.info("daemon.idle_shutdown", { after: formatDuration(idleFor) });
  log.info("daemon.stopping", { pending: listeners.pending() });
  watch?.stop();
  hub.close();
  listeners.closeIdle();
  const drained = new AbortController();
  await Promise.race([listeners.quiet(), clock.sleep(DRAIN_MS, drained.signal)]);
  drained.abort();
  const cut = listeners.pending();
  if (cut > 0) log.warn("daemon.requests_cut", { requests: cut });
  removeRecord(runtimeDir, process.pid);
  await listeners.close();
  const close = async (): Promise<void> => {
    await Promise.all(services.map(async (service) => await service.stop()));
    await store.close();
  };
  await closeStore({ close, clock, log, cut: kill });
  log.info("daemon.stopped");
}
