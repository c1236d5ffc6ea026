import { z } from "zod";
import { importIssues as route } from "../../../contract/imports.ts";
import { firstRows, roomFor } from "../../budget.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { tool } from "../../tool.ts";

const MAX_ITEMS = 100;

const Item = z.strictObject({
  external_id: z.string(),
  title: z.string(),
  author: z.string(),
  status: z.enum(["open", "closed"]),
  created_at: z.string(),
  updated_at: z.string(),
  body: z.string().optional(),
  owner: z.string().optional(),
  priority: z.int().min(0).max(4).optional(),
  closed_reason: z
    .enum(["done", "wontfix", "duplicate", "superseded", "audit-no-change"])
    .optional(),
  closed_at: z.string().optional(),
  labels: z.array(z.string()).optional(),
  comments: z
    .array(
      z.strictObject({
        external_id: z.string(),
        author: z.string(),
        body: z.string(),
        created_at: z.string(),
      }),
    )
    .optional(),
  links: z
    .array(
      z.strictObject({
        type: z.enum(["parent", "blocks", "related"]),
        target_external_id: z.string(),
      }),
    )
    .optional(),
});

export const importIssues = tool({
  name: "svc.import_issues",
  title: "Import issues",
  description:
    "Imports issues of another tracker; source and external_id identify an issue, and a second import merges.",
  hints: "-+++",
  input: z.strictObject({
    project: inputs.project.optional(),
    source: z.string().min(1).max(64).describe("name of the other tracker"),
    items: z.array(Item).min(1).max(MAX_ITEMS).describe("issues, at most 100"),
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    result: z.strictObject({
      batch_uid: z.string(),
      created: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      comments: z.int(),
      links: z.int(),
      items: z.array(
        z.strictObject({ external_id: z.string(), ref: z.string(), status: z.string() }),
      ),
      conflicts: z.int(),
      errors: z.array(z.string()),
      truncated: z.boolean().optional(),
    }),
  }),
  async run({ project: name, source, items }, { scope, call, actor }) {
    const project = await scope.project(name);
    const answer = await call(route, {
      params: { project_id: project.id },
      body: { source, items, actor },
    });
    const { batch_uid, created, updated, unchanged, comments, links } = answer;
    const all = answer.items.map(({ external_id, issue_short_id, status }) => {
      const ref = scope.isBound ? issue_short_id : `${project.name}#${issue_short_id}`;
      return { external_id, ref, status };
    });
    const room = roomFor(undefined, project);
    const rows = firstRows(all, { rows: all.length, bytes: (room.bytes * 3) / 4 });
    const errors = firstRows(answer.errors, { rows: MAX_ITEMS, bytes: room.bytes / 5 });
    const isCut = rows.length < all.length || errors.length < answer.errors.length;
    const counts = { batch_uid, created, updated, unchanged, comments, links };
    return {
      project,
      result: {
        ...counts,
        items: [...rows],
        conflicts: answer.conflicts.length,
        errors: [...errors],
        ...(isCut ? { truncated: true } : {}),
      },
    };
  },
});
