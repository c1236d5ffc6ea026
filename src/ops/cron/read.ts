import { invariant } from "../../base/invariant.ts";
import type * as jobs from "../../contract/cron-jobs.ts";
import type * as workflows from "../../contract/cron-workflows.ts";
import type { Input } from "../../contract/route.ts";
import { nativeState } from "../../domain/cron/stopped.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { ReadDeps, ReadOp } from "../deps.ts";
import { requireProject } from "../find.ts";
import { comingOf, nextOf, readParentOfJob } from "./coming.ts";
import {
  type DefinitionKind,
  type FoundDefinition,
  JOB,
  requireDefinition,
  WORKFLOW,
} from "./definitions.ts";
import { definitionOut, type StoredDefinition } from "./out.ts";

type JobReadDeps = Pick<ReadDeps, "store">;

export const listCronJobs: ReadOp<
  typeof jobs.listCronJobs,
  "store" | "clock" | "settings"
> = async ({ store, clock, settings }, _who, { params, query }) =>
  await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const rows = (await rowsOf(JOB, reader, project, query)).filter(
      ({ name }) => query.name === undefined || name === query.name,
    );
    const shown = await rowsOut(reader, project, rows);
    if (query.times !== true) return { jobs: shown };
    const nowMs = clock.nowMs();
    const times: Awaited<ReturnType<typeof timesOf>>[] = [];
    for (const row of rows)
      times.push(await timesOf(reader, { project, row }, { nowMs, zone: settings.timezone }));
    return { jobs: shown.map((job, place) => ({ ...job, ...times[place] })) };
  });

async function timesOf(
  reader: Reader,
  found: FoundDefinition,
  { nowMs, zone }: { readonly nowMs: number; readonly zone: string },
) {
  const coming = await comingOf(reader, found, zone);
  const next = nextOf(coming, nowMs);
  const last = await lastOf(reader, found);
  return {
    ...(next === undefined ? {} : { next_at: next }),
    ...(last === undefined ? {} : { last_at: last }),
  };
}

async function lastOf(reader: Reader, found: FoundDefinition): Promise<string | undefined> {
  const { uid, project_uid } = found.row;
  const bound = await readParentOfJob(reader, found);
  if (bound !== undefined) return bound.progress?.last_occurrence ?? undefined;
  const [run] = await reader.runs.list(project_uid, { job_uid: uid, limit: 1 });
  return run?.started_at ?? run?.created_at;
}

export const listCronWorkflows: ReadOp<typeof workflows.listCronWorkflows> = async (
  { store },
  _who,
  { params, query },
) =>
  await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const rows = await rowsOf(WORKFLOW, reader, project, query);
    return { workflows: await rowsOut(reader, project, rows) };
  });

export const showCronJob: ReadOp<typeof jobs.showCronJob> = async (deps, _who, input) => ({
  job: await show(JOB, deps, input),
});

export const showCronWorkflow: ReadOp<typeof workflows.showCronWorkflow> = async (
  deps,
  _who,
  input,
) => ({ workflow: await show(WORKFLOW, deps, input) });

async function rowsOf(
  kind: DefinitionKind,
  reader: Reader,
  project: StoredProject,
  { include_deleted }: { readonly include_deleted?: boolean | undefined },
): Promise<readonly StoredDefinition[]> {
  return (await kind.list(reader, project.uid)).filter(
    (row) => include_deleted === true || row.deleted_at === null,
  );
}

async function show(
  kind: DefinitionKind,
  { store }: JobReadDeps,
  { params }: Pick<Input<typeof jobs.showCronJob>, "params">,
) {
  return await store.read(async (reader) => {
    const { project, row } = await requireDefinition(reader, kind, params);
    const [shown] = await rowsOut(reader, project, [row]);
    invariant(shown !== undefined, "each row is shown");
    return shown;
  });
}

/** Returns definitions as an answer shows them; a native job that does not run has the reason in `held`. */
async function rowsOut(reader: Reader, project: StoredProject, rows: readonly StoredDefinition[]) {
  const parents = await reader.issues.many(rows.flatMap(({ parent_uid }) => parent_uid ?? []));
  return rows.map((row) => {
    // Only a native job has a parent, and only it gets `held`: svc does not know whether an adapter runs its jobs.
    const parent = row.parent_uid ?? undefined;
    const held =
      parent === undefined
        ? undefined
        : nativeState({ row, project, parent: parents.get(parent) }).stopped;
    return { ...definitionOut(row, project), ...(held === undefined ? {} : { held }) };
  });
}
