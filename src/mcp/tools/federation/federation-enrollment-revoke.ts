import { z } from "zod";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const federationEnrollmentRevoke = tool({
  name: "svc.federation_enrollment_revoke",
  title: "Revoke enrollment",
  description: "Ends the permission of another daemon to copy projects of this one.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    id: z.int().min(1).describe("id from svc.federation_status"),
  }),
  output: z.strictObject({
    id: z.int(),
    revoked: z.boolean(),
  }),
  async run() {
    notAvailable("svc.federation_enrollment_revoke");
  },
});
