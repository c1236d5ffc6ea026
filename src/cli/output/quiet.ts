import { projectOf } from "../../shared/ref.ts";
import { oneLine } from "../../shared/text.ts";
import type { NamedIssue } from "./output.ts";

/**
 * Yields what `--quiet` prints for people: a ref for each issue, in a form that other commands accept. The ref includes
 * the project if the issue is not in the project of the command.
 */
export function* quietRefs(
  named: Iterable<NamedIssue>,
  project: string | undefined,
): Generator<string, void, void> {
  const seen = new Set<string>();
  for (const one of named) {
    const ref = oneLine(refIn(one, project));
    if (seen.has(ref)) continue;
    seen.add(ref);
    yield ref;
  }
}

export function refIn(named: NamedIssue, project: string | undefined): string {
  if (typeof named === "string") return named;
  return projectOf(named.qualified_id) === project ? named.short_id : named.qualified_id;
}
