import { DATED_VIEWS } from "../../domain/planning-days.ts";
import { authorsOf, labelsOf, levelsOf, ownersOf, projectNames } from "../issues/choices.ts";
import {
  type FieldName,
  OWNER_NONE,
  partsOf,
  partWith,
  RELATIONS,
  STATUSES,
  termOf,
} from "../issues/query.ts";
import { relationsOf } from "../issues/relations.ts";
import type { State } from "../state.ts";

/** A value that can replace the value in a part of the filter, such as `ui` in `label:ui`. */
export interface FilterChoice {
  readonly name: string;
  /** How many open issues have the value or, for `status:`, how many issues; `undefined` if they are not counted. */
  readonly count: number | undefined;
  readonly isOn: boolean;
  /** The whole filter after this value is chosen. */
  readonly query: string;
}

/** A list shows at most this many values. The filter form and the filter line complete all values. */
const MAX_VALUES = 60;

export function hasValues(part: string): boolean {
  const { is } = termOf(part);
  return is !== "word" && is !== "meta";
}

/** The values that a part of the filter can have, the most used ones first. */
export function filterChoices(state: State, part: string): readonly FilterChoice[] {
  return valuesOf(state, part)
    .slice(0, MAX_VALUES)
    .map(({ name, count, part: other }) => ({
      name,
      count,
      isOn: isSame(part, other),
      query: replaced(state.board.query, part, other),
    }));
}

interface Value {
  readonly name: string;
  readonly part: string;
  readonly count?: number;
}

function valuesOf(state: State, part: string): readonly Value[] {
  const { is } = termOf(part);
  const named = (field: FieldName, names: readonly string[]): readonly Value[] =>
    names.map((name) => ({ name, part: partWith(field, name) }));
  switch (is) {
    case "status": {
      const { statuses } = relationsOf(state).counts();
      return named(is, STATUSES).map((value, at) => ({
        ...value,
        count: statuses[STATUSES[at] ?? "all"],
      }));
    }
    case "owner": {
      const counts = new Map(relationsOf(state).counts().owners);
      return named(is, [OWNER_NONE, ...ownersOf(state)]).map((value) => ({
        ...value,
        name: value.name === OWNER_NONE ? "nobody" : value.name,
        count: counts.get(value.name === OWNER_NONE ? "(none)" : value.name) ?? 0,
      }));
    }
    case "label":
    case "-label": {
      const counts = new Map(relationsOf(state).counts().labels);
      return named(is, labelsOf(state)).map((value) => ({
        ...value,
        count: counts.get(value.name) ?? 0,
      }));
    }
    case "author":
      return named(is, authorsOf(state));
    case "project":
      return named(is, projectNames(state));
    case "rel":
      return named(is, RELATIONS);
    case "date":
      return named(is, DATED_VIEWS);
    case "priority":
      return levelsOf().map((level) => ({
        name: levelName(level),
        part: /^\d/.test(level) ? `p:${level}` : `p${level}`,
      }));
    case "meta":
    case "word":
      return [];
  }
}

/** Describes the priority in a filter: `P1` for `1`, `P1 and more urgent` for `<=1`. */
function levelName(level: string): string {
  const [, sign, digit] = /^([<>]=)(.)$/.exec(level) ?? [];
  if (sign === undefined) return `P${level}`;
  return `P${digit} and ${sign === "<=" ? "more" : "less"} urgent`;
}

function replaced(query: string, part: string, by: string): string {
  const parts = partsOf(query).map((other) => (other === part ? by : other));
  return [...new Set(parts)].join(" ");
}

function isSame(part: string, other: string): boolean {
  return JSON.stringify(termOf(part.toLowerCase())) === JSON.stringify(termOf(other.toLowerCase()));
}
