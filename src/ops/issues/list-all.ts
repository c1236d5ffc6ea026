import type { listAllIssues as contract } from "../../contract/issues.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Reader } from "../../store/types.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import { requireProject } from "../find.ts";
import { globalIssuesOut } from "../out/issues.ts";
import { listPastOfAll } from "../past/list.ts";
import type { Streamed } from "../streamed-rows.ts";
import { issueFilter } from "./filter.ts";
import { listPage, refusePageOfPast } from "./page.ts";

/** The issues of all active projects, newest first. */
export async function listAllIssues(
  deps: ReadDeps,
  _who: Principal,
  { query }: Input<typeof contract>,
): Promise<Streamed<Output<typeof contract>>> {
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
}
