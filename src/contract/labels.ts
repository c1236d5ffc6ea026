import { z } from "zod";
import { Event, IssueLabel, IssueOut, MutationResponse } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Actor, Count, IssueRef, Label, ProjectId } from "./values.ts";

const route = routesOf("labels");

export const addLabel = route({
  id: "addLabel",
  method: "POST",
  path: "/projects/{project_id}/issues/{ref}/labels",
  access: "write",
  local: true,
  fenced: "gate",
  summary: "add a label to an issue",
  body: component("AddLabelRequest", () => z.strictObject({ label: Label(), actor: Actor() })),
  response: component("AddLabelResponse", () =>
    z.looseObject({
      issue: IssueOut(),
      label: IssueLabel(),
      event: Event().nullable(),
      changed: z.boolean(),
    }),
  ),
});

export const removeLabel = route({
  id: "removeLabel",
  method: "DELETE",
  path: "/projects/{project_id}/issues/{ref}/labels/{label}",
  access: "write",
  local: true,
  fenced: "gate",
  summary: "remove a label from an issue",
  params: shape(() => z.object({ project_id: ProjectId(), ref: IssueRef(), label: z.string() })),
  query: shape(() => z.object({ actor: Actor() })),
  response: MutationResponse,
});

export const listLabels = route({
  id: "listLabels",
  method: "GET",
  path: "/projects/{project_id}/labels",
  access: "read",
  local: true,
  summary: "list a project's labels with how many issues carry each",
  response: component("ListLabelsResponse", () =>
    z.looseObject({ labels: z.array(z.looseObject({ label: z.string(), count: Count() })) }),
  ),
});
