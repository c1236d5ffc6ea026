import { instantToMs, msToInstant } from "../../base/clock.ts";
import { SvcError } from "../../contract/errors.ts";
import { backoffMs } from "../../domain/bridges/backoff.ts";
import { completesRoot } from "../../domain/bridges/completion.ts";
import {
  pauseOfAccount,
  pauseOfFault,
  pauseOfRoot,
  type SystemReason,
} from "../../domain/bridges/pauses.ts";
import type { Described, Root } from "../../domain/bridges/values.ts";
import { externalRootPaused } from "../../domain/drafts/bridges.ts";
import type { BridgeClaim, BridgeRow, StoredBridge } from "../../store/types/bridges.ts";
import { boundOf, integrationActor, UNCLAIMED } from "./bound.ts";
import { takeComments } from "./comments-taken.ts";
import { ConnectorFault } from "./far-side.ts";
import { storedError, unusable } from "./faults.ts";
import { mergeFields } from "./fields.ts";
import { publishComments } from "./publish.ts";
import { PausedRun, putBridge, Run, type RunDeps } from "./run.ts";
import { askPeople, rootColumns, takeRoot } from "./words-in.ts";

/** What a run changed. */
export interface RunCounts {
  root_updated: boolean;
  comments_created: number;
  comments_edited: number;
  field_conflicts: number;
  completion_requests: number;
  reopen_requests: number;
  /** Whether the run paused the bridge. */
  paused: boolean;
}

/**
 * Makes an issue and its root alike, under a claim that the caller took (docs/contract/connectors.md#6-the-reconcile).
 * Each stage is a write of its own, so a failure keeps what the stages before it wrote. Throws what made the run fail,
 * after it was noted at the bridge. A run whose claim is lost, or whose daemon stops, notes no failure.
 */
export async function reconcile(
  deps: RunDeps,
  claim: BridgeClaim,
  signal: AbortSignal,
): Promise<RunCounts> {
  const counts: RunCounts = {
    ...{ root_updated: false, comments_created: 0, comments_edited: 0 },
    ...{ field_conflicts: 0, completion_requests: 0, reopen_requests: 0, paused: false },
  };
  try {
    await runStages(deps, claim, counts, signal);
    await inTime(deps, endRun(deps, claim, succeeded));
  } catch (error) {
    if (!(error instanceof PausedRun)) return await failRun(deps, claim, error, signal);
    await pauseOrFail(deps, claim, error.reason, signal);
    counts.paused = true;
  }
  return counts;
}

/** Pauses the bridge. If the pause cannot be written, the run has failed, so that it is not repeated at once. */
async function pauseOrFail(
  deps: RunDeps,
  claim: BridgeClaim,
  reason: SystemReason,
  signal: AbortSignal,
): Promise<void> {
  try {
    await inTime(deps, pauseRun(deps, claim, reason));
  } catch (error) {
    await failRun(deps, claim, error, signal);
  }
}

/** Ends the run and throws what made it fail, also if the end cannot be written. */
async function failRun(
  deps: RunDeps,
  claim: BridgeClaim,
  error: unknown,
  signal: AbortSignal,
): Promise<never> {
  const isFailure = !signal.aborted && !isLost(error);
  const ended = isFailure ? failed(storedError(error)) : () => UNCLAIMED;
  await inTime(deps, endRun(deps, claim, ended)).catch(() => undefined);
  throw error;
}

/** Whether a run ended because it lost its claim or its daemon stops, which is no failure of the bridge. */
export function isLost(error: unknown): boolean {
  return (
    error instanceof SvcError &&
    (error.code === "external_root_claim_lost" || error.code === "daemon_stopping")
  );
}

async function runStages(
  deps: RunDeps,
  claim: BridgeClaim,
  counts: RunCounts,
  signal: AbortSignal,
): Promise<void> {
  const bridge = await deps.store.read(
    async ({ bridges }) => await bridges.byUid(claim.binding_uid),
  );
  const run = bridge && Run.open(deps, claim, bridge.connector_instance, signal);
  if (bridge === undefined || run === undefined) throw new PausedRun("external_connector_missing");
  const described = await describeBound(run, bridge);
  const root = await readBound(run, bridge);
  const comments =
    bridge.receive_comments === 1
      ? await run.call(async (client) => await client.listComments(bridge.external_root_key))
      : [];
  counts.root_updated = await takeRoot(run, root);
  const taken = await takeComments(run, comments, described.self_actor_id);
  [counts.comments_created, counts.comments_edited] = [taken.created, taken.edited];
  const asked = await askPeople(run, root);
  counts.completion_requests = asked.completion ? 1 : 0;
  counts.reopen_requests = asked.reopen ? 1 : 0;
  counts.field_conflicts = await mergeFields(run, described.capabilities);
  await publishComments(run, described);
  await complete(run, bridge, root);
}

/** Asks the connector who it is. Throws `PausedRun` if it is another one than at the bind. */
export async function describeBound(run: Run, bridge: BridgeRow): Promise<Described> {
  const described = await pausing("describe", async () =>
    run.call(async (client) => await client.describe()),
  );
  const reason = pauseOfAccount(bridge, described);
  if (reason !== undefined) throw new PausedRun(reason);
  return described;
}

/** Reads the root. Throws `PausedRun` if it is gone or another one than at the bind. */
export async function readBound(run: Run, bridge: BridgeRow): Promise<Root> {
  const root = await pausing("read_root", async () =>
    run.call(async (client) => await client.readRoot(bridge.external_root_key)),
  );
  const reason = pauseOfRoot(bridge, root);
  if (reason !== undefined) throw new PausedRun(reason);
  return root;
}

async function pausing<T>(method: "describe" | "read_root", call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const reason = error instanceof ConnectorFault ? pauseOfFault(error, method) : undefined;
    throw reason === undefined ? error : new PausedRun(reason);
  }
}

/** Completes the root of a closed issue, and reads it back. The issue may have been reopened meanwhile. */
async function complete(run: Run, { external_root_key }: BridgeRow, root: Root): Promise<void> {
  const isWanted = await run.write(async (_tx, { issue, bridge }) =>
    completesRoot(issue, switchesOf(bridge), root.state),
  );
  if (!isWanted) return;
  await run.call(async (client) => await client.completeRoot(external_root_key));
  const bridge = await run.write(async (_tx, now) => now.bridge);
  const completed = await readBound(run, bridge);
  if (completed.state !== "complete") throw unusable("not_completed");
  await run.write(async (tx, now) => {
    const state = { last_external_state: completed.state };
    await putBridge(tx, now.bridge, { ...rootColumns(completed), ...state });
  });
}

function switchesOf({ active, enabled, complete_external }: BridgeRow) {
  return {
    ...{ active: active === 1, enabled: enabled === 1 },
    complete_external: complete_external === 1,
  };
}

type Ending = (bridge: StoredBridge, nowMs: number) => Partial<BridgeRow>;

/** The next scan runs the bridge again. Its place among the due ones is the time of this run. */
const succeeded: Ending = (_bridge, nowMs) => ({
  ...{ ...UNCLAIMED, consecutive_failures: 0, last_error: null, last_error_at: null },
  ...{ last_success_at: msToInstant(nowMs), next_attempt_at: msToInstant(nowMs) },
});

function failed(last_error: string): Ending {
  return ({ id, consecutive_failures }, nowMs) => ({
    ...{ ...UNCLAIMED, last_error, last_error_at: msToInstant(nowMs) },
    consecutive_failures: consecutive_failures + 1,
    next_attempt_at: msToInstant(nowMs + backoffMs(id, consecutive_failures)),
  });
}

/** Ends the run, unless the claim is no longer its own. */
export async function endRun(
  { store }: Pick<RunDeps, "store">,
  { binding_uid, claim_token }: BridgeClaim,
  ending: Ending = () => UNCLAIMED,
): Promise<void> {
  await store.write(async (tx) => {
    const bridge = await tx.bridges.byUid(binding_uid);
    if (bridge?.claim_token !== claim_token) return;
    await putBridge(tx, bridge, ending(bridge, instantToMs(tx.now)));
  });
}

/** Pauses the bridge for a reason that the run found. The next attempt waits until somebody resumes it. */
async function pauseRun(
  { store }: RunDeps,
  claim: BridgeClaim,
  reason: SystemReason,
): Promise<void> {
  await store.write(async (tx) => {
    const { bridge, issue, project } = await boundOf(tx, await tx.asExternalRoot(claim));
    const actor = await integrationActor(tx, project, bridge.connector_instance);
    const after = { ...bridge, enabled: 0, paused_reason: reason, next_attempt_at: null } as const;
    await tx.append(externalRootPaused(issue, after, reason, { actor, now: tx.now }));
    await putBridge(tx, after, UNCLAIMED);
  });
}

/** How long the end of a run may wait for the store. After that, the claim becomes stale by itself. */
const END_MS = 10_000;

async function inTime({ clock }: Pick<RunDeps, "clock">, ending: Promise<void>): Promise<void> {
  const ended = new AbortController();
  const late = clock.sleep(END_MS, ended.signal).then(() => {
    if (!ended.signal.aborted) throw new SvcError("unavailable");
  });
  try {
    await Promise.race([ending, late]);
  } finally {
    ended.abort();
  }
}
