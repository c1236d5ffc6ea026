import { type Instant, instantToMs, msToInstant } from "../../base/clock.ts";
import type { EventDraft } from "../../contract/events.ts";
import { leaseExpired, leaseReleased, leaseRenewed } from "../../domain/drafts/leases.ts";
import { hasExpired, isUnreleased } from "../../domain/leases.ts";
import type { LeaseRow } from "../../domain/state.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Deps } from "../deps.ts";
import { requireSmallWork } from "../small-work.ts";

/** The maximum number of leases that one pass ends (docs/contract/cron-and-inbox.md#13-leases). */
const PASS = 100;
/** A lease that begins more than this far in the future shows that the clock was set back. */
const SLACK_MS = 1000;

/** Ends expired leases, each with an event, and returns their number. */
export async function sweepLeases(deps: SweepDeps): Promise<number> {
  await shortenAll(deps);
  const { store } = deps;
  const now = await store.leaseNow();
  const expired = await store.read(async (reader) => await reader.leases.expired(now, PASS));
  return await appendOfLeases(deps, expired, (issue, lease, at) =>
    hasExpired(lease, at)
      ? leaseExpired(issue, lease, { actor: lease.holder, now: at })
      : undefined,
  );
}

type SweepDeps = Pick<Deps, "store" | "smallWorkOnly">;

type DraftExpiry = (
  issue: StoredIssue,
  lease: LeaseRow,
  now: Instant,
  isOfCopy: boolean,
) => EventDraft | undefined;

const NO_COPIES: ReadonlySet<string> = new Set();

/**
 * Appends an event for each lease for which `draft` returns one. Returns their number. Each lease is read again inside
 * the write, because it may have been renewed or released, or its issue purged.
 */
async function appendOfLeases(
  { store, smallWorkOnly }: SweepDeps,
  leases: readonly Pick<LeaseRow, "issue_uid">[],
  draftOf: DraftExpiry,
): Promise<number> {
  if (leases.length === 0) return 0;
  requireSmallWork(smallWorkOnly, leases.length);
  const uids = leases.map(({ issue_uid }) => issue_uid);
  return await store.write(async (tx) => {
    const copies = tx.hasCopies ? await tx.federation.copies() : NO_COPIES;
    await tx.preload({ rows: { lease: uids } });
    const issues = await tx.issues.many(uids);
    const now = await tx.leaseNow();
    const drafts: EventDraft[] = [];
    for (const uid of uids) {
      const [issue, lease] = [issues.get(uid), await tx.lease(uid)];
      if (issue === undefined || !isUnreleased(lease)) continue;
      const draft = draftOf(issue, lease, now, copies.has(issue.project_uid));
      if (draft !== undefined) drafts.push(draft);
    }
    await tx.appendAll(drafts);
    return drafts.length;
  });
}

/**
 * Renews leases whose start lies in the future because the clock was set back, so that each lasts its usual time from
 * now. Otherwise setting the clock back by a day would extend each lease by a day.
 */
async function shortenAll(deps: SweepDeps): Promise<void> {
  const { store } = deps;
  let shortened = PASS;
  while (shortened === PASS) {
    const latest = latestStart(await store.leaseNow());
    const ahead = await store.read(async (reader) => await reader.leases.ahead(latest, PASS));
    shortened = await appendOfLeases(deps, ahead, shortenedDraft);
  }
}

const shortenedDraft: DraftExpiry = (issue, lease, now, isOfCopy) => {
  if (lease.expires_at === null || lease.updated_at <= latestStart(now)) return undefined;
  // The hub's lease ends by the hub's clock. How much of it is left cannot be known any more.
  if (isOfCopy)
    return leaseReleased(issue, lease, "the clock was set back", { actor: lease.holder, now });
  const ttlMs = instantToMs(lease.expires_at) - instantToMs(lease.updated_at);
  const ttl = Math.max(0, Math.floor(ttlMs / 1000));
  return leaseRenewed(issue, lease, ttl, { actor: lease.holder, now });
};

function latestStart(now: string): string {
  return msToInstant(instantToMs(now) + SLACK_MS);
}
