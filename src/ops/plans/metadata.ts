import type { JsonObject } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import { checkNewMetadata } from "../../domain/metadata.ts";
import { fault, type PlanFault } from "../../domain/plan.ts";

interface Dated {
  readonly name: string;
  readonly metadata?: JsonObject | undefined;
  readonly scheduled_on?: string | undefined;
  readonly deadline_on?: string | undefined;
}

/** Returns the metadata of each issue with its planning dates, and all faults in it. */
export function metadataOfPlan(issues: readonly Dated[]) {
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

function datesOf({ scheduled_on, deadline_on }: Dated): JsonObject {
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
