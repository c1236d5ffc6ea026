import { instantToMs } from "../../src/base/clock.ts";
import type { JsonObject } from "../../src/base/json.ts";
import type { Log } from "../../src/base/log.ts";
import { createCronJob, replaceCronJob, showCronJob } from "../../src/contract/cron-jobs.ts";
import { showIssue } from "../../src/contract/issues.ts";
import { sweepJobs } from "../../src/engines/cron-sweep.ts";
import { but, R } from "../domain/cron/bases.ts";
import { type World, world } from "../support/world.ts";

const DAILY = { kind: "cron", cron: "0 9 * * *" };

/** Returns the instant in UTC of a text with minutes or seconds. */
export const at = (text: string): string => `${text.length === 16 ? `${text}:00` : text}Z`;

/** Makes a native job on a parent, bound at an instant. */
export async function jobWorld(
  open: Parameters<typeof world>[0]["store"],
  anchor: string,
  change: object,
  fields: Parameters<World["given"]["issue"]>[0] = {},
) {
  const w = await world({ store: open });
  const warnings: object[] = [];
  const log: Log = {
    ...silent,
    warn: (event, data) => warnings.push({ event, ...data }),
  };
  const parent = await w.given.issue({ title: "Parent", ...fields });
  const to = (instant: string): void => w.clock.advance(instantToMs(at(instant)) - w.clock.nowMs());
  to(anchor);
  const issue = { ...R.issue, parent_uid: parent.uid };
  const definition = but(R, { issue, trigger: DAILY, ...change });
  const params = { project_id: parent.path.project_id };
  const body = { name: "check", definition: definition as never };
  const { job } = await w.call(createCronJob, { params, body });
  const path = { ...params, cron_uid: job.uid };

  const progress = async () =>
    (await w.call(showIssue, { params: parent.path })).issue.metadata[
      `cron.progress.${job.uid}`
    ] as JsonObject;

  const children = async () =>
    (await w.events()).flatMap((event) => {
      if (event.type !== "issue.created") return [];
      const occurrence = event.payload.metadata["cron.occurrence"];
      return occurrence === undefined
        ? []
        : [{ ...event.payload, occurrence: occurrence as JsonObject }];
    });

  const delivered = async () =>
    (await children()).map(({ occurrence }) => String(occurrence["scheduled_at"]));

  /** Sweeps at the instant, and returns what was delivered. */
  async function sweep(now: string): Promise<readonly string[]> {
    const before = (await delivered()).length;
    to(now);
    await sweepJobs({ ...w, log });
    return (await delivered()).slice(before);
  }

  async function edit(changed: object, base = definition) {
    const current = (await w.call(showCronJob, { params: path })).job;
    const expected_event_uid = current.definition_event_uid;
    const next = but(base, changed);
    await w.call(replaceCronJob, {
      params: path,
      body: { name: "check", definition: next as never, expected_event_uid },
    });
  }

  const guard = async () => ({
    expected_event_uid: (await w.call(showCronJob, { params: path })).job.definition_event_uid,
  });

  return {
    ...w,
    parent,
    job,
    path,
    definition,
    to,
    sweep,
    edit,
    guard,
    progress,
    children,
    delivered,
    warnings,
  };
}

export const silent = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
} as unknown as Log;
