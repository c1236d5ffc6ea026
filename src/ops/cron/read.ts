import { invariant } from "../../base/invariant.ts";
import type * as jobs from "../../contract/cron-jobs.ts";
import type * as workflows from "../../contract/cron-workflows.ts";
import type { Input } from "../../contract/route.ts";
import { nativeState } from "../../domain/cron/stopped.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { ReadDeps, ReadOp } from "../deps.ts";
import { requireProject } from "../find.ts";
import { type DefinitionKind, JOB, requireDefinition, WORKFLOW } from "./definitions.ts";
import { definitionOut, type StoredDefinition } from "./out.ts";

type Needs = Pick<ReadDeps, "store">;

export const listCronJobs: ReadOp<typeof jobs.listCronJobs> = async (deps, _who, input) => ({
  jobs: await list(JOB, deps, input),
});

export const listCronWorkflows: ReadOp<typeof workflows.listCronWorkflows> = async (
  deps,
  _who,
  input,
) => ({ workflows: await list(WORKFLOW, deps, input) });

export const showCronJob: ReadOp<typeof jobs.showCronJob> = async (deps, _who, input) => ({
  job: await show(JOB, deps, input),
});

export const showCronWorkflow: ReadOp<typeof workflows.showCronWorkflow> = async (
  deps,
  _who,
  input,
) => ({ workflow: await show(WORKFLOW, deps, input) });

async function list(
  kind: DefinitionKind,
  { store }: Needs,
  { params, query }: Pick<Input<typeof jobs.listCronJobs>, "params" | "query">,
) {
  return await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const rows = (await kind.list(reader, project.uid)).filter(
      (row) => query.include_deleted === true || row.deleted_at === null,
    );
    return await rowsOut(reader, project, rows);
  });
}

async function show(
  kind: DefinitionKind,
  { store }: Needs,
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
    // Only a native job has a parent and can be held: svc does not know whether an adapter runs its jobs.
    const parent = row.parent_uid ?? undefined;
    const held =
      parent === undefined
        ? undefined
        : nativeState({ row, project, parent: parents.get(parent) }).stopped;
    return { ...definitionOut(row, project), ...(held === undefined ? {} : { held }) };
  });
}
