import { z } from "zod";
import { listRecurrences, showRecurrence } from "../../../contract/recurrences.ts";
import { roomFor } from "../../budget.ts";
import * as inputs from "../../inputs.ts";
import { cut, ProjectIdentity } from "../../objects.ts";
import { foreignCursor, pageOf } from "../../paging.ts";
import { READS, tool } from "../../tool.ts";
import { ALONE, Recurrence, recurrenceOf, SHORT } from "./recurrence-output.ts";

export const recurrences = tool({
  name: "svc.recurrences",
  title: "List series of issues",
  description:
    "The series of a project: rules by which issues are created again and again. Newest first; long texts are cut; with uid one series, with more of its texts.",
  annotations: READS,
  input: z.strictObject({
    project: inputs.ownProject,
    uid: inputs.uid.optional().describe("only this series"),
    limit: inputs.limit,
    cursor: inputs.cursor,
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    recurrences: z.array(Recurrence),
    ...cut,
  }),
  async run({ project: name, uid, limit, cursor }, { scope, call }) {
    const project = await scope.project(name);
    const params = { project_id: project.id };
    if (uid !== undefined) {
      const request = { params: { ...params, recurrence_uid: uid } };
      const { recurrence } = await call(showRecurrence, request);
      return { project, recurrences: [recurrenceOf(recurrence, ALONE)], truncated: false };
    }
    const all = (await call(listRecurrences, { params })).recurrences;
    const last = cursor === undefined ? -1 : all.findIndex((row) => row.uid === cursor);
    if (cursor !== undefined && last === -1) throw foreignCursor();
    const rest = all.slice(last + 1).map((row) => recurrenceOf(row, SHORT));
    const page = pageOf(rest, roomFor(limit, project), (row) => row.uid);
    return { project, recurrences: [...page.rows], ...page.cut };
  },
});
