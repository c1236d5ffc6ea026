import type { listAllIssues as contract } from "../../contract/issues.ts";
import type { Reader } from "../../store/types.ts";
import type { StreamOp } from "../deps.ts";
import { requireProject } from "../find.ts";
import { globalIssuesOut } from "../out/issues.ts";
import { listPastOfAll } from "../past/list.ts";
import { issueFilter } from "./filter.ts";
import { listPage, refusePageOfPast } from "./page.ts";

export const listAllIssues: StreamOp<typeof contract> = async (deps, _who, { query }) => {
  const { project_id, at, after, ...asked } = query;
  refusePageOfPast(query);
  const filter = issueFilter(asked);
  const onlyOf = async (reader: Reader) =>
    project_id === undefined ? {} : { project_uid: (await requireProject(reader, project_id)).uid };
  if (at !== undefined)
    return await listPastOfAll(deps, at, async (reader) => {
      return { filter: { ...filter, ...(await onlyOf(reader)) }, order: "created" };
    });
  return await deps.store.read(async (reader) => {
    const wanted = { ...filter, ...(await onlyOf(reader)) };
    const list = { filter: wanted, order: "created" } as const;
    return await listPage(deps, reader, list, after, async (issues) =>
      globalIssuesOut(reader, issues),
    );
  });
};
