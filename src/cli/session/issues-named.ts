import { call } from "../../client/call.ts";
import { invalid } from "../../contract/errors.ts";
import { showIssue } from "../../contract/issues.ts";
import { MAX_EVENT_FILTER_VALUES } from "../../contract/limits.ts";
import type { Session } from "./session.ts";

/** Resolves refs to uids; each uid maps to the first ref that named it. */
export async function issuesNamed(
  session: Session,
  refs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (refs.length > MAX_EVENT_FILTER_VALUES)
    throw invalid(`at most ${MAX_EVENT_FILTER_VALUES} issues can be followed at once`);
  const named = new Map<string, string>();
  for (const ref of refs) {
    const params = await session.target(ref);
    const query = { include_deleted: true };
    const { issue } = await call(await session.client(), showIssue, { params, query });
    if (!named.has(issue.uid)) named.set(issue.uid, ref);
  }
  return named;
}
