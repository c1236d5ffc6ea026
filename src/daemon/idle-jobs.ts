import { formatDuration } from "../base/durations.ts";
import type { Store } from "../store/types/store.ts";

export interface IdleJobs {
  readonly recurring_jobs?: number;
  readonly note?: string;
}

/**
 * The health fields that warn about recurring jobs which nobody delivers after the daemon has ended; empty if there are
 * no such jobs.
 */
export async function idleJobs(store: Pick<Store, "read">, timeoutMs: number): Promise<IdleJobs> {
  const jobs = await store.read(async (reader) => await reader.cron.nativeJobs());
  const enabled = jobs.filter(({ definition }) => definition["enabled"] === true).length;
  if (enabled === 0) return {};
  const timeout = formatDuration(timeoutMs);
  return {
    recurring_jobs: enabled,
    note: `recurring jobs (${enabled}) are delivered only while a daemon runs, and this one ends after ${timeout} without clients: unset autostart_idle_timeout, or keep one running with svc daemon restart`,
  };
}
