import type { z } from "zod";
import { jsonBytes } from "../base/json-bytes.ts";
import { ToolError } from "./failure.ts";
import type { Tool } from "./tool.ts";

/** An answer names at most this many invalid arguments (facts mcp 3.2). */
const NAMED_FAULTS = 3;

/** Returns the arguments, parsed by the tool's schema. Fails with the path of each invalid one (facts mcp 3.2). */
export function readArguments<I extends Tool["input"]>(input: I, sent: unknown = {}): z.output<I> {
  const proto = pathOfProto(sent);
  if (proto !== undefined) throw invalid([faultAt(proto, "__proto__: unknown argument")]);
  const parsed = input.safeParse(sent);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map((issue) => faultAt(issue.path, reasonOf(issue))));
}

/** The bytes of the arguments as JSON. Fails if they are nested too deeply. */
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

interface Step {
  readonly from: Step | undefined;
  readonly name: string;
}

/**
 * Returns the path to an object that has a member named `__proto__`. Such a call must be refused: zod leaves out the
 * member without an error, so the call would do something else than it says.
 */
function pathOfProto(sent: unknown): readonly string[] | undefined {
  const left: (readonly [step: Step | undefined, value: unknown])[] = [[undefined, sent]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [from, value] = next;
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__")) return pathTo(from);
    for (const [name, member] of Object.entries(value)) left.push([{ from, name }, member]);
  }
  return undefined;
}

function pathTo(last: Step | undefined): readonly string[] {
  const path: string[] = [];
  for (let step = last; step !== undefined; step = step.from) path.unshift(step.name);
  return path;
}
