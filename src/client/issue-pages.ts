import { listAllIssues, listIssues } from "../contract/issues.ts";
import { FIRST_ISSUES } from "../shared/first-issues.ts";
import { requestOf } from "./call.ts";
import type { Outgoing } from "./outgoing.ts";

/** The first request of the terminal screen. It can be sent before the code of the screen is loaded. */
export function firstPage(project_id: number | undefined): Outgoing {
  const query = { after: "", limit: FIRST_ISSUES };
  return project_id === undefined
    ? requestOf(listAllIssues, { query })
    : requestOf(listIssues, { params: { project_id }, query });
}
