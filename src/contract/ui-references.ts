import { z } from "zod";
import { MAX_REFERENCE_UIDS, REFERENCES_DEFAULT_LIMIT, REFERENCES_MAX_LIMIT } from "./limits.ts";
import { logHeader } from "./log-mark.ts";
import { ProjectOut } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { envelope, IfNoneMatch, TAGGED, Uid } from "./ui-objects.ts";
import { Status } from "./values.ts";

const route = routesOf("browser");

/** Maximum number of `issue_uid` parameters, repeated uids included. The URL of a request could not hold more. */
const MAX_REPEATED_UIDS = 1000;

const UIReference = component("UIReference", () =>
  z.looseObject({
    uid: z.string(),
    project_uid: z.string(),
    project_name: z.string(),
    short_id: z.string(),
    qualified_id: z.string(),
    title: z.string(),
    status: Status(),
  }),
);

export const readUIReferences = route({
  id: "readUIReferences",
  method: "GET",
  path: "/ui/references",
  access: "read",
  local: true,
  summary: "list projects, issues, owners and labels that a page can offer while somebody types",
  query: shape(() =>
    z.object({
      q: z
        .string()
        .optional()
        .describe(
          "part of the name: of a project, owner or label, or of title or qualified id of an issue",
        ),
      project_uid: Uid().optional().describe("only this project and what is in it"),
      issue_uid: z
        .array(Uid())
        .max(MAX_REPEATED_UIDS)
        .optional()
        .describe(
          `only these issues and nothing else, at most ${MAX_REFERENCE_UIDS} different ones; each must be there`,
        ),
      limit: z
        .int()
        .min(1)
        .max(REFERENCES_MAX_LIMIT)
        .optional()
        .describe(
          `entries of each list, at most ${REFERENCES_MAX_LIMIT}; if absent ${REFERENCES_DEFAULT_LIMIT}, or as many as there are issue_uid`,
        ),
    }),
  ),
  headers: IfNoneMatch,
  response: component("UIReferences", () =>
    z.looseObject({
      ...envelope(),
      projects: z.array(ProjectOut()).describe("by name"),
      issues: z
        .array(UIReference())
        .describe("those that match and were changed last, by qualified id"),
      owners: z.array(z.string()).describe("owners of open issues"),
      labels: z.array(z.string()),
    }),
  ),
  responseHeaders: { ...TAGGED, ...logHeader },
  notModified: true,
  errors: ["not_found", "ui_unavailable"],
});
