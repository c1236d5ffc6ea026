import { z } from "zod";
import { importIssues as route } from "../../../contract/imports.ts";
import { CLOSE_REASONS } from "../../../domain/close.ts";
import { firstRows, roomFor } from "../../budget.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";

const MAX_ITEMS = 100;

const time = z.string().describe("RFC 3339");
const author = z.string().describe("who wrote it");

const Comment = z.strictObject({
  external_id: z.string().describe("id of the comment there"),
  author,
  body: z.string().describe("text, Markdown"),
  created_at: time,
});

const Link = z.strictObject({
  type: z.enum(["parent", "blocks", "related"]).describe("parent: the other is the parent"),
  target_external_id: z.string().describe("id of the other issue there"),
});

const Item = z.strictObject({
  external_id: z.string().describe("id of the issue there"),
  title: z.string().describe("one line"),
  author,
  status: z.enum(["open", "closed"]).describe("open or closed"),
  created_at: time,
  updated_at: time,
  body: z.string().optional().describe("Markdown"),
  owner: z.string().optional().describe("who works on it"),
  priority: inputs.priority,
  closed_reason: z.enum(CLOSE_REASONS).optional().describe("why it was closed"),
  closed_at: time.optional(),
  labels: z.array(z.string()).optional().describe("labels"),
  comments: z.array(Comment).optional().describe("comments"),
  links: z.array(Link).optional().describe("links to other issues"),
});

export const importIssues = tool({
  name: "svc.import_issues",
  title: "Import issues",
  description:
    "Imports issues of another tracker. source and external_id identify an issue, so a second import updates it.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    project: inputs.ownProject,
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
