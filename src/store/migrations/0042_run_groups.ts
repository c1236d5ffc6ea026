import type { Migration } from "../migrate.ts";

/**
 * One index for the reports of runs by workflow, teammate and executor: with all that they take, so that none reads a
 * run with its summary. One index for each of the three would be read in order, but costs a new run three times as much.
 */
export const runGroups: Migration = {
  version: 42,
  up: async ({ index }) =>
    await index(
      "cron_runs_by_others",
      "cron_runs",
      "project_uid, workflow_uid, teammate, executor_label, day, status, input_tokens, output_tokens, duration_ms",
    ),
};
