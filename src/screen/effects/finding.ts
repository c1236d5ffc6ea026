import { SvcError } from "../../contract/errors.ts";
import type { Transport } from "../../shared/transport.ts";

const MAX_FOUND = 8;

/**
 * The issues that a typed text may mean: first the issue whose id is the text, then those that contain its words. The
 * text is looked up while it is typed, so it is searched by words only: a search by meaning would ask a provider.
 */
export async function findRefs(
  daemon: Transport,
  project_id: number,
  q: string,
): Promise<readonly string[]> {
  const [named, { results }] = await Promise.all([
    issueNamed(daemon, project_id, q),
    daemon.call("searchIssues", {
      params: { project_id },
      query: { q, limit: MAX_FOUND, mode: "lexical" },
    }),
  ]);
  const found = [...named, ...results.map(({ issue }) => issue)];
  return [...new Set(found.map(({ qualified_id, title }) => `${qualified_id}  ${title}`))];
}

async function issueNamed(daemon: Transport, project_id: number, ref: string) {
  // Only a text of letters and digits can be an id, so no other text is looked up.
  if (!/^[0-9A-Za-z]+$/.test(ref)) return [];
  try {
    return [(await daemon.call("showIssue", { params: { project_id, ref } })).issue];
  } catch (error) {
    if (error instanceof SvcError && error.code === "issue_not_found") return [];
    throw error;
  }
}
