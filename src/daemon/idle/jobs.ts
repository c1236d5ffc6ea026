import { formatDuration } from "../../base/durations.ts";
import type { Store } from "../../store/types/store.ts";

export interface IdleJobs {
  readonly recurring_jobs?: number;
  readonly note?: string;
}

/**
 * Returns the health fields that warn that enabled recurring jobs do not run after the daemon has stopped. Empty if no
 * job is enabled.
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
