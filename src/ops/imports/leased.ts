import { SvcError } from "../../contract/errors.ts";
import { requireWritable } from "../leases/gate.ts";
import type { ImportContext } from "./fields.ts";
import type { KnownIssue } from "./known.ts";
import type { MergePlan } from "./plan-merge.ts";

/**
 * Replaces the plans of leased issues by plans that change nothing, so that the rest of the import goes on. A lease
 * does not protect comments, so a plan that only adds comments stays.
 */
export async function withoutLeased(
  context: ImportContext,
  plans: readonly MergePlan[],
): Promise<readonly MergePlan[]> {
  const gated = plans.filter(
    ({ changes, restores }) =>
      restores || [...changes.keys()].some((field) => !field.startsWith("comment.")),
  );
  await context.tx.preload({ rows: { lease: gated.map(({ known }) => known.issue.uid) } });
  const refused = new Map<MergePlan, string>();
  for (const plan of gated) {
    const why = await leaseRefusal(context, plan.known.issue);
    if (why !== undefined) refused.set(plan, why);
  }
  return plans.map((plan) => {
    const kept = refused.get(plan);
    if (kept === undefined) return plan;
    const { base } = plan.known.imported;
    return { ...plan, restores: false, changes: new Map(), conflicts: [], base, missing: [], kept };
  });
}

/** Why the issue's lease forbids changes by the importing actor; undefined if the lease allows them. */
export async function leaseRefusal(
  { tx, actor, instanceUid }: ImportContext,
  issue: KnownIssue["issue"],
): Promise<string | undefined> {
  try {
    await requireWritable(tx, issue, { actor, instanceUid });
    return undefined;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return error.code === "claim_expired"
      ? "the lease that the importer had on it has expired"
      : "somebody else holds its lease";
  }
}
