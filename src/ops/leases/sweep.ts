import { hasExpired, isUnreleased } from "../../domain/leases.ts";
import type { Deps } from "../deps.ts";
import { expire } from "./ask.ts";

/** Leases that one pass ends at most (facts cron-and-inbox 13). */
const PASS = 100;

/** Ends the leases that ran out, each with an event of its own; answers how many. */
export async function sweepLeases({
  store,
  clock,
}: Pick<Deps, "store" | "clock">): Promise<number> {
  const found = await store.read(async (reader) => await reader.leases.expired(clock.now(), PASS));
  if (found.length === 0) return 0;
  return await store.write(async (tx) => {
    let ended = 0;
    for (const { issue_uid } of found) {
      const [issue, lease] = [await tx.issues.find(issue_uid), await tx.leases.of(issue_uid)];
      // Somebody may have renewed or released it, or purged the issue, in the meantime.
      if (issue === undefined || !isUnreleased(lease) || !hasExpired(lease, tx.now)) continue;
      await expire(tx, issue, lease);
      ended += 1;
    }
    return ended;
  });
}
