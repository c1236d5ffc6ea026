import { z } from "zod";
import { jsonBytes } from "../../../base/json-bytes.ts";
import type { Project } from "../../../contract/objects.ts";
import type { OutputOf } from "../../../contract/shape.ts";
import { EventSummary } from "../../objects.ts";
import { eventOf } from "../../views.ts";

/** A project with the fields that administration needs (docs/contract/tools.md#7-shared-objects). */
export const ProjectSummary = z.strictObject({
  id: z.int(),
  uid: z.string(),
  name: z.string(),
  revision: z.int(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  metadata_omitted: z.boolean().optional(),
  archived: z.boolean(),
  created_at: z.string(),
  deleted_at: z.string().optional(),
});

export const ProjectChange = z.strictObject({
  project: ProjectSummary,
  changed: z.boolean(),
  event: EventSummary.optional(),
});

/** Metadata with more bytes is left out of the answer; `svc projects show` prints it. */
const METADATA_BYTES = 1024;

type ProjectRow = OutputOf<typeof Project>;

export function projectOf(row: ProjectRow): z.input<typeof ProjectSummary> {
  const { id, uid, name, revision, metadata, created_at, deleted_at } = row;
  const isShown = Object.keys(metadata).length > 0 && jsonBytes(metadata) <= METADATA_BYTES;
  return {
    id,
    uid,
    name,
    revision,
    ...(isShown ? { metadata } : {}),
    ...(!isShown && Object.keys(metadata).length > 0 ? { metadata_omitted: true } : {}),
    archived: deleted_at !== undefined,
    created_at,
    ...(deleted_at === undefined ? {} : { deleted_at }),
  };
}

export function projectChanged(
  row: ProjectRow,
  changed: boolean,
  event: Parameters<typeof eventOf>[0] | null | undefined,
) {
  const made = event === null || event === undefined ? {} : { event: eventOf(event) };
  return { project: projectOf(row), changed, ...made };
}
