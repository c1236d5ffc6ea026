import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import type { EventDraft } from "../../src/contract/events.ts";
import {
  leaseAcquired,
  leaseForceReleased,
  leaseReleased,
  leaseRenewed,
} from "../../src/domain/drafts/leases.ts";
import type { LeaseRow } from "../../src/domain/state.ts";
import type { Store, Tx } from "../../src/store/types/store.ts";
import { created, projectCreated, uid } from "../store/drafts.ts";
import {
  type Dialect,
  deps,
  examine,
  exportTo,
  freshTarget,
  ids,
  plain,
  scratch,
  withStore,
} from "./targets.ts";

const PROJECT = uid(1);
const [HELD, OVER, PURGED] = [uid(2), uid(3), uid(4)];
const TIMED = { claim_kind: "timed", ttl_seconds: 3600, purpose: "repair" } as const;

async function leaseOf(tx: Tx, issue: string): Promise<LeaseRow> {
  const lease = await tx.leases.of(issue);
  if (lease === undefined) throw new Error("the issue was leased");
  return lease;
}

/**
 * Writes a lease that is held and was renewed, one with the second fence that has ended, and one whose issue was
 * purged.
 */
async function story(store: Store): Promise<void> {
  await store.write(async (tx) => {
    await tx.append(projectCreated(PROJECT, "web"));
    const who = { holder: "ann", holder_instance_uid: store.instanceUid, client_kind: "cli" };
    const act = { actor: "ann", now: tx.now };
    const about = (issue: string) => ({ uid: issue, project_uid: PROJECT });
    const acquire = async (issue: string): Promise<LeaseRow> => {
      const wish = { who, terms: TIMED, claim_uid: ids.ulid() };
      await tx.append(
        leaseAcquired(about(issue), { ...wish, known: await tx.leases.of(issue) }, act),
      );
      return await leaseOf(tx, issue);
    };
    const append = async (draft: EventDraft) => await tx.append(draft);
    for (const issue of [HELD, OVER, PURGED]) await tx.append(created(PROJECT, issue));
    await append(leaseRenewed(about(HELD), await acquire(HELD), 7200, act));
    await append(leaseReleased(about(OVER), await acquire(OVER), "done", act));
    await append(leaseForceReleased(about(OVER), await acquire(OVER), "gone", act));
    await acquire(PURGED);
    const purged = await tx.issues.find(PURGED);
    if (purged !== undefined) await tx.purgeIssue(purged, { actor: "ann", reason: null });
  });
}

const CASES: readonly (readonly [Dialect, Dialect])[] = [
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
];

describe("an export with leases", () => {
  test.each(CASES)(
    "gives the same bytes from %s to %s and back, and doctor finds no fault",
    async (from, to) => {
      const folder = await scratch();
      const source = await freshTarget(from, folder);
      await withStore(source, story);
      const file = join(folder, "one.jsonl");
      const first = await exportTo(source, file);
      const claims = first
        .split("\n")
        .filter((text) => text.startsWith('{"kind":"issue_claim"'))
        .map((text) => JSON.parse(text).data);
      expect(claims).toMatchObject([
        { issue_uid: HELD, fence: 1, revision: 2, holder: "ann", purpose: "repair", project_id: 1 },
        { issue_uid: OVER, fence: 2, release_reason: "gone" },
      ]);
      expect(claims[0]).not.toHaveProperty("released_at");
      const target = await freshTarget(to, folder);
      await restoreFile(deps, { ...plain, file, target });
      expect(await exportTo(target, join(folder, "two.jsonl"))).toBe(first);
      const report = await examine(target);
      expect(report).not.toHaveProperty("fold");
      expect(report.changedEvents).toEqual([]);
      const held = await withStore(
        target,
        async (store) => await store.read(async ({ leases }) => await leases.of(HELD)),
      );
      expect(held).toMatchObject({ fence: 1, released_at: null });
    },
  );
});
