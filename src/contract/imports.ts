import { z } from "zod";
import { parseInstant } from "../base/clock.ts";
import {
  IMPORT_BODY_BYTES,
  MAX_EXTERNAL_ID_CHARACTERS,
  MAX_IMPORT_COMMENTS,
  MAX_IMPORT_ITEMS,
  MAX_ISSUE_LABELS,
  MAX_LINKS,
  MAX_SOURCE_CHARACTERS,
} from "./limits.ts";
import { routesOf } from "./route.ts";
import { component } from "./shape.ts";
import {
  Actor,
  Body,
  CloseReason,
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

const route = routesOf("imports");

/** A name from another tracker. Keys are made from it, so it may not contain control characters. */
const name = (max: number) =>
  z
    .string()
    .regex(/^[^\p{Cc}]+$/u, "must not be empty or hold control characters")
    .refine((value) => value.length <= max, `must be at most ${max} characters`)
    .meta({ minLength: 1, maxLength: max });

const ExternalId = () => name(MAX_EXTERNAL_ID_CHARACTERS);

const Time = () =>
  z
    .string()
    .refine((value) => parseInstant(value) !== undefined, "must be an RFC 3339 instant")
    .meta({ format: "date-time" });

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
    closed_reason: CloseReason().optional().describe("for a closed issue, default done"),
    labels: z.array(Label()).max(MAX_ISSUE_LABELS).optional(),
    metadata: Metadata().optional(),
    comments: z.array(ImportComment()).max(MAX_IMPORT_COMMENTS).optional(),
    links: z
      .array(ImportLink())
      .max(MAX_LINKS)
      .optional()
      .describe(
        "links to other issues; a target that is not imported yet is reported in errors, and the link can be sent again",
      ),
  }),
);

/**
 * Imports in one transaction. Source and external id identify an issue, so a repeated batch changes nothing (facts
 * http-api 3.13).
 */
export const importIssues = route({
  id: "importIssues",
  lengthy: true,
  method: "POST",
  path: "/projects/{project_id}/imports",
  access: "write",
  summary: "import issues of another tracker, updating those that were imported before",
  params: ProjectParams,
  maxBodyBytes: IMPORT_BODY_BYTES,
  body: component("ImportIssuesRequest", () =>
    z.strictObject({
      source: name(MAX_SOURCE_CHARACTERS).describe("name of the other tracker"),
      items: z
        .array(ImportItem())
        .max(MAX_IMPORT_ITEMS)
        .describe("none changes nothing, and prepares the daemon for a large import"),
      actor: Actor(),
    }),
  ),
  response: component("ImportBatchResult", () =>
    z.looseObject({
      source: z.string(),
      created: Count(),
      updated: Count(),
      unchanged: Count(),
      comments: Count().describe("number of comments added"),
      links: Count().describe("number of links added"),
      items: z.array(
        z.looseObject({
          external_id: z.string(),
          issue_short_id: z.string(),
          status: z.enum(["created", "updated", "unchanged"]),
          reason: z.string().optional().describe("why an issue that differs was not updated"),
        }),
      ),
      errors: z.array(z.string()).describe("links that could not be made, and why"),
    }),
  ),
  errors: ["invalid_metadata_value", "claim_denied", "claim_expired"],
});
