import { graphemes } from "../../base/graphemes.ts";
import type { Effect } from "../effect.ts";
import type { Field } from "../field.ts";
import { peopleOf } from "../issues/choices.ts";
import type { Issue } from "../issues/issues.ts";
import { namedIssue } from "../issues/names.ts";
import type { State } from "../state.ts";
import { wordOf } from "./completion.ts";
import type { FormDialog, TypedWord } from "./dialog.ts";

const MAX_CHOICES = 8;
/** The maximum length of a ref in characters. */
const MAX_WORD = 100;

export function wordChoices({ word }: FormDialog): readonly string[] {
  return word?.choices ?? [];
}

/**
 * The choices for the word before the cursor. After `#` or `project#` they are issues, by id or by a word of the title.
 * After `@` they are people. A word without a sign finds the issues whose id begins with it.
 */
export function typedWord(
  state: State,
  { word: before }: FormDialog,
  value: Field,
  near: number | undefined,
): TypedWord | undefined {
  const typed = wordAt(value);
  if (typed === undefined) return undefined;
  const { text } = typed;
  // A list that was closed with escape stays closed until another word begins.
  if (before?.closed === true && (text.startsWith(before.text) || before.text.startsWith(text)))
    return { text, choices: [], closed: true };
  const choices = typed.sign === "@" ? people(state, typed.part) : issues(state, typed, near);
  const isDone = choices.length === 1 && wordOf(choices[0] ?? "") === text;
  return { text, choices: isDone ? [] : choices };
}

/** If no loaded issue matches a ref in a text, asks the daemon: in the project that the ref names, else in `near`. */
export function findWord(
  state: State,
  value: Field,
  word: TypedWord | undefined,
  near: number | undefined,
): readonly Effect[] {
  const typed = wordAt(value);
  if (word === undefined || word.closed === true || word.choices.length > 0) return [];
  if (typed?.sign !== "#" || !/^[\p{L}\p{N}]{2,}$/u.test(typed.part)) return [];
  const named = state.scope.projects.find(({ name }) => name === typed.project)?.id;
  const project_id = typed.project === "" ? near : named;
  if (project_id === undefined || namedIssue(state, word.text) !== undefined) return [];
  return [{ effect: "complete", text: word.text, project_id, q: typed.part }];
}

/** The text after the choice has replaced the word before the cursor. */
export function withChoice({ text, at }: Field, word: TypedWord, choice: string): Field {
  const all = graphemes(text);
  const taken = wordOf(choice);
  const start = all.slice(0, at - graphemes(word.text).length).join("") + taken;
  return { text: start + all.slice(at).join(""), at: graphemes(start).length };
}

/**
 * Whether the open list handles the key. Before the down key has entered the list, enter makes a new line, and tab
 * takes the first choice only if the word has a `#` or `@`.
 */
export function isForWord(dialog: FormDialog, key: string): boolean {
  const { word, choose } = dialog;
  if (word === undefined || word.choices.length === 0) return false;
  if (key === "esc" || key === "down") return true;
  if (key === "tab") return choose !== undefined || /[#@]/.test(word.text);
  return choose !== undefined && (key === "up" || key === "enter");
}

interface Meant {
  readonly text: string;
  readonly sign: "#" | "@" | undefined;
  readonly project: string;
  readonly part: string;
}

const START = String.raw`(?:^|[\s([{"'>,;:])`;
const PERSON = new RegExp(`${START}(@([^\\s@,;()]*))$`, "u");
const REF = new RegExp(`${START}(([^\\s#([{"'>,;:]*)#([^\\s#]*))$`, "u");
const BARE = new RegExp(`${START}([0-9a-z]{2,25})$`, "iu");

function wordAt({ text, at }: Field): Meant | undefined {
  const before = graphemes(text)
    .slice(Math.max(0, at - MAX_WORD), at)
    .join("");
  const [, person, name = ""] = PERSON.exec(before) ?? [];
  if (person !== undefined) return { text: person, sign: "@", project: "", part: name };
  const [, ref, project = "", part = ""] = REF.exec(before) ?? [];
  if (ref !== undefined) return { text: ref, sign: "#", project, part };
  const [, bare] = BARE.exec(before) ?? [];
  // No id has digits only (docs/contract/http-api.md#45-refs-and-ids).
  if (bare === undefined || /^[0-9]+$/.test(bare)) return undefined;
  return { text: bare, sign: undefined, project: "", part: bare };
}

function people(state: State, part: string): readonly string[] {
  const wanted = part.toLowerCase();
  const names = [...new Set([...peopleOf(state), state.session.actor])];
  const begin = names.filter((name) => name.toLowerCase().startsWith(wanted));
  const contain = names.filter((name) => name.toLowerCase().indexOf(wanted) > 0);
  return [...begin, ...contain].slice(0, MAX_CHOICES).map((name) => `@${name}`);
}

interface Ranked {
  readonly issue: Issue;
  readonly rank: number;
}

/**
 * The issues that the word may mean, the best match first. They are found in one pass and without sorting, because this
 * runs at each typed character, also with 10,000 issues.
 */
function issues(
  { issues: all }: State,
  { sign, project, part }: Meant,
  near: number | undefined,
): readonly string[] {
  const wanted = part.toLowerCase();
  const best: Ranked[] = [];
  for (const issue of all.values()) {
    if (project !== "" && issue.project_name !== project) continue;
    const match = sign === undefined ? bareRank(issue, wanted) : rankOf(issue, wanted);
    if (match === undefined) continue;
    const one = { issue, rank: match + (issue.project_id === near ? 0 : 1) };
    const place = best.findIndex((other) => isBefore(one, other));
    if (place !== -1) best.splice(place, 0, one);
    else if (best.length < MAX_CHOICES) best.push(one);
    if (best.length > MAX_CHOICES) best.pop();
  }
  return best.map(({ issue: { qualified_id, title } }) => `${qualified_id}  ${title}`);
}

function isBefore(one: Ranked, other: Ranked): boolean {
  if (one.rank !== other.rank) return one.rank < other.rank;
  return one.issue.updated_at > other.issue.updated_at;
}

/** A word without a digit is rarely an id, so it matches only a whole id. */
function bareRank({ short_id }: Issue, wanted: string): number | undefined {
  const fits = /[0-9]/.test(wanted) ? short_id.startsWith(wanted) : short_id === wanted;
  return fits ? 0 : undefined;
}

function rankOf({ short_id, title }: Issue, wanted: string): number | undefined {
  if (short_id.startsWith(wanted)) return 0;
  const lower = title.toLowerCase();
  return lower.startsWith(wanted) || lower.includes(` ${wanted}`) ? 2 : undefined;
}
