import { z } from "zod";
import { Event, IssueOut, LinkOut, MutationResponse, warnings } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Actor, IssueRef, LinkType, ProjectId } from "./values.ts";

const route = routesOf("links");

export const createLink = route({
  id: "createLink",
  method: "POST",
  path: "/projects/{project_id}/issues/{ref}/links",
  access: "write",
  local: true,
  fenced: "gate",
  summary: "link an issue to its parent, to an issue that it blocks, or to a related issue",
  body: component("CreateLinkRequest", () =>
    z.strictObject({
      type: LinkType(),
      to_ref: IssueRef(),
      replace: z.boolean().optional().describe("for type parent: replace the current parent"),
      actor: Actor(),
    }),
  ),
  response: component("CreateLinkResponse", () =>
    z.looseObject({
      issue: IssueOut(),
      link: LinkOut(),
      event: Event().nullable(),
      changed: z.boolean(),
      ...warnings(),
    }),
  ),
  errors: ["parent_already_set", "link_target_archived"],
});

export const deleteLink = route({
  id: "deleteLink",
  method: "DELETE",
  path: "/projects/{project_id}/issues/{ref}/links/{link_id}",
  access: "write",
  local: true,
  fenced: "gate",
  summary: "remove a link by its id",
  params: shape(() =>
    z.object({ project_id: ProjectId(), ref: IssueRef(), link_id: z.int().positive() }),
  ),
  query: shape(() => z.object({ actor: Actor() })),
  response: MutationResponse,
  errors: ["link_not_found"],
});
