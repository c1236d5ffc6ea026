import { z } from "zod";
import {
  AS_SENT,
  ChangeQuery,
  ChangeRequest,
  CronParams,
  CronUid,
  type definitionDocument,
  ExpectedEvent,
  type ListQuery,
  RecordName,
} from "./cron-records.ts";
import { routesOf } from "./route.ts";
import { component, type Shape } from "./shape.ts";
import { Actor } from "./values.ts";

const route = routesOf("cron");

interface Definitions<
  Q extends typeof ListQuery,
  L extends Shape,
  O extends Shape,
  M extends Shape,
> {
  readonly noun: "job" | "workflow";
  readonly definition: Shape<ReturnType<typeof definitionDocument>>;
  readonly listQuery: Q;
  /** The response schemas: `list` for a list of definitions, `one` for a definition, `mutation` for a changed one. */
  readonly list: L;
  readonly one: O;
  readonly mutation: M;
  /** The words for the deleted definition in the summary of the delete route. */
  readonly deleted: string;
}

/** Makes the routes of jobs or of workflows, which differ only in their definitions and answers. */
export function definitionRoutes<
  Q extends typeof ListQuery,
  L extends Shape,
  O extends Shape,
  M extends Shape,
>({ noun, definition, listQuery, list, one, mutation, deleted }: Definitions<Q, L, O, M>) {
  const name = noun === "job" ? "CronJob" : "CronWorkflow";
  const path = `/projects/{project_id}/cron/${noun}s` as const;
  const record = `${path}/{cron_uid}` as const;
  const document = () => ({ name: RecordName(), definition: definition() });
  const change = {
    access: "write",
    local: true,
    params: CronParams,
    response: mutation,
    errors: ["not_found", "cron_conflict"],
  } as const;
  return {
    list: route({
      id: `list${name}s`,
      method: "GET",
      path,
      access: "read",
      local: true,
      summary: `list the ${noun}s of a project by name`,
      query: listQuery,
      response: list,
    }),
    create: route({
      id: `create${name}`,
      method: "POST",
      path,
      access: "write",
      local: true,
      summary: `create a ${noun}; a uid that exists is refused, never updated`,
      strict: AS_SENT,
      status: 201,
      body: component(`Create${name}Request`, () =>
        z.strictObject({ ...document(), actor: Actor(), uid: CronUid().optional() }),
      ),
      response: mutation,
      errors: ["cron_conflict"],
    }),
    show: route({
      id: `show${name}`,
      method: "GET",
      path: record,
      access: "read",
      local: true,
      summary: `show a ${noun}, including a deleted one`,
      params: CronParams,
      response: one,
      errors: ["not_found"],
    }),
    replace: route({
      ...change,
      id: `replace${name}`,
      method: "PATCH",
      path: record,
      summary: `replace the name and the whole definition of a ${noun}`,
      strict: AS_SENT,
      body: component(`Replace${name}Request`, () =>
        z.strictObject({ ...document(), expected_event_uid: ExpectedEvent(), actor: Actor() }),
      ),
    }),
    archive: route({
      ...change,
      id: `archive${name}`,
      method: "DELETE",
      path: record,
      summary: `delete ${deleted}; it stays readable`,
      query: ChangeQuery,
      body: ChangeRequest,
    }),
    restore: route({
      ...change,
      id: `restore${name}`,
      method: "POST",
      path: `${record}/restore`,
      summary: `restore a deleted ${noun}`,
      body: ChangeRequest,
    }),
  };
}
