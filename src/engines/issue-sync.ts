import type { JsonObject } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import { SvcError } from "../contract/errors.ts";
import type { Deps, OpStore } from "../ops/deps.ts";
import type { RunClaim } from "../ops/issue-sync/binding.ts";
import { claimDue, dueRuns } from "../ops/issue-sync/claim.ts";
import { type Chunk, type WrittenItems, writeIssues } from "../ops/issue-sync/write-issues.ts";
import type { BulkWrite } from "./bulk-write.ts";
import type { Engine } from "./engines.ts";
import type { Wake } from "./wake.ts";

const PERIOD_MS = 30_000; // docs/contract/issue-sync.md#4-runs

/** Writes a part of what a run read. Its input is a `Chunk`, which is JSON but for absent values. */
export const writeSynced: BulkWrite<JsonObject, WrittenItems> = {
  name: "issue_sync.write",
  run: async (deps, input) => await writeIssues(deps, input as unknown as Chunk),
};

interface Needs extends Pick<Deps, "clock"> {
  readonly log: Log;
  readonly wake: Wake;
  run(claim: RunClaim): Promise<unknown>;
}

/** Reads the repositories that are due, one after another: every 30 seconds, and when a binding was enabled. */
export function issueSyncEngine({ clock, wake, run, log }: Needs): Engine {
  const state = { enabled: 0, failing: 0, running: false };
  const look = async (store: OpStore) => {
    const due = await store.read(async (reader) => await dueRuns(reader, clock.nowMs()));
    [state.enabled, state.failing] = [due.enabled, due.failing];
    return due;
  };
  const runDue = async (store: OpStore, project_uid: string): Promise<void> => {
    const claim = await claimDue(store, project_uid, clock.nowMs());
    if (claim === undefined) return;
    state.running = true;
    try {
      await run(claim);
    } finally {
      state.running = false;
    }
  };
  return {
    name: "issue_sync",
    firstMs: 2000,
    elected: true,
    delaysIdle: true,
    wake,
    health: { field: "sync", read: () => ({ ...state }) },
    sweep: async ({ store, signal }) => {
      wake.taken();
      const { projects } = await look(store);
      for (const project_uid of projects) {
        if (signal.aborted) break;
        try {
          await runDue(store, project_uid);
        } catch (error) {
          // The run has stored why it failed. The runs of the other repositories go on.
          if (!(error instanceof SvcError)) throw error;
          log.info("issue_sync.not_run", { project_uid, code: error.code });
        }
      }
      if (wake.isSet) return 0;
      const { nextMs } = await look(store);
      const wait = nextMs === undefined ? PERIOD_MS : nextMs - clock.nowMs();
      return Math.min(Math.max(wait, 0), PERIOD_MS);
    },
  };
}
