import { canonicalJson, type JsonObject, parseExact } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Snapshot } from "../../domain/federation/baseline.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { issuesNow, type PreparedBaseline } from "./baseline.ts";

/** Where the events of an adoption are in the log. */
export interface Adoption {
  /** The id of the first event that the hub gets, and of the last one. */
  readonly first: number;
  readonly through: number;
  /** How many issues there are. */
  readonly snapshots: number;
}

/**
 * Turns a project of this daemon into a copy whose issues the hub gets as snapshots, with their authors (facts
 * federation 4, "Adoption"). Its history is deleted. `prepared` is the result of `prepareBaseline` for the project.
 * Throws `invalid_adoption_baseline` before any change if the project has something that snapshots cannot express.
 */
export async function adoptProject(
  tx: Tx,
  { project, uid }: { readonly project: StoredProject; readonly uid: string },
  prepared: PreparedBaseline,
): Promise<Adoption> {
  await requireAdoptable(tx, project);
  const snapshots = (await issuesNow(tx, prepared)).map(withoutSeries);
  const baseline = await tx.beginAdoption({ project, uid, actor: prepared.actor });
  const through = await tx.appendSnapshots(baseline, snapshots);
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
  if (await tx.federation.hasCron(uid)) return "has_cron";
  const series = await tx.recurrences.list(uid);
  if (series.some(({ next_occurrence_key }) => next_occurrence_key !== null)) return "has_series";
  if (await tx.federation.hasUnsent(uid, ["issue.moved", "project.merged"])) return "has_moves";
  const { former_short_ids } = await tx.baselines.spent(uid);
  const issues = await tx.issues.many(former_short_ids.map(({ issue_uid }) => issue_uid));
  const hasLeft = [...issues.values()].some(({ project_uid }) => project_uid !== uid);
  return hasLeft ? "has_moves" : undefined;
}

const WHY = {
  has_cron: "it has scheduled jobs, workflows or runs",
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
