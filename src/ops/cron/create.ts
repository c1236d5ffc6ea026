import type * as jobs from "../../contract/cron-jobs.ts";
import type * as workflows from "../../contract/cron-workflows.ts";
import type { Input } from "../../contract/route.ts";
import { actorOf } from "../actor.ts";
import type { Deps, Op, Principal } from "../deps.ts";
import { requireProject } from "../find.ts";
import {
  asJob,
  asWorkflow,
  type DefinitionKind,
  JOB,
  WORKFLOW,
  writeDefinition,
} from "./definitions.ts";
import { conflictError, definitionOut } from "./out.ts";

type UsedDeps = "store" | "ids";

export const createCronJob: Op<typeof jobs.createCronJob, UsedDeps> = async (...request) =>
  asJob(await create(JOB, ...request));

export const createCronWorkflow: Op<typeof workflows.createCronWorkflow, UsedDeps> = async (
  ...request
) => asWorkflow(await create(WORKFLOW, ...request));

/**
 * Creates a definition. Throws if a definition of any project, live or deleted, has used the uid, because a create is
 * never an update (docs/contract/cron-and-inbox.md#15-compare-and-set).
 */
async function create(
  kind: DefinitionKind,
  { store, ids }: Pick<Deps, UsedDeps>,
  who: Principal,
  { params, body }: Pick<Input<typeof jobs.createCronJob>, "params" | "body">,
) {
  const definition = kind.decode(body.definition);
  const actor = actorOf(who, body.actor);
  const uid = body.uid?.toUpperCase() ?? ids.ulid();
  return await store.write(async (tx) => {
    const project = await requireProject(tx, params.project_id);
    const known = await kind.find(tx, uid);
    if (known !== undefined) {
      const own = known.project_uid === project.uid ? definitionOut(known, project) : undefined;
      throw conflictError(kind.name, `the uid ${uid} is taken`, own);
    }
    const write = { uid, verb: "created", name: body.name, definition, actor } as const;
    return await writeDefinition(tx, kind, project, write);
  });
}
