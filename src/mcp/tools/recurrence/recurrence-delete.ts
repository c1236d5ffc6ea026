import { z } from "zod";
import { deleteRecurrence } from "../../../contract/recurrences.ts";
import { ifMatch } from "../../../shared/revision.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";

export const recurrenceDelete = tool({
  name: "svc.recurrence_delete",
  title: "Delete a series",
  description: "Deletes a series; its issues stay.",
  annotations: CHANGES,
  input: z.strictObject({
    project: inputs.ownProject,
    uid: inputs.uid.describe("which series"),
    revision: z.int().min(1).describe("refuse unless this is its revision"),
  }),
  output: z.strictObject({ project: ProjectIdentity, uid: z.string(), deleted: z.boolean() }),
  async run({ project: name, uid, revision }, { scope, call, actor }) {
    const project = await scope.project(name);
    await call(deleteRecurrence, {
      params: { project_id: project.id, recurrence_uid: uid },
      headers: ifMatch(revision),
      query: { actor },
    });
    return { project, uid, deleted: true };
  },
});
