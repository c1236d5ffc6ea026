import { canonicalJson, type JsonObject, parseExact } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import { nativeParentOf } from "../../domain/cron/native.ts";
import type { Snapshot } from "../../domain/federation/baseline.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { issuesNow, type PreparedBaseline } from "./baseline.ts";
import { cronRowsOf, writeCronAnew } from "./cron-anew.ts";

/** Where the events of an adoption are in the log. */
export interface Adoption {
  /** The id of the first event that the hub gets, and of the last one. */
  readonly first: number;
  readonly through: number;
  /** How many issues there are. */
  readonly snapshots: number;
}

/**
 * Turns a project of this daemon into a copy (facts federation 4, "Adoption"). The hub gets its issues as snapshots, with
 * their authors, and its jobs, workflows and runs in the name of the actor. Its history is deleted. `prepared` is the
 * result of `prepareBaseline` for the project. Throws `invalid_adoption_baseline` before any change if the project has
 * something that these events cannot express.
 */
export async function adoptProject(
  tx: Tx,
  { project, uid }: { readonly project: StoredProject; readonly uid: string },
  prepared: PreparedBaseline,
): Promise<Adoption> {
  await requireAdoptable(tx, project);
  const { actor } = prepared;
  const snapshots = (await issuesNow(tx, prepared)).map(withoutSeries);
  const cron = await cronRowsOf(tx, project.uid);
  const baseline = await tx.beginAdoption({ project, uid, actor });
  const through = await tx.appendSnapshots(baseline, snapshots);
  await writeCronAnew(tx, cron, { project_uid: uid, actor });
  return { first: baseline.horizon, through, snapshots: snapshots.length };
}

async function requireAdoptable(tx: Tx, { uid, name }: StoredProject): Promise<void> {
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

/** Whether a job of the project creates issues, or one has: its progress is in the metadata of issues (doc 2, rule 11). */
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

/** A hub accepts no issue of a series from a spoke, so the issues leave their series, which is over. */
function withoutSeries(snapshot: Snapshot): Snapshot {
  if (!snapshot.payload.includes('"recurrence_uid"')) return snapshot;
  const {
    recurrence_uid: _uid,
    occurrence_key: _key,
    ...rest
  } = parseExact(snapshot.payload) as JsonObject;
  return { ...snapshot, payload: canonicalJson(rest) };
}
