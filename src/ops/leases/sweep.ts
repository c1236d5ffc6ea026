import { instantToMs, msToInstant } from "../../base/clock.ts";
import { leaseRenewed } from "../../domain/drafts/leases.ts";
import { hasExpired, isUnreleased } from "../../domain/leases.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Deps } from "../deps.ts";
import { expire } from "./lease-request.ts";

/** The maximum number of leases that one pass ends (facts cron-and-inbox 13). */
const PASS = 100;
/** A lease that begins more than this far in the future shows that the clock was set back. */
const SLACK_MS = 1000;

/** Ends expired leases, each by an event; returns their number. */
export async function sweepLeases({ store }: Pick<Deps, "store">): Promise<number> {
  await shortenAll({ store });
  const now = await store.leaseNow();
  const found = await store.read(async (reader) => await reader.leases.expired(now, PASS));
  if (found.length === 0) return 0;
  return await store.write(async (tx) => {
    let ended = 0;
    for (const { issue_uid } of found) {
      const [issue, lease] = [await tx.issues.find(issue_uid), await tx.leases.of(issue_uid)];
      // Since the read, the lease may have been renewed or released, or the issue purged.
      if (issue === undefined || !isUnreleased(lease)) continue;
      if (!hasExpired(lease, await tx.leaseNow())) continue;
      await expire(tx, issue, lease);
      ended += 1;
    }
    return ended;
  });
}

/**
 * Renews leases whose start lies in the future because the clock was set back, so that each lasts its usual time from
 * now. Otherwise setting the clock back by a day would extend each lease by a day.
 */
async function shortenAll({ store }: Pick<Deps, "store">): Promise<void> {
  let shortened = PASS;
  while (shortened === PASS) {
    const latest = latestStart(await store.leaseNow());
    const ahead = await store.read(async (reader) => await reader.leases.ahead(latest, PASS));
    if (ahead.length === 0) return;
    shortened = await store.write(async (tx) => {
      let count = 0;
      for (const { issue_uid } of ahead) if (await shorten(tx, issue_uid)) count += 1;
      return count;
    });
  }
}

async function shorten(tx: Tx, issueUid: string): Promise<boolean> {
  const [issue, lease] = [await tx.issues.find(issueUid), await tx.leases.of(issueUid)];
  const now = await tx.leaseNow();
  // Since the read, the lease may have been renewed or released.
  if (issue === undefined || !isUnreleased(lease) || lease.expires_at === null) return false;
  if (lease.updated_at <= latestStart(now)) return false;
  const ttlMs = instantToMs(lease.expires_at) - instantToMs(lease.updated_at);
  const ttl = Math.max(0, Math.floor(ttlMs / 1000));
  await tx.append(leaseRenewed(issue, lease, ttl, { actor: lease.holder, now }));
  return true;
}

function latestStart(now: string): string {
  return msToInstant(instantToMs(now) + SLACK_MS);
}
