import type { JsonObject } from "../../base/json.ts";

/** The number of steps of a workflow. */
export function stepCount({ steps }: JsonObject): number {
  return Array.isArray(steps) ? steps.length : 0;
}

export function wordOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return value.map(wordOf).join(", ");
  return Object.entries(value)
    .map(([name, part]) => `${name} ${wordOf(part)}`)
    .join("   ");
}
