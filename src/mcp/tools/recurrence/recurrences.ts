import { z } from "zod";
import { listRecurrences, showRecurrence } from "../../../contract/recurrences.ts";
import { firstRows, roomFor } from "../../budget.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { tool } from "../../tool.ts";
import { Recurrence, recurrenceOf } from "./recurrence-output.ts";

export const recurrences = tool({
  name: "svc.recurrences",
  title: "List series of issues",
  description: "The series of a project, newest first, or one of them.",
  hints: "+-+-",
  input: z.strictObject({
    project: inputs.project.optional(),
    uid: inputs.uid.optional().describe("only this series"),
    limit: inputs.limit,
    after_uid: inputs.uid.optional().describe("series after this one of the page before"),
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    recurrences: z.array(Recurrence),
    truncated: z.boolean(),
  }),
  async run({ project: name, uid, limit, after_uid }, { scope, call }) {
    const project = await scope.project(name);
    const params = { project_id: project.id };
    if (uid !== undefined) {
      const asked = { params: { ...params, recurrence_uid: uid } };
      const { recurrence } = await call(showRecurrence, asked);
      return { project, recurrences: [recurrenceOf(recurrence)], truncated: false };
    }
    const all = (await call(listRecurrences, { params })).recurrences;
    const before = after_uid === undefined ? -1 : all.findIndex((row) => row.uid === after_uid);
    if (after_uid !== undefined && before === -1)
      throw new ToolError("invalid arguments: after_uid: the project has no such series");
    const rest = all.slice(before + 1).map(recurrenceOf);
    const rows = firstRows(rest, roomFor(limit, project));
    return { project, recurrences: [...rows], truncated: rows.length < rest.length };
  },
});
