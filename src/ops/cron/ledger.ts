import { instantToMs, parseInstant } from "../../base/clock.ts";
import type * as contract from "../../contract/cron-ledger.ts";
import { LEDGER_DEFAULT_LIMIT, PREVIEW_DEFAULT } from "../../contract/limits.ts";
import type { Input, Output } from "../../contract/route.ts";
import { refusal } from "../../domain/cron/fields.ts";
import {
  heldAt,
  type LedgerEntry,
  pendingEntries,
  settledEntries,
} from "../../domain/cron/ledger.ts";
import { dateOfTrigger, onceOf } from "../../domain/cron/planned.ts";
import { progressKey, readProgress, toSecond } from "../../domain/cron/progress.ts";
import { scheduleOf } from "../../domain/cron/schedule.ts";
import type { Trigger } from "../../domain/cron/trigger.ts";
import { wallTimesAfter } from "../../domain/cron/wall.ts";
import { plannedDate } from "../../domain/planned-date.ts";
import type { Reader, StoredIssue } from "../../store/types.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import { type FoundDefinition, JOB, requireDefinition } from "./definitions.ts";
import { historyOf, settledOf } from "./history.ts";

type Needs = Pick<ReadDeps, "store" | "clock">;

/** Triggers that no clock fires have no next time; a date of an issue is a clock. */
export async function previewCronJob(
  { store, clock, settings }: Needs & Pick<ReadDeps, "settings">,
  _who: Principal,
  { params, query }: Input<typeof contract.previewCronJob>,
): Promise<Output<typeof contract.previewCronJob>> {
  const nowMs = wholeSecond(clock.nowMs());
  return await store.read(async (reader) => {
    const found = await requireDefinition(reader, JOB, params);
    const bound = await boundOf(reader, found);
    const anchor = bound?.progress?.anchor ?? found.row.created_at;
    const trigger = triggerOf(found);
    const schedule =
      scheduleOf(trigger, wholeSecond(instantToMs(anchor))) ??
      onceOf(trigger, await dateFor(reader, trigger, found.row.project_uid, settings.timezone));
    const count = query.limit ?? PREVIEW_DEFAULT;
    const occurrences = schedule === undefined ? [] : wallTimesAfter(schedule, nowMs, count);
    const head = await headOf(reader, found, bound?.parent, toSecond(nowMs));
    return {
      job: { ...head, timezone: schedule?.zone ?? head.timezone },
      now: toSecond(nowMs),
      occurrences: occurrences.map((one) => ({ ...one })),
    };
  });
}

/** Nothing of it is stored: the log has every checkpoint, every definition and every pause. */
export async function showCronJobLedger(
  { store, clock }: Needs,
  _who: Principal,
  { params, query }: Input<typeof contract.showCronJobLedger>,
): Promise<Output<typeof contract.showCronJobLedger>> {
  const limit = query.limit ?? LEDGER_DEFAULT_LIMIT;
  const before = beforeOf(query.before);
  const nowMs = clock.nowMs();
  return await store.read(async (reader) => {
    const found = await requireDefinition(reader, JOB, params);
    const bound = await boundOf(reader, found);
    if (bound?.progress === undefined)
      throw refusal("cron_uid", "is no recurring job of svc, or its checkpoint is gone");
    const { parent, progress } = bound;
    const { uid } = found.row;
    const history = await historyOf(reader, uid, parent);
    const entries: LedgerEntry[] = [...pendingEntries(progress, history, nowMs, before, limit + 1)];
    for await (const settled of settledOf(reader, uid, parent.uid)) {
      if (entries.length > limit) break;
      entries.push(...settledEntries(settled, history, before, limit + 1 - entries.length));
    }
    const shown = entries.slice(0, limit);
    const last = shown.at(-1);
    return {
      job: await headOf(reader, found, parent, toSecond(nowMs)),
      through: progress.through,
      entries: await withChildren(reader, shown),
      ...(entries.length > limit && last !== undefined ? { next_before: last.at } : {}),
    };
  });
}

/** The planning date that fires the job, while its issue is there. */
async function dateFor(reader: Reader, trigger: Trigger, project_uid: string, daemon: string) {
  const field = dateOfTrigger(trigger);
  if (field === undefined || !("issue_uid" in trigger)) return undefined;
  const issue = await reader.issues.find(trigger.issue_uid);
  if (issue === undefined || issue.deleted_at !== null || issue.project_uid !== project_uid)
    return undefined;
  const { recurrence_uid } = issue;
  const series =
    recurrence_uid === null ? undefined : await reader.recurrences.find(recurrence_uid);
  return plannedDate(issue, field, { daemon, recurrence: series?.timezone });
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

async function boundOf(reader: Reader, { row }: FoundDefinition) {
  const parent = row.parent_uid == null ? undefined : await reader.issues.find(row.parent_uid);
  if (parent === undefined) return undefined;
  return { parent, progress: readProgress(parent.metadata[progressKey(row.uid)]) };
}

function triggerOf({ row }: FoundDefinition): Trigger {
  return row.definition["trigger"] as unknown as Trigger;
}

async function headOf(
  reader: Reader,
  found: FoundDefinition,
  parent: StoredIssue | undefined,
  now: string,
) {
  const { uid, name } = found.row;
  const timezone = scheduleOf(triggerOf(found), 0)?.zone ?? triggerOf(found).timezone ?? "UTC";
  const held = parent === undefined ? undefined : heldAt(await historyOf(reader, uid, parent), now);
  return { uid, name, timezone, ...(held === undefined ? {} : { held }) };
}

function beforeOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (instant === undefined) throw refusal("before", "is no RFC 3339 instant");
  return `${instant.slice(0, 19)}Z`;
}

async function withChildren(reader: Reader, entries: readonly LedgerEntry[]) {
  const issues = await reader.issues.many(entries.flatMap(({ child_uid }) => child_uid ?? []));
  return entries.map((entry) => {
    const child = entry.child_uid === undefined ? undefined : issues.get(entry.child_uid);
    return { ...entry, ...(child === undefined ? {} : { child_short_id: child.short_id }) };
  });
}
