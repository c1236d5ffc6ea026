import type * as jobs from "../../contract/cron-jobs.ts";
import type * as workflows from "../../contract/cron-workflows.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import { requireProject } from "../find.ts";
import {
  type DefinitionKind,
  type DefinitionPath,
  JOB,
  requireDefinition,
  WORKFLOW,
} from "./definitions.ts";
import { definitionOut } from "./out.ts";

type Needs = Pick<ReadDeps, "store">;

export async function listCronJobs(
  deps: Needs,
  _who: Principal,
  input: Input<typeof jobs.listCronJobs>,
): Promise<Output<typeof jobs.listCronJobs>> {
  return { jobs: await list(deps, JOB, input) };
}

export async function listCronWorkflows(
  deps: Needs,
  _who: Principal,
  input: Input<typeof workflows.listCronWorkflows>,
): Promise<Output<typeof workflows.listCronWorkflows>> {
  return { workflows: await list(deps, WORKFLOW, input) };
}

export async function showCronJob(
  deps: Needs,
  _who: Principal,
  { params }: Input<typeof jobs.showCronJob>,
): Promise<Output<typeof jobs.showCronJob>> {
  return { job: await show(deps, JOB, params) };
}

export async function showCronWorkflow(
  deps: Needs,
  _who: Principal,
  { params }: Input<typeof workflows.showCronWorkflow>,
): Promise<Output<typeof workflows.showCronWorkflow>> {
  return { workflow: await show(deps, WORKFLOW, params) };
}

interface ListInput {
  readonly params: { readonly project_id: number };
  readonly query: { readonly include_deleted?: boolean | undefined };
}

async function list({ store }: Needs, kind: DefinitionKind, { params, query }: ListInput) {
  return await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    return (await kind.list(reader, project.uid))
      .filter((row) => query.include_deleted === true || row.deleted_at === null)
      .map((row) => definitionOut(row, project));
  });
}

async function show({ store }: Needs, kind: DefinitionKind, params: DefinitionPath) {
  return await store.read(async (reader) => {
    const { project, row } = await requireDefinition(reader, kind, params);
    return definitionOut(row, project);
  });
}
