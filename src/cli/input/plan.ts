import { parseJson } from "../../base/json.ts";
import { invalid } from "../../contract/errors.ts";
import type { applyPlan } from "../../contract/plans.ts";
import type { CallInput } from "../../contract/route.ts";
import type { ProcessContext } from "../process-context.ts";
import { jsonOf, readTextFile } from "./file.ts";

type Plan = CallInput<typeof applyPlan>["body"];

/** Reads a plan file: an object, or only the list of its issues. The daemon checks the content. */
export function readPlan(path: string, context: ProcessContext): Plan {
  const plan: unknown = jsonOf(path, readTextFile(path, context), parseJson);
  if (Array.isArray(plan)) return { issues: plan };
  if (typeof plan === "object" && plan !== null) return plan as Plan;
  throw invalid(`${path} holds no plan: an object with "issues" is expected`);
}
