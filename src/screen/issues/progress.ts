import { minuteOf } from "../minute.ts";
import type { ProjectItem } from "../scope/state.ts";
import type { State } from "../state.ts";
import type { Issue, Standing } from "./issues.ts";
import { inOrder, type Part, standingFor } from "./parts.ts";
import { type RelationInputs, relationsOf } from "./relations.ts";

type Child = Pick<Issue, "uid" | "status" | "blocked">;

/** The standing of a child issue. */
export function standingOfChild(state: RelationInputs, { uid, status, blocked }: Child): Standing {
  const listed = state.issues.get(uid);
  if (listed !== undefined) return relationsOf(state).standingOf(listed);
  return standingFor(status, blocked);
}

/**
 * The parts of the progress bar of a project, or of all projects. Open issues are divided by standing only if all
 * issues of the project are loaded.
 */
export function projectParts(
  state: State,
  { id, open, closed }: Pick<ProjectItem, "open" | "closed"> & Partial<ProjectItem>,
): readonly Part[] {
  const { stage, truncated } = state.loading;
  const { project } = state.scope;
  const isKnown = stage === "done" && !truncated && (project === undefined || project.id === id);
  const known = isKnown ? standingsOf(state, id) : undefined;
  if (known !== undefined) return inOrder(known);
  return inOrder(new Map([["closed", closed] as const, ["open", open] as const]));
}

type Counts = ReadonlyMap<Part["is"], number>;

/** The counts of the project with this id; with the id `undefined`, the counts of all projects. */
function standingsOf(state: State, id: number | undefined): Counts | undefined {
  const { memo, issues, now, preferences } = state;
  return memo.last(countStandings, { memo, issues, now: minuteOf(now), preferences }).get(id);
}

function countStandings(known: RelationInputs): ReadonlyMap<number | undefined, Counts> {
  const relations = relationsOf(known);
  const all = new Map<number | undefined, Map<Part["is"], number>>();
  for (const issue of known.issues.values()) {
    const is = relations.standingOf(issue);
    for (const id of [undefined, issue.project_id]) {
      const counts = all.get(id) ?? new Map<Part["is"], number>();
      all.set(id, counts.set(is, (counts.get(is) ?? 0) + 1));
    }
  }
  return all;
}
