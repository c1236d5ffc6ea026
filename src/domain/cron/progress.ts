import { msToInstant } from "../../base/clock.ts";

/**
 * How far a native job came, on its parent (facts cron-and-inbox 8.2). Instants are whole seconds, as
 * `YYYY-MM-DDTHH:MM:SSZ`; such texts sort as what they mean.
 */
export interface Progress {
  readonly version: 1;
  /** When the job was bound to its parent; never changes. */
  readonly anchor: string;
  /** Every occurrence up to here is settled, delivered or discarded; only grows. */
  readonly through: string;
  readonly last_occurrence: string | null;
  readonly last_child_uid: string | null;
  readonly scan: Scan | null;
}

/** A search for the newest occurrence that a sweep did not finish. */
export interface Scan {
  readonly definition_event_uid: string;
  readonly horizon: string;
  readonly cursor: string;
  readonly candidate: string | null;
}

export const PROGRESS_PREFIX = "cron.progress.";

export function progressKey(jobUid: string): string {
  return PROGRESS_PREFIX + jobUid;
}

export function firstProgress(nowMs: number): Progress {
  const anchor = toSecond(nowMs);
  return {
    version: 1,
    anchor,
    through: anchor,
    last_occurrence: null,
    last_child_uid: null,
    scan: null,
  };
}

/** The whole second that an instant is in. */
export function toSecond(ms: number): string {
  return `${msToInstant(ms).slice(0, 19)}Z`;
}
