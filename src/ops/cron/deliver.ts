import type { Ids } from "../../base/ids.ts";
import { invariant } from "../../base/invariant.ts";
import type { JsonObject } from "../../base/json.ts";
import { isInvisible } from "../../base/visible.ts";
import { isAddress } from "../../contract/address.ts";
import { SYSTEM_ACTOR } from "../../contract/reserved-actors.ts";
import { nextStep, type Step } from "../../domain/cron/catch-up.ts";
import type { NativeJob } from "../../domain/cron/job.ts";
import { OWNER_OR_AUTHOR } from "../../domain/cron/names.ts";
import { type Progress, progressJson, progressKey } from "../../domain/cron/progress.ts";
import { nativeState, type StoppedBy } from "../../domain/cron/stopped.ts";
import { issueCreated } from "../../domain/drafts/issues.ts";
import { slotOf } from "../../domain/inbox/slot.ts";
import { decideMetadata } from "../../domain/issues.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import type { Deps } from "../deps.ts";
import { freeShortId } from "../short-id.ts";

export type JobPlan =
  | { readonly stopped: StoppedBy }
  | { readonly due: DueDelivery; readonly step: Step };

interface DueDelivery {
  readonly uid: string;
  readonly job: NativeJob;
  readonly definition_event_uid: string;
  readonly parent: StoredIssue;
  readonly progress: Progress;
}

/** Plans the next step of a job without writing anything; callers may be inside or outside of a write. */
export async function planStep(reader: Reader, uid: string, nowMs: number): Promise<JobPlan> {
  const row = await reader.cron.job(uid);
  if (row === undefined) return { stopped: "job_deleted" };
  const parent = row.parent_uid === null ? undefined : await reader.issues.find(row.parent_uid);
  const project = await reader.projects.find(row.project_uid);
  const state = nativeState({ row, project, parent });
  if (state.stopped !== undefined) return { stopped: state.stopped };
  const { job, progress } = state;
  invariant(parent !== undefined, "a job that can deliver has its parent");
  const { definition_event_uid } = row;
  const due = { uid, job, definition_event_uid, parent, progress };
  return { due, step: nextStep({ job, definition_event_uid, progress, nowMs }) };
}

export interface Delivery {
  readonly at: string;
  readonly child_uid: string;
  readonly child_short_id: string;
  /** The address that got an attention request; absent if the job's recipient is no valid address. */
  readonly asked?: string;
}

export type StepResult =
  | { readonly kind: "held" | "rest" | "advanced" }
  | { readonly kind: "delivered"; readonly more: boolean; readonly child: Delivery };

/**
 * Plans and carries out the next step of a job in one transaction (docs/contract/cron-and-inbox.md#85-one-delivery).
 * The step does one of these:
 *
 * - It creates the child issue of an occurrence with its attention request, and moves the checkpoint.
 * - It only moves the checkpoint.
 * - It does nothing.
 *
 * The checkpoint says up to which instant all occurrences are delivered or discarded.
 */
export async function applyStep(
  { store, ids }: Pick<Deps, "store" | "ids">,
  uid: string,
  nowMs: number,
): Promise<StepResult> {
  return await store.write(async (tx) => await stepIn(tx, ids, uid, nowMs));
}

/** Does the next step of a job inside a write. */
export async function stepIn(tx: Tx, ids: Ids, uid: string, nowMs: number): Promise<StepResult> {
  const plan = await planStep(tx, uid, nowMs);
  if ("stopped" in plan) return { kind: "held" };
  const { due, step } = plan;
  if (step.kind === "rest") return { kind: "rest" };
  if (step.kind === "advance") {
    await writeProgress(tx, due, step.progress);
    return { kind: "advanced" };
  }
  const childUid = ids.ulid();
  const child = await createChild(tx, due, step.at, childUid);
  await writeProgress(tx, due, { ...step.progress, last_child_uid: childUid });
  return { kind: "delivered", more: step.more, child };
}

async function writeProgress(
  tx: Tx,
  { uid, parent }: DueDelivery,
  progress: Progress,
): Promise<void> {
  const patch = { [progressKey(uid)]: progressJson(progress) };
  const event = decideMetadata(parent, patch, { actor: SYSTEM_ACTOR, now: tx.now });
  invariant(event !== "unchanged", "a step moves the checkpoint");
  await tx.append(event);
}

async function createChild(tx: Tx, due: DueDelivery, at: string, uid: string): Promise<Delivery> {
  const { job, parent } = due;
  const occurrence = `cron:${due.uid}:${at}`;
  const recipient =
    job.action.recipient === OWNER_OR_AUTHOR
      ? (parent.owner ?? parent.author)
      : job.action.recipient;
  const message = isInvisible(job.action.message ?? "")
    ? `Recurring occurrence reached: ${at}`
    : job.action.message;
  const isAsked = isAddress(recipient);
  const request = { from: SYSTEM_ACTOR, message: message ?? "", occurrence };
  const metadata: JsonObject = {
    "cron.occurrence": {
      version: 1,
      job_uid: due.uid,
      definition_event_uid: due.definition_event_uid,
      parent_uid: parent.uid,
      occurrence_key: occurrence,
      scheduled_at: at,
    },
    ...(isAsked ? { [slotOf(recipient)]: request } : {}),
  };
  const { short_id: to_short_id } = parent;
  const { project_uid, author, owner } = parent;
  const short_id = await freeShortId(tx, project_uid, uid);
  const child = {
    uid,
    short_id,
    project_uid,
    author,
    owner,
    metadata,
    title: `${job.issue.title} (${at})`,
    body: job.issue.body,
    links: [{ type: "parent", to_issue_uid: parent.uid, to_short_id, author: SYSTEM_ACTOR }],
  } as const;
  await tx.append(issueCreated(child, { actor: SYSTEM_ACTOR, now: tx.now }));
  return { at, child_uid: uid, child_short_id: short_id, ...(isAsked ? { asked: recipient } : {}) };
}
