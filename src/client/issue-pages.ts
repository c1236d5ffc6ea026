import { listAllIssues, listIssues } from "../contract/issues.ts";
import type { Output } from "../contract/route.ts";
import { parseAnswer, refusalOf, requestOf } from "./call.ts";
import type { Client, Outgoing } from "./client.ts";

/** Enough for the first picture of a screen of any size. */
export const FIRST_ISSUES = 200;

export function firstPage(project_id: number | undefined): Outgoing {
  return requestOfPage({ project_id, after: "", limit: FIRST_ISSUES });
}

/** Issues of one project or of all, `limit` of them behind a place; without one it is a list as ever, and no page. */
export interface PageOf {
  readonly project_id: number | undefined;
  readonly after?: string;
  readonly limit: number;
}

export type IssuePage = Output<typeof listAllIssues> | Output<typeof listIssues>;

export async function issuePage(client: Client, page: PageOf): Promise<IssuePage> {
  const { status, body } = await client.send(requestOfPage(page));
  if (status !== 200) throw refusalOf(status, body);
  return parseAnswer<typeof listIssues>(body);
}

function requestOfPage({ project_id, ...query }: PageOf): Outgoing {
  return project_id === undefined
    ? requestOf(listAllIssues, { query })
    : requestOf(listIssues, { params: { project_id }, query });
}
