import type { listAllIssues as contract } from "../../contract/issues.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Deps, Principal } from "../deps.ts";
import { requireProject } from "../find.ts";
import { globalIssuesOut } from "../out/issues.ts";
import { issueFilter } from "./filter.ts";

/** The issues of all active projects, newest first. */
export async function listAllIssues(
  deps: Pick<Deps, "store">,
  _who: Principal,
  { query }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const { project_id, ...asked } = query;
  const filter = issueFilter(asked);
  return await deps.store.read(async (reader) => {
    const only =
      project_id === undefined
        ? {}
        : { project_uid: (await requireProject(reader, project_id)).uid };
    const issues = await reader.issues.list({ ...filter, ...only }, "created");
    return { issues: await globalIssuesOut(reader, issues) };
  });
}
