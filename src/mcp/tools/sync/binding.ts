import { z } from "zod";
import { ProjectIdentity } from "../../objects.ts";

/** The connection of a project to another tracker, without its configuration (facts mcp 8.8). */
export const binding = {
  project: ProjectIdentity,
  binding: z
    .strictObject({
      id: z.int(),
      project_id: z.int(),
      provider: z.string(),
      source_key: z.string(),
      remote_id: z.string(),
      display_name: z.string(),
      enabled: z.boolean(),
      interval_seconds: z.int(),
    })
    .optional(),
  status: z.record(z.string(), z.unknown()),
};
