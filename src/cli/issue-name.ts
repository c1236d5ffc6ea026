import { call } from "../client/call.ts";
import { showIssue } from "../contract/issues.ts";
import type { Output } from "../contract/route.ts";
import type { IssuePlace } from "../shared/ref.ts";
import type { Session } from "./session.ts";

type Shown = Output<typeof showIssue>["issue"];

/** The issue itself, deleted or not, for a command that needs to know it before it acts. */
export async function readIssue(
  session: Session,
  params: IssuePlace,
  deleted = false,
): Promise<Shown> {
  const query = deleted ? { include_deleted: true } : {};
  return (await call(await session.client(), showIssue, { params, query })).issue;
}
