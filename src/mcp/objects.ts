import { z } from "zod";

/** Output objects that several tools share (docs/contract/tools.md#7-shared-objects). */

export const ProjectIdentity = z.strictObject({ id: z.int(), uid: z.string(), name: z.string() });

export const IssueSummary = z.strictObject({
  uid: z.string(),
  ref: z.string(),
  qualified_ref: z.string(),
  title: z.string(),
  status: z.string(),
  owner: z.string().optional(),
  priority: z.int().optional(),
  labels: z.array(z.string()).optional(),
  blocked: z.boolean().optional(),
  revision: z.int(),
  updated_at: z.string(),
  scheduled_on: z.string().optional(),
  timezone: z.string().optional(),
});

export const Comment = z.strictObject({
  uid: z.string(),
  author: z.string(),
  body: z.string(),
  created_at: z.string(),
  teammate: z.string().optional(),
});

/**
 * An answer has `project` if the server reaches only one project or the call names one. Otherwise it has `projects`.
 */
export const scopePair = {
  project: ProjectIdentity.optional(),
  projects: z.array(ProjectIdentity).optional(),
};

/** The last members of a list: whether rows were left out, and the cursor of the next page. */
export const cut = { truncated: z.boolean(), next_cursor: z.string().optional() };

export const IssueListOutput = z.strictObject({
  ...scopePair,
  issues: z.array(IssueSummary),
  ...cut,
});

export const EventSummary = z.strictObject({
  uid: z.string(),
  type: z.string(),
  actor: z.string(),
});

export const mutation = {
  project: ProjectIdentity,
  issue: IssueSummary,
  changed: z.boolean(),
  reused: z.boolean().optional(),
  event: EventSummary.optional(),
};

export const MutationOutput = z.strictObject(mutation);
