import { sha256Hex } from "../base/hash.ts";
import { readyIssues } from "../contract/search.ts";
import { takeRank } from "../contract/take-order.ts";
import type { NamedIssue } from "./scope.ts";
import type { ToolContext } from "./tool.ts";

/** The number of issues from which one is chosen. */
const MAX_CHOICES = 20;

/**
 * Returns the ref of an issue of the same project that nobody owns or leases, or `undefined` if there is none. It is
 * chosen among the issues with the highest priority. The choice depends on the actor and on the issue that the actor
 * could not claim, so that agents that ask at the same moment get different issues.
 */
export async function freeIssue(
  { project, params }: NamedIssue,
  { scope, call, actor }: Pick<ToolContext, "scope" | "call" | "actor">,
): Promise<string | undefined> {
  const query = {
    order: "take" as const,
    takeable_by: actor,
    unowned: true,
    limit: MAX_CHOICES,
    fields: "short_id,qualified_id,priority",
  };
  const { issues } = await call(readyIssues, { params: { project_id: project.id }, query });
  const [first] = issues;
  if (first === undefined) return undefined;
  const best = issues.filter((issue) => takeRank(issue) === takeRank(first));
  const chosen = best[numberOf(`${actor} ${params.ref}`) % best.length];
  return scope.isBound ? chosen?.short_id : chosen?.qualified_id;
}

/** A number below 2^32 that depends only on the text and is evenly distributed. */
function numberOf(text: string): number {
  return Number.parseInt(sha256Hex(text).slice(0, 8), 16);
}
