import { type Instant, instantToMs } from "../../base/clock.ts";
import { MOST_MS } from "./backoff.ts";

/** A claim that is as old as this belongs to a run that was killed. */
export const STALE_MS = 5 * 60_000;

/** A run writes the time of its claim again after this time. */
export const RENEW_MS = STALE_MS / 3;

export interface Claim {
  readonly claim_token: string | null;
  readonly claim_started_at: Instant | null;
}

/**
 * Whether a run is under way. A claim as far in the future as a stale one is in the past was made before the clock was
 * set back, and counts as stale too.
 */
export function isClaimed({ claim_token, claim_started_at }: Claim, nowMs: number): boolean {
  if (claim_token === null || claim_started_at === null) return false;
  return Math.abs(nowMs - instantToMs(claim_started_at)) < STALE_MS;
}

/** Whether the run that claimed the binding at this time must renew its claim now. */
export function needsRenewal(claimedAtMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - claimedAtMs) >= RENEW_MS;
}

export interface DueRow extends Claim {
  readonly active: boolean;
  readonly enabled: boolean;
  readonly next_attempt_at: Instant | null;
}

/**
 * Whether a run may begin. A run that a person asks for (`isAsked`) does not wait for the next attempt. A next attempt
 * further ahead than the longest wait was set before the clock was set back, and nobody waits for it.
 */
export function isDue(row: DueRow, nowMs: number, isAsked = false): boolean {
  const { active, enabled, next_attempt_at } = row;
  if (!active || !enabled || isClaimed(row, nowMs)) return false;
  if (isAsked || next_attempt_at === null) return true;
  const waitMs = instantToMs(next_attempt_at) - nowMs;
  return waitMs <= 0 || waitMs > MOST_MS;
}
