import type { JsonObject } from "../../base/json.ts";
import type * as jobs from "../../contract/cron-jobs.ts";
import type * as workflows from "../../contract/cron-workflows.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Verb } from "../../domain/drafts/cron.ts";
import { actorOf } from "../actor.ts";
import type { Deps, Principal } from "../deps.ts";
import {
  checkExpected,
  type DefinitionKind,
  type DefinitionPath,
  JOB,
  requireDefinition,
  WORKFLOW,
  writeDefinition,
} from "./definitions.ts";
import type { StoredDefinition } from "./out.ts";

type Needs = Pick<Deps, "store">;

export async function replaceCronJob(
  deps: Needs,
  who: Principal,
  input: Input<typeof jobs.replaceCronJob>,
): Promise<Output<typeof jobs.replaceCronJob>> {
  const { record, events } = await replace(deps, who, JOB, input);
  return { job: record, events };
}

export async function replaceCronWorkflow(
  deps: Needs,
  who: Principal,
  input: Input<typeof workflows.replaceCronWorkflow>,
): Promise<Output<typeof workflows.replaceCronWorkflow>> {
  const { record, events } = await replace(deps, who, WORKFLOW, input);
  return { workflow: record, events };
}

export async function archiveCronJob(
  deps: Needs,
  who: Principal,
  input: Input<typeof jobs.archiveCronJob>,
): Promise<Output<typeof jobs.archiveCronJob>> {
  const { record, events } = await archive(deps, who, JOB, input);
  return { job: record, events };
}

export async function archiveCronWorkflow(
  deps: Needs,
  who: Principal,
  input: Input<typeof workflows.archiveCronWorkflow>,
): Promise<Output<typeof workflows.archiveCronWorkflow>> {
  const { record, events } = await archive(deps, who, WORKFLOW, input);
  return { workflow: record, events };
}

export async function restoreCronJob(
  deps: Needs,
  who: Principal,
  input: Input<typeof jobs.restoreCronJob>,
): Promise<Output<typeof jobs.restoreCronJob>> {
  const { record, events } = await restore(deps, who, JOB, input);
  return { job: record, events };
}

export async function restoreCronWorkflow(
  deps: Needs,
  who: Principal,
  input: Input<typeof workflows.restoreCronWorkflow>,
): Promise<Output<typeof workflows.restoreCronWorkflow>> {
  const { record, events } = await restore(deps, who, WORKFLOW, input);
  return { workflow: record, events };
}

interface Guard {
  readonly expected_event_uid?: string | undefined;
  readonly actor?: string | undefined;
}

interface ReplaceInput {
  readonly params: DefinitionPath;
  readonly body: Guard & { readonly name: string; readonly definition: JsonObject };
}

/** Writing a tombstone anew makes it live. */
async function replace(
  deps: Needs,
  who: Principal,
  kind: DefinitionKind,
  { params, body }: ReplaceInput,
) {
  const definition = kind.decode(body.definition);
  return await change(deps, who, kind, params, body, (known) => ({
    verb: known.deleted_at === null ? "updated" : "restored",
    name: body.name,
    definition,
  }));
}

interface ArchiveInput {
  readonly params: DefinitionPath;
  readonly query: Guard;
  readonly body: Guard;
}

/** The document is not looked at: one that later rules refuse can still be deleted. */
async function archive(
  deps: Needs,
  who: Principal,
  kind: DefinitionKind,
  { params, query, body }: ArchiveInput,
) {
  const guard: Guard = {
    expected_event_uid: agreed("expected_event_uid", query, body),
    actor: agreed("actor", query, body),
  };
  return await change(deps, who, kind, params, guard, ({ name, definition }) => ({
    verb: "deleted",
    name,
    definition,
  }));
}

function agreed(name: keyof Guard, query: Guard, body: Guard): string | undefined {
  const [asked, sent] = [query[name], body[name]];
  if (asked !== undefined && sent !== undefined && asked !== sent)
    throw new SvcError(
      "validation",
      { field: name },
      { message: `${name}: the query and the body say different things` },
    );
  return sent ?? asked;
}

interface RestoreInput {
  readonly params: DefinitionPath;
  readonly body: Guard;
}

/** The stored document goes through the rules of today. */
async function restore(
  deps: Needs,
  who: Principal,
  kind: DefinitionKind,
  { params, body }: RestoreInput,
) {
  return await change(deps, who, kind, params, body, (known) => ({
    verb: known.deleted_at === null ? "updated" : "restored",
    name: known.name,
    definition: kind.decode(known.definition),
  }));
}

interface Decided {
  readonly verb: Verb;
  readonly name: string;
  readonly definition: JsonObject;
}

async function change(
  { store }: Needs,
  who: Principal,
  kind: DefinitionKind,
  params: DefinitionPath,
  { expected_event_uid, actor: requested }: Guard,
  decide: (known: StoredDefinition) => Decided,
) {
  const actor = actorOf(who, requested);
  return await store.write(async (tx) => {
    const found = await requireDefinition(tx, kind, params);
    const { project, row: known } = found;
    checkExpected(kind, found, expected_event_uid);
    const decided = decide(known);
    if (decided.verb === "deleted") await kind.checkDelete(tx, known);
    return await writeDefinition(tx, kind, project, { ...decided, uid: known.uid, actor, known });
  });
}
