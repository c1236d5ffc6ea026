import type { JsonObject } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import { checkNewMetadata } from "../../domain/metadata.ts";
import { fault, type PlanFault, type PlannedIssue } from "../../domain/plan.ts";

export function metadataOfPlan(issues: readonly PlannedIssue[]) {
  const faults: PlanFault[] = [];
  const byName = new Map<string, JsonObject>();
  issues.forEach((issue, at) => {
    const dates = datesOf(issue);
    const twice = Object.keys(dates).filter((key) => Object.hasOwn(issue.metadata ?? {}, key));
    for (const key of twice)
      faults.push(fault(`issues[${at}].${key}`, `${key} stands in metadata too`));
    const metadata = { ...issue.metadata, ...dates };
    byName.set(issue.name, metadata);
    const wrong = wrongIn(metadata);
    if (wrong !== undefined)
      faults.push(fault(`issues[${at}].metadata`, wrong.message, wrong.code));
  });
  return { faults, byName };
}

function datesOf({ scheduled_on, deadline_on }: PlannedIssue): JsonObject {
  return {
    ...(scheduled_on === undefined ? {} : { scheduled_on }),
    ...(deadline_on === undefined ? {} : { deadline_on }),
  };
}

function wrongIn(metadata: JsonObject): SvcError | undefined {
  try {
    checkNewMetadata(metadata);
    return undefined;
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
}
