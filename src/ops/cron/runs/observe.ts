import { invariant } from "../../../base/invariant.ts";
import type { observeCronRun as contract } from "../../../contract/cron-runs.ts";
import { invalidField, SvcError } from "../../../contract/errors.ts";
import {
  decodeObservation,
  differingIdentity,
  isSameEvidence,
  type RunEvidence,
  type RunIdentity,
} from "../../../domain/cron/run.ts";
import { runObserved } from "../../../domain/drafts/cron.ts";
import { feedOf } from "../../../domain/event-filter.ts";
import type { StoredProject, StoredRun } from "../../../store/types/rows.ts";
import type { Tx } from "../../../store/types/store.ts";
import { actorOf } from "../../actor.ts";
import type { Op, Principal } from "../../deps.ts";
import { requireProject } from "../../find.ts";
import { eventOut } from "../../out/events.ts";
import { runOut } from "./out.ts";

/**
 * Records an observation of a run. The run is only evidence: it controls nothing, and any status may follow any other.
 * Repeating the same observation changes nothing, whatever revision it names
 * (docs/contract/cron-and-inbox.md#43-outcomes).
 */
export const observeCronRun: Op<typeof contract> = async (deps, who, { params, body }) => {
  const observed = decodeObservation(body);
  const actor = actorOf(who, body.actor);
  const uid = params.run_uid.toUpperCase();
  return await deps.store.write(async (tx) => {
    const project = await requireProject(tx, params.project_id);
    const known = await tx.runs.find(uid);
    if (known !== undefined) checkIdentity(known, observed, who, actor, project);
    if (known !== undefined && isSameEvidence(known, observed))
      return { run: runOut(known, project), events: [], replayed: true };
    checkRevision(known, body.expected_revision, project);
    if (known === undefined) await checkReferences(tx, project, observed);
    const observation = { uid, project_uid: project.uid, known, observed };
    const event = await tx.append(runObserved(observation, { actor, now: tx.now }));
    const run = await tx.runs.find(uid);
    invariant(run !== undefined, "a run is there once its event is in the log");
    return { run: runOut(run, project), events: [eventOut(event, project)], replayed: false };
  });
};

type ObservedRun = RunIdentity & RunEvidence;

/**
 * Throws if the observation is about another run than the stored one: in another project, by another actor, or of
 * another job, occurrence or issue. A caller with a credential may update a run that another actor recorded first.
 */
function checkIdentity(
  known: StoredRun,
  observed: ObservedRun,
  who: Principal,
  actor: string,
  project: StoredProject,
): void {
  if (known.project_uid !== project.uid)
    throw new SvcError("cron_conflict", {}, { message: `the uid ${known.uid} is taken` });
  const sameActor = actor === known.actor || who.actor !== undefined;
  const differing = sameActor ? differingIdentity(known, observed) : "actor";
  if (differing !== undefined)
    throw runConflict(
      `it is another run than that: its ${differing} is not the same`,
      known,
      project,
    );
}

function checkRevision(
  known: StoredRun | undefined,
  expected: number | undefined,
  project: StoredProject,
): void {
  const current = known?.revision ?? 0;
  if (expected === current) return;
  const message =
    expected === undefined
      ? `expected_revision is required: it is ${current}`
      : `the revision is ${current}, not ${expected}`;
  throw runConflict(message, known, project);
}

function runConflict(
  message: string,
  known: StoredRun | undefined,
  project: StoredProject,
): SvcError {
  const data = known === undefined ? {} : { current: runOut(known, project) };
  return new SvcError("cron_conflict", data, {
    message,
    hint: "read it again: svc cron run show",
  });
}

/**
 * Throws unless the run's issue is in the project. Also throws unless the project had the named versions of the job and
 * of the workflow at some time, on this daemon or on the daemon from which the project came. These versions may be
 * outdated or deleted now.
 */
async function checkReferences(
  tx: Tx,
  project: StoredProject,
  observed: ObservedRun,
): Promise<void> {
  await requireDefinitionEvent(tx, project, "job", observed.job_uid, observed.definition_event_uid);
  const { workflow_uid, workflow_definition_event_uid, issue_uid } = observed;
  await requireDefinitionEvent(
    tx,
    project,
    "workflow",
    workflow_uid,
    workflow_definition_event_uid,
  );
  if (issue_uid === null) return;
  const issue = await tx.issues.find(issue_uid);
  if (issue?.project_uid !== project.uid)
    throw invalidField("issue_uid", "is no issue of this project");
}

async function requireDefinitionEvent(
  tx: Tx,
  project: StoredProject,
  kind: "job" | "workflow",
  uid: string | null,
  eventUid: string | null,
): Promise<void> {
  if (uid === null || eventUid === null) return;
  const event = await tx.events.find(eventUid);
  const field = kind === "job" ? "definition_event_uid" : "workflow_definition_event_uid";
  const isIt =
    event !== undefined &&
    event.type.startsWith(`cron.${kind}.`) &&
    feedOf(event) === project.uid &&
    "uid" in event.payload &&
    event.payload.uid === uid;
  const snapshot = { project_uid: project.uid, uid, event_uid: eventUid };
  if (!isIt && !(await tx.cron.isNamedBySnapshot(kind, snapshot)))
    throw invalidField(field, `is no event of that ${kind} of this project`);
}
