import { NeedsWorker } from "../../base/budget.ts";
import { invalidField, SvcError } from "../../contract/errors.ts";
import {
  DEFAULT_BATCHES,
  type listFederationQuarantine as listContract,
  type retryFederationQuarantine as retryContract,
  type showFederationQuarantine as showContract,
  type skipFederationQuarantine as skipContract,
} from "../../contract/federation-quarantine.ts";
import type { Input, Output } from "../../contract/route.ts";
import { retryConfirmation, skipConfirmation } from "../../domain/confirm.ts";
import { adoptionHint, isOfAdoption } from "../../domain/federation/adoption.ts";
import type { QuarantineRow } from "../../store/types/federation.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import { requireConfirm } from "../confirm.ts";
import type { Deps, Op, Principal, ReadOp } from "../deps.ts";
import { requireProject } from "../find.ts";
import { reasonOf } from "../out/purges.ts";
import { type BindingRow, findBinding } from "./binding.ts";
import type { Federation } from "./far-side.ts";

/**
 * The batches of the project that its hub refused for good (docs/contract/federation.md#87-quarantine), with the hub's
 * messages.
 */
export const listFederationQuarantine: ReadOp<typeof listContract> = async (
  { store },
  _who,
  { params, query: { include = "", limit = DEFAULT_BATCHES } },
) => {
  const isAll = include.split(",").some((word) => word.trim() === "resolved");
  const found = await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const state = isAll ? "all" : "active";
    const rows = await reader.federation.quarantines(project.uid, state, limit + 1);
    const binding = await findBinding(reader, project);
    return rows.map((row) => withDetail(row, binding));
  });
  return {
    quarantines: found.slice(0, limit),
    ...(found.length > limit ? { truncated: true } : {}),
  };
};

/** One batch, decided or not, with those of its events that are still in the log. */
export const showFederationQuarantine: ReadOp<typeof showContract> = async (
  { store },
  _who,
  { params },
) =>
  await store.read(async (reader) => {
    const { project, row } = await requireBatch(reader, params);
    const events = await reader.federation.outlines(row.event_uids);
    const uids = new Set(events.flatMap(({ issue_uid }) => issue_uid ?? []));
    const issues = await reader.issues.peers([...uids]);
    const shown = events.map(({ id: event_id, uid: event_uid, ...event }) => {
      const short_id = issues.get(event.issue_uid ?? "")?.short_id;
      const named = short_id === undefined ? {} : { issue_short_id: short_id };
      return { event_id, event_uid, ...event, ...named };
    });
    return { quarantine: withDetail(row, await findBinding(reader, project)), events: shown };
  });

const RETRY = "retry: ";
const DEFAULT_REASON = "operator requested retry"; // docs/contract/federation.md#87-quarantine

type Needs = Pick<Deps, "store"> & { readonly federation: Pick<Federation, "wake"> };

/** Lets the next pass send the batch again; nothing else changes. */
export async function retryFederationQuarantine(
  { store, federation }: Needs,
  who: Principal,
  { params, headers, body }: Input<typeof retryContract>,
): Promise<Output<typeof retryContract>> {
  const by = actorOf(who, body.actor);
  const { project, row } = await store.write(async (tx) => {
    const { project, row } = await requireActive(tx, params);
    if (row.direction === "pull") throw new SvcError("federation_quarantine_retry_unsupported");
    requireConfirm(headers["x-svc-confirm"], retryConfirmation(row.id));
    const reason = `${RETRY}${reasonOf(body.reason) ?? DEFAULT_REASON}`;
    return { project, row: await resolve(tx, row, { by, reason }) };
  });
  federation.wake(project.uid);
  return summaryOut(row);
}

/** On the daemon's own thread, at most this many events are skipped. */
const SMALL_WORK = 50;

/**
 * Gives the batch up: its changes disappear here, the events stay in the log with a mark, and the next pass sends what
 * comes after them.
 */
export const skipFederationQuarantine: Op<typeof skipContract, "store" | "smallWorkOnly"> = async (
  { store, smallWorkOnly },
  who,
  { params, headers, body },
) => {
  const by = actorOf(who, body.actor);
  const reason = reasonOf(body.reason);
  if (reason?.startsWith(RETRY.trim()))
    throw invalidField("reason", `must not begin with ${RETRY.trim()}, as that of a retry does`);
  return await store.write(async (tx) => {
    const { project, row } = await requireActive(tx, params);
    requireConfirm(headers["x-svc-confirm"], skipConfirmation(row.id));
    await requireNoAdoption(tx, project, row);
    if (smallWorkOnly === true && row.event_uids.length > SMALL_WORK) throw new NeedsWorker();
    const resolved = await resolve(tx, row, { by, reason });
    const skipped_event_count = row.direction === "pull" ? 0 : await skipBatch(tx, project, row);
    return { ...summaryOut(resolved), skipped_event_count };
  });
};

/** Throws for a part of an adoption: skipping it would delete issues that were here before the project was a copy. */
async function requireNoAdoption(
  tx: Tx,
  project: StoredProject,
  row: QuarantineRow,
): Promise<void> {
  if (!isOfAdoption(row, await findBinding(tx, project))) return;
  const message =
    "the batch hands the project over to its hub: without it the issues would be gone here too";
  const hint = adoptionHint(`svc federation quarantine retry ${row.id}`);
  throw new SvcError("invalid_adoption_baseline", { quarantine_id: row.id }, { message, hint });
}

/** Skips the events, and moves the cursor behind them. Returns how many events no longer count. */
async function skipBatch(tx: Tx, project: StoredProject, row: QuarantineRow): Promise<number> {
  const { event_uids, last_event_id } = row;
  const binding = await findBinding(tx, project);
  if (binding !== undefined && binding.push_cursor_event_id < last_event_id)
    await tx.unfolded.put("federation_binding", {
      ...binding,
      push_cursor_event_id: last_event_id,
      updated_at: tx.now,
    });
  return await tx.skipEvents(event_uids);
}

async function resolve(
  tx: Tx,
  row: QuarantineRow,
  { by, reason }: { readonly by: string; readonly reason: string | null },
): Promise<QuarantineRow> {
  const resolved = { ...row, skipped_at: tx.now, skipped_by: by, skip_reason: reason };
  await tx.unfolded.put("federation_quarantine", resolved);
  return resolved;
}

interface BatchParams {
  readonly project_id: number;
  readonly quarantine_id: number;
}

async function requireBatch(reader: Reader, { project_id, quarantine_id: id }: BatchParams) {
  const project = await requireProject(reader, project_id);
  const key = { project_uid: project.uid, id };
  const row = await reader.unfolded.find("federation_quarantine", key);
  if (row === undefined) throw notFound(id, "the project has no such quarantined batch");
  return { project, row };
}

async function requireActive(reader: Reader, params: BatchParams) {
  const found = await requireBatch(reader, params);
  const { id, skipped_at } = found.row;
  if (skipped_at !== null) throw notFound(id, "somebody has decided about that batch already");
  return found;
}

function notFound(quarantine_id: number, message: string): SvcError {
  return new SvcError("federation_quarantine_not_found", { quarantine_id }, { message });
}

/** A batch as answers show it, without the hub's message. */
export function summaryOut(row: QuarantineRow) {
  const { id, direction, first_event_id, last_event_id, event_uids, error, created_at } = row;
  return {
    ...{ id, direction, first_event_id, last_event_id, event_uids: [...event_uids] },
    ...{ error, created_at },
    ...resolutionOut(row),
  };
}

function resolutionOut({ skipped_at, skipped_by, skip_reason }: QuarantineRow) {
  if (skipped_at === null) return {};
  const isRetry = skip_reason?.startsWith(RETRY) === true;
  const reason = isRetry ? skip_reason.slice(RETRY.length) : skip_reason;
  return {
    resolution: isRetry ? ("retry" as const) : ("skip" as const),
    resolved_at: skipped_at,
    ...(skipped_by === null ? {} : { resolved_by: skipped_by }),
    ...(reason === null ? {} : { reason }),
  };
}

function withDetail(row: QuarantineRow, binding: BindingRow | undefined) {
  return {
    ...summaryOut(row),
    ...(row.detail === null ? {} : { detail: row.detail }),
    ...(isOfAdoption(row, binding) ? { hands_over: true as const } : {}),
  };
}
