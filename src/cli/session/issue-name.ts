import { call } from "../../client/call.ts";
import { showIssue } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import type { IssuePlace } from "../../shared/ref.ts";
import type { Session } from "./session.ts";

type ShownIssue = Output<typeof showIssue>["issue"];

/** Reads an issue before the command acts on it; with `deleted`, a deleted issue is found too. */
export async function readIssue(
  session: Session,
  params: IssuePlace,
  deleted = false,
): Promise<ShownIssue> {
  const query = deleted ? { include_deleted: true } : {};
  return (await call(await session.client(), showIssue, { params, query })).issue;
}
