import type { JsonObject } from "../../base/json.ts";
import type * as jobs from "../../contract/cron-jobs.ts";
import type * as workflows from "../../contract/cron-workflows.ts";
import type { Input, Output } from "../../contract/route.ts";
import { actorOf } from "../actor.ts";
import type { Deps, Principal } from "../deps.ts";
import { requireProject } from "../find.ts";
import { type DefinitionKind, JOB, WORKFLOW, writeDefinition } from "./definitions.ts";
import { conflict, definitionOut } from "./out.ts";

type Needs = Pick<Deps, "store" | "ids">;

export async function createCronJob(
  deps: Needs,
  who: Principal,
  input: Input<typeof jobs.createCronJob>,
): Promise<Output<typeof jobs.createCronJob>> {
  const { record, events } = await create(deps, who, JOB, input);
  return { job: record, events };
}

export async function createCronWorkflow(
  deps: Needs,
  who: Principal,
  input: Input<typeof workflows.createCronWorkflow>,
): Promise<Output<typeof workflows.createCronWorkflow>> {
  const { record, events } = await create(deps, who, WORKFLOW, input);
  return { workflow: record, events };
}

interface CreateInput {
  readonly params: { readonly project_id: number };
  readonly body: {
    readonly name: string;
    readonly definition: JsonObject;
    readonly actor?: string | undefined;
    readonly uid?: string | undefined;
  };
}

/** A uid that was used, here or elsewhere, live or deleted, is never an update (doc 2, rule 2). */
async function create(
  { store, ids }: Needs,
  who: Principal,
  kind: DefinitionKind,
  { params, body }: CreateInput,
) {
  const definition = kind.decode(body.definition);
  const actor = actorOf(who, body.actor);
  const uid = body.uid?.toUpperCase() ?? ids.ulid();
  return await store.write(async (tx) => {
    const project = await requireProject(tx, params.project_id);
    const known = await kind.find(tx, uid);
    if (known !== undefined) {
      const own = known.project_uid === project.uid ? definitionOut(known, project) : undefined;
      throw conflict(kind.name, `the uid ${uid} is taken`, own);
    }
    const write = { uid, verb: "created", name: body.name, definition, actor } as const;
    return await writeDefinition(tx, kind, project, write);
  });
}
