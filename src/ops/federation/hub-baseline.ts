import { NeedsWorker } from "../../base/budget.ts";
import { type Instant, instantToMs } from "../../base/clock.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import type { Deps } from "../deps.ts";
import { beginBaseline, prepareBaseline } from "./baseline.ts";
import type { BindingRow } from "./binding.ts";

/** The actor of a baseline that svc writes by itself (docs/contract/federation.md#31-administration). */
export const FEDERATION_ACTOR = "federation";

/**
 * Whether something was purged since the baseline was written. If so, readers begin again, but not with this baseline
 * (docs/contract/federation.md#86-purges).
 */
export async function isBaselineOutdated(
  { events }: Pick<Reader, "events">,
  { project_uid, replay_horizon_event_id }: BindingRow,
): Promise<boolean> {
  return replay_horizon_event_id <= (await events.resetAfter([project_uid]));
}

/** A project with more issues or events gets its baseline in several writes, by the write worker. */
const SMALL_PROJECT = 100;
/** How many snapshots one write has at most, so that other writes need not wait for long. */
const SNAPSHOTS_PER_WRITE = 500;
/** How many times a baseline is begun at most. A purge during the writes makes an attempt fail. */
const MOST_TRIES = 3;

type BaselineDeps = Pick<Deps, "store" | "ids" | "smallWorkOnly">;

export interface WantedBaseline {
  readonly project_uid: string;
  readonly actor: string;
  /** Whether the project still needs a baseline. Called in the write, since another request may have written one. */
  isDue(reader: Reader): Promise<boolean>;
}

/**
 * Writes a baseline of a project, and enables its binding: from now on, readers begin at this baseline. Does nothing if
 * no baseline is due.
 *
 * The baseline of a large project is written in several writes, and other writes go on between them. Only the last of
 * these writes lets readers begin at the baseline. If the daemon ends before it, the events that were written change
 * nothing here or elsewhere. Throws `busy` while another request writes the baseline, and if purges made every attempt
 * fail.
 */
export async function renewBaseline(deps: BaselineDeps, wanted: WantedBaseline): Promise<void> {
  const { store, smallWorkOnly } = deps;
  const { project_uid } = wanted;
  const isLarge = await store.read(
    async ({ projects }) => await projects.holdsMoreThan(project_uid, SMALL_PROJECT),
  );
  if (!isLarge) return await writeAtOnce(deps, wanted);
  if (smallWorkOnly === true) throw new NeedsWorker();
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const claim = await claimBaseline(deps, wanted);
    if (claim === undefined) return;
    let isWhole = false;
    try {
      isWhole = await writeInParts(deps, wanted, claim);
      if (isWhole) return;
    } finally {
      // If the release fails, the claim expires by itself.
      if (!isWhole) await endBaselineClaim(deps, project_uid, claim).catch(() => undefined);
    }
  }
  throw baselineBusy();
}

async function writeAtOnce({ store }: BaselineDeps, wanted: WantedBaseline): Promise<void> {
  const { project_uid, actor } = wanted;
  const prepared = await prepareBaseline({ store }, project_uid, actor);
  await store.write(async (tx) => {
    const known = await tx.unfolded.find("federation_binding", { project_uid });
    if (!(await wanted.isDue(tx))) return;
    const { baseline, snapshots } = await beginBaseline(tx, prepared);
    const through = await tx.appendSnapshots(baseline, snapshots);
    await beginAt(tx, known ?? newHub(project_uid, tx.now), baseline.horizon, through);
  });
}

/**
 * Writes the baseline in several writes. If something is purged before the last write, returns false, and readers do
 * not begin at this baseline.
 */
async function writeInParts(
  { store }: BaselineDeps,
  { project_uid, actor }: WantedBaseline,
  claim: string,
): Promise<boolean> {
  const prepared = await prepareBaseline({ store }, project_uid, actor);
  const write = async <T>(work: (tx: Tx, binding: BindingRow) => Promise<T>): Promise<T> =>
    await store.write(async (tx) => await work(tx, await requireClaim(tx, project_uid, claim)));
  // After a purge, all snapshots would be made again in one write, and other writes would wait for that.
  const begun = await write(async (tx) =>
    (await tx.events.resetAfter()) === prepared.reset
      ? await beginBaseline(tx, prepared)
      : undefined,
  );
  if (begun === undefined) return false;
  const { baseline, snapshots, reset } = begun;
  let through = baseline.horizon;
  for (let at = 0; at < snapshots.length; at += SNAPSHOTS_PER_WRITE) {
    const portion = snapshots.slice(at, at + SNAPSHOTS_PER_WRITE);
    const last = await write(async (tx, binding) => {
      if ((await tx.events.resetAfter()) !== reset) return undefined;
      await tx.unfolded.put("federation_binding", { ...binding, baseline_claimed_at: tx.now });
      return await tx.appendSnapshots(baseline, portion);
    });
    if (last === undefined) return false;
    through = last;
  }
  return await write(async (tx, binding) => {
    if ((await tx.events.resetAfter()) !== reset) return false;
    await beginAt(tx, binding, baseline.horizon, through);
    return true;
  });
}

/** Lets readers begin at a baseline that is written whole, and enables the binding. */
async function beginAt(
  tx: Tx,
  binding: BindingRow,
  horizon: number,
  through: number,
): Promise<void> {
  await tx.unfolded.put("federation_binding", {
    ...binding,
    replay_horizon_event_id: horizon,
    baseline_through_event_id: through,
    pull_cursor_event_id: horizon - 1,
    enabled: 1,
    disabled_reason: null,
    updated_at: tx.now,
    baseline_claim: null,
    baseline_claimed_at: null,
  });
}

/** If a claim was not renewed for this long, its daemon is taken to have ended, and another may write the baseline. */
const CLAIM_MS = 2 * 60_000;

/**
 * Claims the baseline for this request and returns the id of the claim; `undefined` if no baseline is due. Throws
 * `busy` if another claim may be in use. The binding of a new hub stays disabled until the baseline is written, but
 * from now on it refuses what a federated project cannot do.
 */
async function claimBaseline(
  { store, ids }: BaselineDeps,
  { project_uid, isDue }: WantedBaseline,
): Promise<string | undefined> {
  const claim = ids.ulid();
  return await store.write(async (tx) => {
    const known = await tx.unfolded.find("federation_binding", { project_uid });
    if (!(await isDue(tx))) return undefined;
    if (isFresh(known?.baseline_claimed_at ?? undefined, tx.now)) throw baselineBusy();
    const binding = known ?? {
      ...newHub(project_uid, tx.now),
      enabled: 0,
      disabled_reason: "baseline_unfinished",
    };
    const mark = { baseline_claim: claim, baseline_claimed_at: tx.now };
    await tx.unfolded.put("federation_binding", { ...binding, ...mark });
    return claim;
  });
}

/** Whether the claim may still be in use. A claim from the future was made by a daemon whose clock was wrong. */
function isFresh(since: Instant | undefined, now: Instant): boolean {
  if (since === undefined || since > now) return false;
  return instantToMs(since) + CLAIM_MS > instantToMs(now);
}

async function requireClaim(tx: Tx, project_uid: string, claim: string): Promise<BindingRow> {
  const binding = await tx.unfolded.find("federation_binding", { project_uid });
  if (binding?.baseline_claim !== claim) throw baselineBusy();
  return binding;
}

/** Ends the claim, if the binding still has it. Removes a binding that was never enabled. */
async function endBaselineClaim(
  { store }: BaselineDeps,
  project_uid: string,
  claim: string,
): Promise<void> {
  await store.write(async (tx) => {
    const binding = await tx.unfolded.find("federation_binding", { project_uid });
    if (binding?.baseline_claim !== claim) return;
    if (binding.disabled_reason === "baseline_unfinished")
      await tx.unfolded.remove("federation_binding", { project_uid });
    else {
      const ended = { baseline_claim: null, baseline_claimed_at: null };
      await tx.unfolded.put("federation_binding", { ...binding, ...ended });
    }
  });
}

function baselineBusy(): SvcError {
  const message = "the baseline of this project is being written; this request wrote none";
  return new SvcError(
    "busy",
    { reason: "baseline" },
    { message, hint: "ask again in some seconds" },
  );
}

function newHub(project_uid: string, now: Instant): BindingRow {
  return {
    project_uid,
    role: "hub",
    hub_url: null,
    hub_project_id: null,
    hub_project_uid: null,
    replay_horizon_event_id: 0,
    baseline_through_event_id: 0,
    pull_cursor_event_id: 0,
    hub_epoch: null,
    hub_chain: null,
    hub_stamp: null,
    push_enabled: 0,
    push_cursor_event_id: 0,
    own_through_event_id: null,
    pushes_once_read: 0,
    adopted_through_event_id: null,
    bound_actor: null,
    allow_insecure: 0,
    enabled: 1,
    disabled_reason: null,
    created_at: now,
    updated_at: now,
    last_sync_at: null,
    baseline_claim: null,
    baseline_claimed_at: null,
  };
}
