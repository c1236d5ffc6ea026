import type { JsonObject } from "../../base/json.ts";
import type * as jobs from "../../contract/cron-jobs.ts";
import type * as workflows from "../../contract/cron-workflows.ts";
import { invalidField } from "../../contract/errors.ts";
import type { Input } from "../../contract/route.ts";
import type { Verb } from "../../domain/drafts/cron.ts";
import { actorOf } from "../actor.ts";
import type { Deps, Op, Principal } from "../deps.ts";
import {
  asJob,
  asWorkflow,
  checkExpected,
  type DefinitionKind,
  type DefinitionPath,
  JOB,
  requireDefinition,
  WORKFLOW,
  writeDefinition,
} from "./definitions.ts";
import type { StoredDefinition } from "./out.ts";

export const replaceCronJob: Op<typeof jobs.replaceCronJob> = async (...request) =>
  asJob(await replaceDefinition(JOB, ...request));

export const replaceCronWorkflow: Op<typeof workflows.replaceCronWorkflow> = async (...request) =>
  asWorkflow(await replaceDefinition(WORKFLOW, ...request));

export const archiveCronJob: Op<typeof jobs.archiveCronJob> = async (...request) =>
  asJob(await archiveDefinition(JOB, ...request));

export const archiveCronWorkflow: Op<typeof workflows.archiveCronWorkflow> = async (...request) =>
  asWorkflow(await archiveDefinition(WORKFLOW, ...request));

export const restoreCronJob: Op<typeof jobs.restoreCronJob> = async (...request) =>
  asJob(await restoreDefinition(JOB, ...request));

export const restoreCronWorkflow: Op<typeof workflows.restoreCronWorkflow> = async (...request) =>
  asWorkflow(await restoreDefinition(WORKFLOW, ...request));

/** Replaces a definition. If the definition was deleted, it is restored with the new content. */
async function replaceDefinition(
  kind: DefinitionKind,
  deps: Pick<Deps, "store">,
  who: Principal,
  { params, body }: Pick<Input<typeof jobs.replaceCronJob>, "params" | "body">,
) {
  const definition = kind.decode(body.definition);
  return await changeDefinition(kind, deps, who, params, body, (known) => ({
    verb: known.deleted_at === null ? "updated" : "restored",
    name: body.name,
    definition,
  }));
}

/**
 * Deletes a definition without checking its document, so that a document that the current rules refuse can be deleted.
 */
async function archiveDefinition(
  kind: DefinitionKind,
  deps: Pick<Deps, "store">,
  who: Principal,
  { params, query, body }: Pick<Input<typeof jobs.archiveCronJob>, "params" | "query" | "body">,
) {
  const guard: Guard = {
    expected_event_uid: agreedValue("expected_event_uid", query, body),
    actor: agreedValue("actor", query, body),
  };
  return await changeDefinition(kind, deps, who, params, guard, ({ name, definition }) => ({
    verb: "deleted",
    name,
    definition,
  }));
}

interface Guard {
  readonly expected_event_uid?: string | undefined;
  readonly actor?: string | undefined;
}

function agreedValue(name: keyof Guard, query: Guard, body: Guard): string | undefined {
  const [inQuery, inBody] = [query[name], body[name]];
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody)
    throw invalidField(name, "the query and the body say different things");
  return inBody ?? inQuery;
}

/** Restores a deleted definition, whose stored document must pass the current rules. */
async function restoreDefinition(
  kind: DefinitionKind,
  deps: Pick<Deps, "store">,
  who: Principal,
  { params, body }: Pick<Input<typeof jobs.restoreCronJob>, "params" | "body">,
) {
  return await changeDefinition(kind, deps, who, params, body, (known) => ({
    verb: known.deleted_at === null ? "updated" : "restored",
    name: known.name,
    definition: kind.decode(known.definition),
  }));
}

interface DecidedChange {
  readonly verb: Verb;
  readonly name: string;
  readonly definition: JsonObject;
}

async function changeDefinition(
  kind: DefinitionKind,
  { store }: Pick<Deps, "store">,
  who: Principal,
  params: DefinitionPath,
  { expected_event_uid, actor: requested }: Guard,
  decide: (known: StoredDefinition) => DecidedChange,
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
