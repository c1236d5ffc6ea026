import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { CallInput } from "../client/call.ts";
import type { applyPlan } from "../contract/plans.ts";
import { invalid } from "./failure.ts";
import type { Surroundings } from "./surroundings.ts";

type Plan = CallInput<typeof applyPlan>["body"];

/** A plan as its file has it: an object, or the bare list of its issues. The daemon checks what is in it. */
export function readPlan(path: string, { cwd, readStdin }: Surroundings): Plan {
  const text = path === "-" ? readStdin() : fileText(resolve(cwd, path), path);
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch (error) {
    throw invalid(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (Array.isArray(plan)) return { issues: plan };
  if (typeof plan === "object" && plan !== null) return plan as Plan;
  throw invalid(`${path} holds no plan: an object with "issues" is expected`);
}

function fileText(path: string, shown: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? `: ${String(error.code)}` : "";
    throw invalid(`cannot read ${shown}${reason}`);
  }
}
