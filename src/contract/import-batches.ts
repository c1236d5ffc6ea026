import { z } from "zod";
import { isUlid } from "../base/ulid.ts";
import { IMPORTS_DEFAULT_LIMIT, MAX_IMPORTS_LIMIT, UNDO_IMPORT_ISSUES } from "./limits.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { UndoConflict } from "./undo.ts";
import { Actor, Count, Instant, ProjectId } from "./values.ts";

const route = routesOf("imports");

const Ulid = () => z.string().refine(isUlid, "must be a ULID");

const ImportBatch = component("ImportBatch", () =>
  z.looseObject({
    batch_uid: z.string(),
    source: z.string(),
    actor: z.string(),
    began_at: Instant().describe("time of its first change here"),
    ended_at: Instant().describe("time of its last change here"),
    created: Count(),
    updated: Count(),
    deleted: Count(),
    undone: Count().describe("how many of these issues were taken back since"),
  }),
);

export const listImports = route({
  id: "listImports",
  method: "GET",
  path: "/projects/{project_id}/imports",
  access: "read",
  summary: "imports into a project, the newest first; those that changed nothing are not listed",
  query: shape(() =>
    z.object({
      limit: z
        .int()
        .min(1)
        .max(MAX_IMPORTS_LIMIT)
        .optional()
        .describe(`default ${IMPORTS_DEFAULT_LIMIT}`),
      before: Ulid().optional().describe("next_before of the page before this one"),
    }),
  ),
  response: component("ImportListResponse", () =>
    z.looseObject({
      imports: z.array(ImportBatch()),
      next_before: z
        .string()
        .optional()
        .describe("there may be older imports, even if this page is empty"),
    }),
  ),
});

/** Undoes one import in portions, issue by issue. What others have changed since then stays. */
export const undoImport = route({
  id: "undoImport",
  lengthy: true,
  method: "POST",
  path: "/projects/{project_id}/imports/{batch_uid}/undo",
  access: "write",
  summary: `take back what one import did, at most ${UNDO_IMPORT_ISSUES} issues in a request`,
  params: shape(() => z.object({ project_id: ProjectId(), batch_uid: Ulid() })),
  body: component("UndoImportRequest", () =>
    z.strictObject({
      after: Ulid().optional().describe("next_after of the portion before this one"),
      dry_run: z.boolean().optional().describe("report what would be done and change nothing"),
      actor: Actor(),
    }),
  ),
  response: component("UndoImportResponse", () =>
    z.looseObject({
      batch_uid: z.string(),
      source: z.string(),
      dry_run: z.boolean(),
      issues: Count().describe("issues that the import wrote about, in all portions"),
      deleted: Count().describe("issues that the import created"),
      reverted: Count().describe("other issues that are as they were before the import"),
      undone_before: Count().describe("issues that were taken back before"),
      items: z.array(
        z.looseObject({
          issue_uid: z.string(),
          qualified_id: z.string(),
          external_id: z.string().optional(),
          status: z.enum(["deleted", "reverted"]),
          changed: z.array(z.string()).optional().describe("what came back in a reverted issue"),
        }),
      ),
      conflicts: z
        .array(UndoConflict())
        .describe("an issue with a conflict stays as it is, and is none of the items"),
      next_after: z.string().optional().describe("present if there are more issues"),
      batch: z
        .looseObject({ batch_uid: z.string(), actor: z.string(), at: Instant() })
        .optional()
        .describe("present if anything was changed"),
    }),
  ),
  errors: ["import_not_found"],
});
