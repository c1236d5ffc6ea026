import { instantToMs, parseInstant } from "../../base/clock.ts";
import type * as contract from "../../contract/cron-ledger.ts";
import { invalidField } from "../../contract/errors.ts";
import { LEDGER_DEFAULT_LIMIT, PREVIEW_DEFAULT } from "../../contract/limits.ts";
import { type LedgerEntry, pendingEntries, settledEntries } from "../../domain/cron/ledger.ts";
import { dateOfTrigger, onceOf } from "../../domain/cron/planned.ts";
import { type Progress, progressKey, readProgress, toSecond } from "../../domain/cron/progress.ts";
import { scheduleOf } from "../../domain/cron/schedule.ts";
import {
  isStoppedForGood,
  nativeState,
  portableStopped,
  type StoppedBy,
} from "../../domain/cron/stopped.ts";
import type { Trigger } from "../../domain/cron/trigger.ts";
import { wallTimesAfter } from "../../domain/cron/wall.ts";
import { plannedDate } from "../../domain/planned-date.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { ReadOp } from "../deps.ts";
import { seriesOf } from "../recurrences/find.ts";
import { type FoundDefinition, JOB, requireDefinition } from "./definitions.ts";
import { historyOf, settledOf } from "./history.ts";

/** Lists the next times of a job; a job has none unless a clock or a planning date triggers it. */
export const previewCronJob: ReadOp<
  typeof contract.previewCronJob,
  "store" | "clock" | "settings"
> = async ({ store, clock, settings }, _who, { params, query }) => {
  const nowMs = wholeSecond(clock.nowMs());
  return await store.read(async (reader) => {
    const found = await requireDefinition(reader, JOB, params);
    const bound = await boundOf(reader, found);
    const anchor = bound?.progress?.anchor ?? found.row.created_at;
    const held = stoppedBy(found, bound);
    const trigger = triggerOf(found);
    const schedule =
      scheduleOf(trigger, wholeSecond(instantToMs(anchor))) ??
      onceOf(trigger, await dateFor(reader, trigger, found.row.project_uid, settings.timezone));
    const count = query.limit ?? PREVIEW_DEFAULT;
    // Only a job that can run again has next times.
    const comes = schedule !== undefined && held !== "job_deleted" && !isStoppedForGood(held);
    const occurrences = comes ? wallTimesAfter(schedule, nowMs, count) : [];
    const head = headOf(found, held);
    return {
      job: { ...head, timezone: schedule?.zone ?? head.timezone },
      now: toSecond(nowMs),
      occurrences: occurrences.map((one) => ({ ...one })),
    };
  });
};

/** Lists what became of each due time, computed from the checkpoints, definitions and pauses in the log. */
export const showCronJobLedger: ReadOp<
  typeof contract.showCronJobLedger,
  "store" | "clock"
> = async ({ store, clock }, _who, { params, query }) => {
  const limit = query.limit ?? LEDGER_DEFAULT_LIMIT;
  const before = beforeOf(query.before);
  const nowMs = clock.nowMs();
  return await store.read(async (reader) => {
    const found = await requireDefinition(reader, JOB, params);
    const bound = await boundOf(reader, found);
    const { uid, project_uid, created_at } = found.row;
    if (bound === undefined) throw invalidField("cron_uid", "is no recurring job of svc");
    const { parent_uid, progress } = bound;
    const history = await historyOf(reader, { uid, parent_uid, project_uid });
    const entries: LedgerEntry[] =
      progress === undefined
        ? []
        : [...pendingEntries(progress, history, nowMs, before, limit + 1)];
    let through = progress?.through;
    for await (const settled of settledOf(reader, uid, parent_uid)) {
      through ??= settled.to.through;
      if (entries.length > limit) break;
      entries.push(...settledEntries(settled, history, before, limit + 1 - entries.length));
    }
    const shown = entries.slice(0, limit);
    const last = shown.at(-1);
    return {
      job: headOf(found, stoppedBy(found, bound)),
      through: through ?? toSecond(instantToMs(created_at)),
      entries: await withChildren(reader, shown),
      ...(entries.length > limit && last !== undefined ? { next_before: last.at } : {}),
    };
  });
};

/** The planning date that triggers the job; `undefined` if its issue was deleted or is no longer in the project. */
async function dateFor(reader: Reader, trigger: Trigger, project_uid: string, daemon: string) {
  const field = dateOfTrigger(trigger);
  if (field === undefined || !("issue_uid" in trigger)) return undefined;
  const issue = await reader.issues.find(trigger.issue_uid);
  if (issue === undefined || issue.deleted_at !== null || issue.project_uid !== project_uid)
    return undefined;
  const series = await seriesOf(reader, issue);
  return plannedDate(issue, field, { daemon, recurrence: series?.timezone });
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

/** The parent and checkpoint of a native job; `undefined` for other jobs. */
interface Bound {
  readonly parent_uid: string;
  readonly parent: StoredIssue | undefined;
  readonly progress: Progress | undefined;
}

async function boundOf(reader: Reader, { row }: FoundDefinition): Promise<Bound | undefined> {
  const parent_uid = row.parent_uid ?? null;
  if (parent_uid === null) return undefined;
  const parent = await reader.issues.find(parent_uid);
  return { parent_uid, parent, progress: readProgress(parent?.metadata[progressKey(row.uid)]) };
}

function stoppedBy(
  { row, project }: FoundDefinition,
  bound: Bound | undefined,
): StoppedBy | undefined {
  return bound === undefined
    ? portableStopped(row)
    : nativeState({ row, project, parent: bound.parent }).stopped;
}

function triggerOf({ row }: FoundDefinition): Trigger {
  return row.definition["trigger"] as unknown as Trigger;
}

function headOf(found: FoundDefinition, held: StoppedBy | undefined) {
  const { uid, name } = found.row;
  const timezone = scheduleOf(triggerOf(found), 0)?.zone ?? triggerOf(found).timezone ?? "UTC";
  return { uid, name, timezone, ...(held === undefined ? {} : { held }) };
}

function beforeOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (instant === undefined) throw invalidField("before", "is no RFC 3339 instant");
  return `${instant.slice(0, 19)}Z`;
}

async function withChildren(reader: Reader, entries: readonly LedgerEntry[]) {
  const issues = await reader.issues.many(entries.flatMap(({ child_uid }) => child_uid ?? []));
  return entries.map((entry) => {
    const child = entry.child_uid === undefined ? undefined : issues.get(entry.child_uid);
    return { ...entry, ...(child === undefined ? {} : { child_short_id: child.short_id }) };
  });
}
