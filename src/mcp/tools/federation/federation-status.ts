import { z } from "zod";
import { READS, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const federationStatus = tool({
  name: "svc.federation_status",
  title: "Federation status",
  description:
    "The copies of projects that several daemons keep in step (replicas), and the permissions to copy (enrollments), without secrets.",
  annotations: { ...READS, openWorldHint: true },
  input: z.strictObject({}),
  output: z.strictObject({
    statuses: z.array(z.record(z.string(), z.unknown())),
    enrollments: z.array(
      z.strictObject({
        id: z.int(),
        project_id: z.int().optional(),
        spoke_instance_uid: z.string(),
        capabilities: z.array(z.string()),
        actor: z.string(),
        revoked: z.boolean(),
      }),
    ),
  }),
  async run() {
    notAvailable("svc.federation_status");
  },
});
