import { type Instant, instantToMs, msToInstant } from "../../base/clock.ts";
import { MOST_MS } from "../../domain/bridges/backoff.ts";
import { STALE_MS } from "../../domain/bridges/claim.ts";
import type { DueBridge } from "../../store/types/bridges.ts";
import type { Reader } from "../../store/types/store.ts";
import { type RunCounts, reconcile } from "./reconcile.ts";
import { claimBridge, type RunDeps } from "./run.ts";

/** The largest number of bridges that one read of due ones returns. */
export const MOST_DUE = 100; // docs/contract/connectors.md#14-limits

interface Look {
  /** Only bridges that were due at this time, so that a round does not run again what it has run already. */
  readonly asOf: Instant;
  readonly now: Instant;
  /** Bridges of these connectors are left out. */
  readonly without: readonly string[];
}

/** The bridges whose runs are due, those that waited longest first, at most `MOST_DUE`. */
export async function dueBridges(
  { bridges }: Reader,
  { asOf, now, without }: Look,
): Promise<readonly DueBridge[]> {
  return await bridges.due({ asOf, ...timesAt(now), without, limit: MOST_DUE });
}

/** Those of the woken issues whose bridge is due, by the uid of the issue. A wake shortens no wait after a failure. */
export async function dueOfIssues(
  { bridges }: Reader,
  { issueUids, now }: { readonly issueUids: readonly string[]; readonly now: Instant },
): Promise<ReadonlyMap<string, DueBridge>> {
  const due = await bridges.dueOfIssues(issueUids, { asOf: now, ...timesAt(now) });
  return new Map(due.map((bridge) => [bridge.issue_uid, bridge]));
}

/** The bounds of `isDue` in `domain/bridges/claim.ts`: of claims that are not stale, and of the next attempt. */
function timesAt(now: Instant) {
  const nowMs = instantToMs(now);
  return {
    latest: msToInstant(nowMs + MOST_MS),
    freshFrom: msToInstant(nowMs - STALE_MS + 1),
    freshTo: msToInstant(nowMs + STALE_MS - 1),
  };
}

/**
 * Runs the bridge if it is still due. Returns undefined if it is not, for example because it was paused or another run
 * works on it. If the run fails, the error is stored at the bridge and then thrown. A run that `signal` ends has not
 * failed.
 */
export async function runIfDue(
  deps: RunDeps,
  uid: string,
  signal: AbortSignal,
): Promise<RunCounts | undefined> {
  const claim = await claimBridge(deps, uid, false);
  return claim && (await reconcile(deps, claim, signal));
}
