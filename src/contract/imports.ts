import { z } from "zod";
import { parseInstant } from "../base/clock.ts";
import { isUlid } from "../base/ulid.ts";
import {
  IMPORT_BODY_BYTES,
  MAX_EXTERNAL_ID_CHARACTERS,
  MAX_IMPORT_COMMENTS,
  MAX_IMPORT_ITEMS,
  MAX_ISSUE_LABELS,
  MAX_LINKS,
  MAX_SOURCE_CHARACTERS,
} from "./limits.ts";
import { type Output, routesOf } from "./route.ts";
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
  Status,
  Title,
} from "./values.ts";

const route = routesOf("imports");

/** A name from another tracker. svc joins such names with control characters, so they may not contain any. */
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
    external_id: ExternalId().describe(
      "identifies the comment together with its author and time. Otherwise it is recognized by author, time and text, since the source may number its comments anew",
    ),
    author: Owner(),
    body: CommentText(),
    created_at: Time()
      .optional()
      .describe("absent if the source does not say when: it gets the created_at of the issue"),
  }),
);

const ImportLink = component("ImportLink", () =>
  z.strictObject({
    type: LinkType(),
    target_external_id: ExternalId(),
    incoming: z
      .boolean()
      .optional()
      .describe("for blocks: the target blocks this issue, instead of the other way round"),
    author: Owner().optional(),
    created_at: Time().optional(),
  }),
);

const Side = component("ImportSide", () => z.enum(["local", "upstream"]));

const ImportDecision = component("ImportDecision", () =>
  z.strictObject({
    external_id: ExternalId(),
    field: z.string().describe("as a conflict names it"),
    take: Side(),
  }),
);

/** A value in a conflict: text, numbers and booleans are not converted; any other value is JSON text. */
const Value = () => z.union([z.string(), z.number(), z.boolean()]);

const ImportConflict = component("ImportConflict", () =>
  z.looseObject({
    external_id: z.string(),
    issue_short_id: z.string(),
    field: z.string(),
    base: Value().optional().describe("what was imported last; absent for nothing"),
    local: Value().optional(),
    upstream: Value().optional(),
    decided: Side().optional().describe("absent if nobody decided: the local value stays"),
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
    labels: z
      .array(Label())
      .max(MAX_ISSUE_LABELS)
      .optional()
      .describe(
        "all labels that the source has; if absent, labels stay as they are. The same goes for metadata, comments and links",
      ),
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

const Merging = () => ({
  batch_uid: z
    .string()
    .refine(isUlid, "must be a ULID")
    .optional()
    .describe(
      "the same for all requests of one import, which their events carry; default a new one",
    ),
  prefer: z
    .enum(["local", "upstream", "newer"])
    .optional()
    .describe(
      "whose value a field gets that changed on both sides; default: the local value stays, and the conflict comes up again",
    ),
  decisions: z
    .array(ImportDecision())
    .max(MAX_IMPORT_ITEMS)
    .optional()
    .describe("for single fields; they come before prefer"),
  removed: z
    .array(ExternalId())
    .max(MAX_IMPORT_ITEMS)
    .optional()
    .describe("issues that the source has deleted; they are deleted here"),
  only: z
    .array(ExternalId())
    .min(1)
    .max(MAX_IMPORT_ITEMS)
    .optional()
    .describe("all issues that the source has, at least one; others that it brought are deleted"),
  dry_run: z.boolean().optional().describe("report what would be done and change nothing"),
});

/**
 * Imports issues in one transaction. The source and the external id together identify an issue
 * (docs/contract/http-api.md#313-imports-plans-issue-sync). If an issue was imported before, the stored and the new
 * values are merged, with the values of the last import as the base of the merge. So repeating an import changes
 * nothing.
 */
export const importIssues = route({
  id: "importIssues",
  lengthy: true,
  method: "POST",
  path: "/projects/{project_id}/imports",
  access: "write",
  summary: "import issues of another tracker, merging those that were imported before",
  maxBodyBytes: IMPORT_BODY_BYTES,
  body: component("ImportIssuesRequest", () =>
    z.strictObject({
      source: name(MAX_SOURCE_CHARACTERS).describe("name of the other tracker"),
      items: z
        .array(ImportItem())
        .max(MAX_IMPORT_ITEMS)
        .describe("none changes nothing, and prepares the daemon for a large import"),
      ...Merging(),
      actor: Actor(),
    }),
  ),
  response: component("ImportBatchResult", () =>
    z.looseObject({
      source: z.string(),
      batch_uid: z.string(),
      dry_run: z.boolean(),
      created: Count(),
      updated: Count(),
      unchanged: Count(),
      deleted: Count(),
      comments: Count().describe("number of comments added"),
      links: Count().describe("number of links added"),
      items: z.array(
        z.looseObject({
          external_id: z.string(),
          issue_short_id: z.string(),
          status: z.enum(["created", "updated", "unchanged", "deleted"]),
          changed: z
            .array(z.string())
            .optional()
            .describe("fields of an updated issue that changed here"),
          reason: z.string().optional().describe("why an issue that differs was not updated"),
        }),
      ),
      conflicts: z
        .array(ImportConflict())
        .describe("fields that changed both here and in the source since the last import"),
      errors: z.array(z.string()).describe("links that could not be made, and why"),
      missing: z
        .array(
          z.looseObject({
            external_id: z.string(),
            target_external_id: z.string(),
            error: z.string(),
          }),
        )
        .describe("those of the errors about links whose other end was not imported yet"),
    }),
  ),
  errors: ["invalid_metadata_value"],
});

/** The members of an answer that are added up over all portions of an import. */
export type ImportSums = Pick<
  Output<typeof importIssues>,
  | "created"
  | "updated"
  | "unchanged"
  | "deleted"
  | "comments"
  | "links"
  | "items"
  | "conflicts"
  | "errors"
>;
