import { boardRows } from "./board.ts";
import type { State } from "./state.ts";

/** Values, the most used first. */
export function byUse(values: Iterable<string>): readonly string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value);
}

export const labelsOf = ({ issues }: State): readonly string[] =>
  byUse([...issues.values()].flatMap(({ labels }) => labels));

export const ownersOf = ({ issues }: State): readonly string[] =>
  byUse([...issues.values()].flatMap(({ owner }) => owner ?? []));

export const refsOf = (state: State): readonly string[] =>
  boardRows({ ...state, board: { ...state.board, query: "status:all", view: "flat" } }).map(
    ({ issue }) => `${issue.qualified_id}  ${issue.title}`,
  );

/** What a word of the filter may become. */
export const filterWords = (state: State): readonly string[] => [
  ...["open", "ready", "blocked", "closed", "all"].map((status) => `status:${status}`),
  "owner:none",
  ...ownersOf(state).map((owner) => `owner:${owner}`),
  ...labelsOf(state).flatMap((label) => [`label:${label}`, `-label:${label}`]),
  "p<=1",
];
