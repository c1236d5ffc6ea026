import type { listIssues as contract } from "../../contract/issues.ts";
import type { StreamOp } from "../deps.ts";
import { requireProject } from "../find.ts";
import { issuesOut } from "../out/issues.ts";
import { listPast } from "../past/list.ts";
import { issueFilter } from "./filter.ts";
import { listPage, refusePageOfPast } from "./page.ts";

export const listIssues: StreamOp<typeof contract> = async (deps, _who, { params, query }) => {
  const filter = issueFilter(query);
  const { at, after } = query;
  refusePageOfPast(query);
  if (at !== undefined)
    return await listPast(deps, at, async (reader) => {
      const project = await requireProject(reader, params.project_id);
      return { filter: { ...filter, project_uid: project.uid }, order: "recent" };
    });
  return await deps.store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const ofProject = { ...filter, project_uid: project.uid };
    const list = { filter: ofProject, order: "recent" } as const;
    return await listPage(deps, reader, list, after, async (issues) => issuesOut(reader, issues));
  });
};
