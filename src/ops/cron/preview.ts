import { instantToMs, parseInstant } from "../../base/clock.ts";
import type { previewCronJob as jobContract } from "../../contract/cron-ledger.ts";
import type { previewCronDefinition as contract } from "../../contract/cron-preview.ts";
import { invalidField } from "../../contract/errors.ts";
import { PREVIEW_DEFAULT } from "../../contract/limits.ts";
import { decodeJob } from "../../domain/cron/job.ts";
import { toSecond, wholeSecond } from "../../domain/cron/progress.ts";
import type { Schedule } from "../../domain/cron/schedule.ts";
import { wallTimesAfter } from "../../domain/cron/wall.ts";
import type { ReadOp } from "../deps.ts";
import { requireProject } from "../find.ts";
import { comingOf, headOf, scheduleFor } from "./coming.ts";
import { JOB, requireDefinition } from "./definitions.ts";
import { checkReferences } from "./references.ts";

/** Lists the next times of a job; a job has none unless a clock or a planning date triggers it. */
export const previewCronJob: ReadOp<typeof jobContract, "store" | "clock" | "settings"> = async (
  { store, clock, settings },
  _who,
  { params, query },
) => {
  const range = rangeOf(query, clock.nowMs());
  return await store.read(async (reader) => {
    const found = await requireDefinition(reader, JOB, params);
    const { held, schedule, comes } = await comingOf(reader, found, settings.timezone);
    const head = headOf(found, held);
    return {
      job: { ...head, timezone: schedule?.zone ?? head.timezone },
      ...timesOf(comes ? schedule : undefined, range),
    };
  });
};

/**
 * Previews a definition that has not been created. Throws in the same cases in which the creation would throw.
 * Intervals are counted from now, as if the job were created now.
 */
export const previewCronDefinition: ReadOp<
  typeof contract,
  "store" | "clock" | "settings"
> = async ({ store, clock, settings }, _who, { params, body }) => {
  const job = decodeJob(body.definition);
  const range = rangeOf(body, clock.nowMs());
  return await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const binding = await checkReferences(reader, project, job, undefined);
    const source = { trigger: job.trigger, anchor: range.now, project_uid: project.uid };
    const schedule = await scheduleFor(reader, source, settings.timezone);
    const held = heldOf(job.enabled, binding?.parent?.status);
    return {
      job: {
        name: body.name,
        timezone: schedule?.zone ?? job.trigger.timezone ?? "UTC",
        ...(held === undefined ? {} : { held }),
      },
      ...timesOf(schedule, range),
    };
  });
};

function heldOf(enabled: boolean, parent: string | undefined) {
  if (!enabled) return "disabled";
  return parent === undefined || parent === "open" ? undefined : "parent_closed";
}

interface Range {
  readonly now: string;
  readonly afterMs: number;
  readonly count: number;
}

function rangeOf(
  { from, limit }: { readonly from?: string | undefined; readonly limit?: number | undefined },
  nowMs: number,
): Range {
  const count = limit ?? PREVIEW_DEFAULT;
  const now = toSecond(nowMs);
  if (from === undefined) return { now, afterMs: wholeSecond(nowMs), count };
  const instant = parseInstant(from);
  if (instant === undefined)
    throw invalidField("from", "is no RFC 3339 instant", "say 2026-03-29T00:00:00Z");
  // Due times are whole seconds, and a due time equal to `from` is listed. So the list begins after the last whole
  // second before `from`.
  return { now, afterMs: wholeSecond(instantToMs(instant) - 1), count };
}

function timesOf(schedule: Schedule | undefined, { now, afterMs, count }: Range) {
  const times = schedule === undefined ? [] : wallTimesAfter(schedule, afterMs, count);
  return { now, occurrences: times.map((one) => ({ ...one })) };
}
