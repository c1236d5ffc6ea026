import { z } from "zod";
import { component } from "./shape.ts";
import { Count, Instant } from "./values.ts";

/** The fields that the records of all purges have (docs/contract/http-api.md#30-shared-objects, Purge records). */
const purge = () => ({
  id: z.int(),
  uid: z.string(),
  origin_instance_uid: z.string(),
  project_id: z.int(),
  project_uid: z.string(),
  project_name: z.string(),
  comment_count: Count(),
  link_count: Count(),
  label_count: Count(),
  event_count: Count(),
  events_deleted_min_id: z.int().optional(),
  events_deleted_max_id: z.int().optional(),
  purge_reset_after_event_id: z
    .int()
    .describe("readers with a lower cursor must read everything again"),
  actor: z.string(),
  reason: z.string().optional(),
  purged_at: Instant(),
});

export const erasure = () => ({
  erased: z
    .boolean()
    .optional()
    .describe(
      "true if no file of the database contains the data any more; earlier backups and exports still do",
    ),
  erasure: z.string().optional().describe("why the data is not erased yet, and what will erase it"),
});

export const PurgeLog = component("PurgeLog", () =>
  z.looseObject({
    ...purge(),
    purged_issue_id: z.int(),
    issue_uid: z.string(),
    short_id: z.string(),
    issue_title: z.string(),
    issue_author: z.string(),
  }),
);

export const ProjectPurgeLog = component("ProjectPurgeLog", () =>
  z.looseObject({
    ...purge(),
    issue_count: Count(),
    alias_count: Count(),
    claim_count: Count(),
    pending_claim_request_count: Count(),
  }),
);
