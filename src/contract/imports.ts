import { z } from "zod";
import { IMPORT_BODY_BYTES } from "./limits.ts";
import { route } from "./route.ts";
import { component } from "./shape.ts";
import {
  Actor,
  Body,
  CommentText,
  Count,
  Label,
  LinkType,
  Metadata,
  Owner,
  Priority,
  ProjectParams,
  Status,
  Title,
} from "./values.ts";

const ExternalId = () => z.string().min(1, "must not be blank").max(512);
const Time = () => z.iso.datetime({ offset: true });

const ImportComment = component("ImportComment", () =>
  z.strictObject({
    external_id: ExternalId(),
    author: Owner(),
    body: CommentText(),
    created_at: Time(),
  }),
);

const ImportLink = component("ImportLink", () =>
  z.strictObject({
    type: LinkType(),
    target_external_id: ExternalId(),
    author: Owner().optional(),
    created_at: Time().optional(),
  }),
);

const ImportItem = component("ImportItem", () =>
  z.strictObject({
    external_id: ExternalId(),
    title: Title(),
    author: Owner(),
    status: Status(),
    created_at: Time(),
    updated_at: Time(),
    body: Body().optional(),
    owner: Owner().optional(),
    priority: Priority().optional(),
    closed_at: Time().optional(),
    closed_reason: z.string().optional(),
    labels: z.array(Label()).optional(),
    metadata: Metadata().optional(),
    comments: z.array(ImportComment()).optional(),
    links: z
      .array(ImportLink())
      .optional()
      .describe("targets that are not imported yet are refused"),
  }),
);

/** One transaction: the same batch sent again changes nothing (facts http-api 3.13). */
export const importIssues = route({
  id: "importIssues",
  method: "POST",
  path: "/projects/{project_id}/imports",
  access: "write",
  tag: "imports",
  summary: "import issues of another tracker; what is there already is brought up to date",
  params: ProjectParams,
  maxBodyBytes: IMPORT_BODY_BYTES,
  body: component("ImportIssuesRequest", () =>
    z.strictObject({
      source: z.string().min(1, "must not be blank").max(64).describe("name of the other tracker"),
      items: z.array(ImportItem()),
      actor: Actor(),
    }),
  ),
  response: component("ImportBatchResult", () =>
    z.looseObject({
      source: z.string(),
      created: Count(),
      updated: Count(),
      unchanged: Count(),
      comments: Count().describe("comments added"),
      links: Count().describe("links added"),
      items: z.array(
        z.looseObject({
          external_id: z.string(),
          issue_short_id: z.string(),
          status: z.enum(["created", "updated", "unchanged"]),
          reason: z.string().optional(),
        }),
      ),
      errors: z.array(z.string()),
    }),
  ),
  errors: ["project_not_found", "invalid_metadata_value"],
});
