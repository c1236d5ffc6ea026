import { definitionWritten, runObserved } from "../../domain/drafts/cron.ts";
import type { CronDefinitionRow, CronRunRow } from "../../domain/state.ts";
import type { Reader, Tx } from "../../store/types/store.ts";

/** The jobs, workflows and runs of a project, deleted ones included. */
export interface CronRows {
  readonly workflows: readonly CronDefinitionRow[];
  readonly jobs: readonly CronDefinitionRow[];
  readonly runs: readonly CronRunRow[];
}

export async function cronRowsOf(
  { baselines }: Pick<Reader, "baselines">,
  project_uid: string,
): Promise<CronRows> {
  const uidsOf = async (table: Parameters<typeof baselines.cronUids>[1]) =>
    await baselines.cronUids(project_uid, table);
  return {
    workflows: await baselines.cronRows("cron_workflows", await uidsOf("cron_workflows")),
    jobs: await baselines.cronRows("cron_jobs", await uidsOf("cron_jobs")),
    runs: await baselines.cronRows("cron_runs", await uidsOf("cron_runs")),
  };
}

/**
 * Writes new events for the jobs, workflows and runs of a project that is handed over, because an adoption has
 * snapshots of issues only. Their actor is the bound actor, since the hub accepts no other. Runs name the new events of
 * their definitions.
 */
export async function writeCronAgain(
  tx: Tx,
  { workflows, jobs, runs }: CronRows,
  { project_uid, actor }: { readonly project_uid: string; readonly actor: string },
): Promise<void> {
  const act = { actor, now: tx.now };
  const definitions = [...workflows, ...jobs];
  const drafts = definitions.map((row, at) => {
    const { uid, name, definition, created_at } = row;
    const kind = at < workflows.length ? "workflow" : "job";
    const known = { author: actor, created_at };
    const verb = row.deleted_at === null ? "created" : "deleted";
    return definitionWritten(kind, verb, { uid, project_uid, name, definition, known }, act);
  });
  const events = await tx.appendAll(drafts);
  const rewritten = new Map(
    definitions.map((row, at) => [row.definition_event_uid, events[at]?.uid ?? null]),
  );
  const eventOf = (uid: string | null) => (uid === null ? null : (rewritten.get(uid) ?? uid));
  await tx.appendAll(
    runs.map(({ uid, revision, created_at, updated_at: _at, ...run }) => {
      const { input_tokens: _in, output_tokens: _out, duration_ms: _ms, day: _day, ...rest } = run;
      const observed = {
        ...rest,
        definition_event_uid: eventOf(run.definition_event_uid),
        workflow_definition_event_uid: eventOf(run.workflow_definition_event_uid),
      };
      const known = { actor, revision: revision - 1, created_at };
      return runObserved({ uid, project_uid, known, observed }, act);
    }),
  );
}
