import type { z } from "zod";
import { jsonBytes } from "../base/json-bytes.ts";
import { ToolError } from "./failure.ts";
import { corrected } from "./leniency.ts";
import type { Tool } from "./tool.ts";

/** An answer names at most this many invalid arguments (docs/contract/tools.md#32-text-of-a-failure). */
const NAMED_FAULTS = 3;

/**
 * Returns the arguments, parsed by the tool's schema. Fails with the path of each invalid one
 * (docs/contract/tools.md#32-text-of-a-failure).
 */
export function readArguments<I extends Tool["input"]>(input: I, sent: unknown = {}): z.output<I> {
  const fault = faultInside(sent);
  if (fault !== undefined) throw invalid([fault]);
  const parsed = input.safeParse(sent);
  if (parsed.success) return parsed.data;
  const again = input.safeParse(corrected(input, sent, parsed.error));
  if (again.success) return again.data;
  throw invalid(again.error.issues.map((issue) => faultAt(issue.path, reasonOf(issue))));
}

/** Returns the size of the arguments as JSON, in bytes. Fails if they are nested too deeply. */
export function argumentBytes(sent: unknown): number {
  try {
    return jsonBytes(sent);
  } catch (error) {
    if (error instanceof RangeError) throw invalid(["they are nested too deeply"]);
    throw error;
  }
}

function invalid(faults: readonly string[]): ToolError {
  return new ToolError(`invalid arguments: ${faults.slice(0, NAMED_FAULTS).join("; ")}`);
}

function faultAt(path: readonly PropertyKey[], reason: string): string {
  return path.length === 0 ? reason : `${path.map(String).join(".")}: ${reason}`;
}

function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "unrecognized_keys") return issue.message;
  return `${issue.keys.join(", ")}: unknown argument`;
}

interface PathStep {
  readonly from: PathStep | undefined;
  readonly name: string;
}

/**
 * Returns a fault of the arguments that no schema detects, or `undefined`.
 *
 * - A member named `__proto__`: zod drops it without an error, so the call would not do what its arguments say.
 * - A text with half of a surrogate pair: it cannot be encoded in UTF-8, so it cannot be sent to the daemon.
 */
function faultInside(sent: unknown): string | undefined {
  const left: (readonly [step: PathStep | undefined, value: unknown])[] = [[undefined, sent]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [from, value] = next;
    if (typeof value === "string" && LONE.test(value)) return faultAt(pathTo(from), HALF);
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__"))
      return faultAt(pathTo(from), "__proto__: unknown argument");
    for (const [name, member] of Object.entries(value)) {
      if (LONE.test(name)) return faultAt(pathTo(from), `the name of a member ${HALF}`);
      left.push([{ from, name }, member]);
    }
  }
  return undefined;
}

/** With the flag `u`, a surrogate matches only if it has no other half. */
const LONE = /\p{Surrogate}/u;

const HALF = "has half of a surrogate pair, which is no character";

function pathTo(last: PathStep | undefined): readonly string[] {
  const path: string[] = [];
  for (let step = last; step !== undefined; step = step.from) path.unshift(step.name);
  return path;
}
