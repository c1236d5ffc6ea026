import { DATED_VIEWS } from "../../domain/planning-days.ts";
import type { State } from "../state.ts";
import type { Issues } from "./issues.ts";
import { oldIdsOf } from "./old-ids.ts";
import { OWNER_NONE, RELATIONS, STATUSES } from "./query.ts";

export function byUse(values: Iterable<string>): readonly string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value);
}

/**
 * Returns a function that computes a list from the issues. The list is kept until the issues change, because it is
 * needed at each key press.
 */
function ofIssues(make: (issues: Issues) => readonly string[]) {
  const find = ({ issues }: Pick<State, "issues">): readonly string[] => make(issues);
  return ({ issues, memo }: Pick<State, "issues" | "memo">): readonly string[] =>
    memo.last(find, { issues });
}

export const labelsOf = ofIssues((issues) =>
  byUse([...issues.values()].flatMap(({ labels }) => labels)),
);

export const ownersOf = ofIssues((issues) =>
  byUse([...issues.values()].flatMap(({ owner }) => owner ?? [])),
);

/**
 * The names that are offered as owner: the owners of all loaded issues, and the person at the screen, who may own
 * nothing yet.
 */
export const ownerNames = (state: State): readonly string[] => [
  ...new Set([...ownersOf(state), state.session.actor]),
];

export const authorsOf = ofIssues((issues) =>
  byUse([...issues.values()].map(({ author }) => author)),
);

/** The people to whom an attention request can be sent: owners first, then authors, then other actors. */
export const peopleOf = (state: State): readonly string[] => {
  const others = state.screens.flatMap(({ people }) => people?.(state) ?? []);
  return [...new Set([...ownersOf(state), ...authorsOf(state), ...others])];
};

/** Every issue as `id  title`, followed by its ids in other trackers. The last changed issue comes first. */
export const refsOf = ofIssues((issues) =>
  [...issues.values()]
    .sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1))
    .map((issue) => [issue.qualified_id, issue.title, ...oldIdsOf(issue)].join("  ")),
);

export const projectNames = ({ scope: { projects } }: Pick<State, "scope">): readonly string[] =>
  projects.map(({ name }) => name);

export const wantedOwners = (state: State): readonly string[] => [OWNER_NONE, ...ownersOf(state)];
export const levelsOf = (): readonly string[] => [
  ...["0", "1", "2", "3", "4"],
  ...["<=1", "<=2", ">=2", ">=3"],
];

/** The completions that are offered for a word of the filter. */
export const filterWords = (state: State): readonly string[] => [
  ...STATUSES.map((status) => `status:${status}`),
  ...DATED_VIEWS.map((date) => `date:${date}`),
  ...RELATIONS.map((relation) => `rel:${relation}`),
  `owner:${OWNER_NONE}`,
  ...ownersOf(state).map((owner) => `owner:${owner}`),
  ...labelsOf(state).flatMap((label) => [`label:${label}`, `-label:${label}`]),
  "p<=1",
];
