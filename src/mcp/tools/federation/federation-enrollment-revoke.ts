import { z } from "zod";
import {
  listFederationEnrollments,
  revokeFederationEnrollment,
} from "../../../contract/federation.ts";
import { ToolError } from "../../failure.ts";
import { CHANGES, tool } from "../../tool.ts";
import { isReached } from "./reach.ts";

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
  async run({ id }, context) {
    const { scope, call } = context;
    // A client of a server for only some projects must not learn which enrollments other projects have.
    if (scope.isLimited) {
      const { enrollments } = await call(listFederationEnrollments, {});
      const found = enrollments.find((enrollment) => enrollment.id === id);
      if (found === undefined || !(await isReached(context, found.project_id)))
        throw new ToolError(`enrollment ${id} is outside this server's scope`);
    }
    return await call(revokeFederationEnrollment, { params: { enrollment_id: id } });
  },
});
