import { canonicalJson, type JsonObject, parseExact } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import { nativeParentOf } from "../../domain/cron/native.ts";
import type { Snapshot } from "../../domain/federation/baseline.ts";
import { ADOPTION_UNFINISHED } from "../../domain/federation/gate.ts";
import type { AdoptedProject } from "../../store/types/adoption.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import { issueSnapshots } from "./baseline.ts";
import { type BindingRow, eachBinding } from "./binding.ts";
import { cronRowsOf, writeCronAgain } from "./cron-again.ts";

export function isUnfinished({ disabled_reason }: Pick<BindingRow, "disabled_reason">): boolean {
  return disabled_reason === ADOPTION_UNFINISHED;
}

/**
 * Throws while the project is being handed over. The adoption always ends, and only then can the binding be changed.
 */
export function requireAdopted(binding: BindingRow | undefined): void {
  if (binding === undefined || !isUnfinished(binding)) return;
  const message = "the project is being handed over to its hub";
  const hint = "ask again in some seconds; the daemon goes on with it by itself";
  throw new SvcError("busy", { reason: "adoption" }, { message, hint });
}

/**
 * Returns the binding of the project that is being handed over to the hub's project `uid`. Once the hub's project is
 * here too, both projects have a binding; this is the binding of the old project. It says how far the adoption has
 * come:
 *
 * - `push_cursor_event_id`: the last event before the first snapshot; 0 until the snapshots begin.
 * - `adopted_through_event_id`: the last snapshot; null until all snapshots are written.
 */
export async function findUnfinished(
  reader: Pick<Reader, "unfolded">,
  uid: string,
): Promise<BindingRow | undefined> {
  const found = (await unfinished(reader)).filter((binding) => binding.hub_project_uid === uid);
  return found.find(({ project_uid }) => project_uid !== uid) ?? found[0];
}

/** Returns the uids of the hubs' projects to which projects of this daemon are being handed over. */
export async function unfinishedAdoptions(
  reader: Pick<Reader, "unfolded">,
): Promise<readonly string[]> {
  const uids = (await unfinished(reader)).flatMap(({ hub_project_uid }) => hub_project_uid ?? []);
  return [...new Set(uids)];
}

async function unfinished(reader: Pick<Reader, "unfolded">): Promise<readonly BindingRow[]> {
  const found: BindingRow[] = [];
  for await (const binding of eachBinding(reader)) if (isUnfinished(binding)) found.push(binding);
  return found;
}

/**
 * Throws if the project has something that the events of an adoption cannot describe
 * (docs/contract/federation.md#41-handing-over).
 */
export async function requireAdoptable(tx: Tx, { uid, name }: StoredProject): Promise<void> {
  const reason = await reasonAgainst(tx, uid);
  if (reason === undefined) return;
  const message = `the project ${name} cannot be handed over: ${WHY[reason]}`;
  throw new SvcError(
    "invalid_adoption_baseline",
    { project: name, reason },
    { message, hint: HINT },
  );
}

async function reasonAgainst(tx: Tx, uid: string): Promise<keyof typeof WHY | undefined> {
  if (await hasNativeHistory(tx, uid)) return "has_native_jobs";
  const series = await tx.recurrences.list(uid);
  if (series.some(({ next_occurrence_key }) => next_occurrence_key !== null)) return "has_series";
  if (await tx.federation.hasUnsent(uid, ["issue.moved", "project.merged"])) return "has_moves";
  const { former_short_ids } = await tx.baselines.spent(uid);
  const issues = await tx.issues.many(former_short_ids.map(({ issue_uid }) => issue_uid));
  const hasLeft = [...issues.values()].some(({ project_uid }) => project_uid !== uid);
  return hasLeft ? "has_moves" : undefined;
}

/**
 * Whether a job of the project creates issues or has created some: the progress of such a job is in the metadata of
 * issues (docs/contract/federation.md#41-handing-over).
 */
async function hasNativeHistory({ federation }: Tx, uid: string): Promise<boolean> {
  const jobs = await federation.jobsWithIssues(uid);
  return jobs.some((job) => nativeParentOf(job) !== null) || (await federation.hasProgress(uid));
}

const WHY = {
  has_native_jobs: "it has or had jobs that create issues",
  has_series: "it has recurring series that go on",
  has_moves: "issues were moved to it or from it, or another project was merged with it",
} as const;

const HINT =
  "export it (svc export --project), import the file into a new project, and hand over that one";

/** One write covers at most this many issues or events, so that other writes need not wait for long. */
export const ISSUES_PER_WRITE = 500;

/**
 * Writes the next portion of the adoption that `binding` describes (`store/adopt-project.ts`). Returns the current
 * binding, or `undefined` once the project is a copy.
 */
export async function adoptPortion(
  tx: Tx,
  binding: BindingRow,
  portion: number,
): Promise<BindingRow | undefined> {
  const adopted = await adoptedBy(tx, binding);
  if (binding.adopted_through_event_id === null) {
    const uids = await tx.adoption.issuesToSnapshot(adopted, portion);
    if (uids.length === 0) return await beginExchange(tx, binding, adopted);
    const snapshots = await issueSnapshots(tx, uids, { actor: adopted.actor });
    await tx.adoption.writeSnapshots(adopted, snapshots.map(withoutSeries));
    return binding;
  }
  if (await tx.adoption.takeOver(adopted, portion)) return binding;
  await endExchange(tx, binding, adopted);
  return undefined;
}

/** Returns what the store needs to know about the adoption. Throws if the project is gone. */
export async function adoptedBy(tx: Tx, binding: BindingRow): Promise<AdoptedProject> {
  const { project_uid, hub_project_uid, bound_actor, push_cursor_event_id: after } = binding;
  const project = await tx.projects.find(project_uid);
  if (project === undefined || hub_project_uid === null || bound_actor === null)
    throw new SvcError("federation_project_not_found", { project_uid });
  return { project, uid: hub_project_uid, actor: bound_actor, after };
}

async function beginExchange(
  tx: Tx,
  binding: BindingRow,
  adopted: AdoptedProject,
): Promise<BindingRow> {
  const adopted_through_event_id = await tx.adoption.beginExchange(adopted);
  const next = { ...binding, adopted_through_event_id };
  await tx.unfolded.put("federation_binding", next);
  if (binding.project_uid !== adopted.uid)
    await tx.unfolded.put("federation_binding", { ...next, project_uid: adopted.uid });
  return next;
}

/** Makes the project a copy, and writes its jobs, workflows and runs as changes of the copy. */
async function endExchange(tx: Tx, binding: BindingRow, adopted: AdoptedProject): Promise<void> {
  const { project, uid, actor } = adopted;
  const cron = await cronRowsOf(tx, project.uid);
  await tx.adoption.endExchange(adopted);
  await tx.forgetLocalPurges(uid);
  if (binding.project_uid !== uid)
    await tx.unfolded.remove("federation_binding", { project_uid: binding.project_uid });
  await tx.unfolded.put("federation_binding", {
    ...binding,
    project_uid: uid,
    push_enabled: 1,
    enabled: 1,
    disabled_reason: null,
    updated_at: tx.now,
  });
  await writeCronAgain(tx, cron, { project_uid: uid, actor });
}

/** Removes the issue from its series: a hub accepts no issue of a series from a spoke, and the series has ended. */
function withoutSeries(snapshot: Snapshot): Snapshot {
  if (!snapshot.payload.includes('"recurrence_uid"')) return snapshot;
  const {
    recurrence_uid: _uid,
    occurrence_key: _key,
    ...rest
  } = parseExact(snapshot.payload) as JsonObject;
  return { ...snapshot, payload: canonicalJson(rest) };
}
