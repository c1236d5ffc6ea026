import type { Issue } from "./issues.ts";

/**
 * The ids that the issue had in other trackers. An import keeps them in the metadata `<tracker>.id` or `github.number`.
 */
export function oldIdsOf({ metadata }: Pick<Issue, "metadata">): readonly string[] {
  return Object.entries(metadata).flatMap(([key, value]) => {
    if (key === "github.number" && typeof value === "number") return [`gh-${value}`, `#${value}`];
    return key.endsWith(".id") && typeof value === "string" ? [value] : [];
  });
}
