import type * as jobs from "../../contract/cron-jobs.ts";
import type * as workflows from "../../contract/cron-workflows.ts";
import type { Input, Output } from "../../contract/route.ts";
import { nativeState, type StoppedBy } from "../../domain/cron/stopped.ts";
import type { Reader, StoredProject } from "../../store/types.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import { requireProject } from "../find.ts";
import {
  type DefinitionKind,
  type DefinitionPath,
  JOB,
  requireDefinition,
  WORKFLOW,
} from "./definitions.ts";
import { definitionOut, type StoredDefinition } from "./out.ts";

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
    const rows = (await kind.list(reader, project.uid)).filter(
      (row) => query.include_deleted === true || row.deleted_at === null,
    );
    const held = kind === JOB ? await heldJobs(reader, project, rows) : new Map();
    return rows.map((row) => ({ ...definitionOut(row, project), ...heldOut(held.get(row.uid)) }));
  });
}

async function show({ store }: Needs, kind: DefinitionKind, params: DefinitionPath) {
  return await store.read(async (reader) => {
    const { project, row } = await requireDefinition(reader, kind, params);
    const held = kind === JOB ? await heldJobs(reader, project, [row]) : new Map();
    return { ...definitionOut(row, project), ...heldOut(held.get(row.uid)) };
  });
}

/** Which of the native jobs of a project do not run, and why. */
async function heldJobs(
  reader: Reader,
  project: StoredProject,
  rows: readonly StoredDefinition[],
): Promise<ReadonlyMap<string, StoppedBy>> {
  const parents = await reader.issues.many(rows.flatMap(({ parent_uid }) => parent_uid ?? []));
  const held = new Map<string, StoppedBy>();
  for (const row of rows) {
    const parent_uid = row.parent_uid ?? null;
    // Of a job for adapters svc knows no more than its record says.
    if (parent_uid === null) continue;
    const why = nativeState({ row, project, parent: parents.get(parent_uid) }).stopped;
    if (why !== undefined) held.set(row.uid, why);
  }
  return held;
}

function heldOut(held: StoppedBy | undefined): { readonly held?: StoppedBy } {
  return held === undefined ? {} : { held };
}
