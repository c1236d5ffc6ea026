import type { Connection } from "../connection.ts";
import { gramMark } from "./marks.ts";
import type { Match, TextQuery } from "./match.ts";
import { type IndexState, newestOf } from "./newest.ts";
import { type Unit, wordOrPart } from "./units.ts";
import { formsOf, nearOf } from "./vocabulary.ts";

/**
 * One word of a search and the issues that have it. Where a comment in this file says "word", it may also be an emoji,
 * or a letter or pair of letters of a script without spaces.
 */
export interface ListedUnit {
  readonly unit: Unit;
  /** Other forms of the word: words with the same stem, and longer words that begin with it. */
  readonly like: readonly string[];
  /**
   * The newest issues that have the word. If there are fewer of them than `LONGEST_LIST`, issues with other forms of
   * the word are included.
   */
  readonly ids: readonly number[];
  /** Known words that differ from this word by one letter. Looked up only if at most `RARE` issues have this word. */
  readonly near: readonly string[];
  readonly nearIds: readonly number[];
}

/** The maximum number of words of a search that are looked up. If there are more, the rarest are used. */
const MOST_UNITS = 10;
/** The maximum number of issues in the list of a word. A word whose list is full is common. */
const LONGEST_LIST = 250;
/** A word that at most this many issues have may be misspelt, so similar words are looked up too. */
const RARE = 2;
/** Similar words are looked up for at most this many words. */
const MOST_NEAR_UNITS = 6;
/** How many of the newest issues with a word are read to estimate how rare it is. */
const COUNTED = 50;

export type Scope = Pick<Match, "scope" | "outside">;

/** The scopes of a search. The index contains the issues of all projects. */
interface ListScope {
  readonly labels: Scope;
  /** The scope `labels`, further limited to the project. */
  readonly own: Scope;
  /** True if the database has only one project. */
  readonly isAlone: boolean;
  readonly index: IndexState;
}

export function isRare({ ids }: Pick<ListedUnit, "ids">): boolean {
  return ids.length < LONGEST_LIST;
}

/**
 * Estimates how many issues have the word. If the list is full, older issues are assumed to have it as often as the
 * listed ones.
 */
export function countOf(unit: ListedUnit, newest: number): number {
  const { ids } = unit;
  if (isRare(unit)) return ids.length;
  return (ids.length * newest) / (newest - (ids.at(-1) ?? 0) + 1);
}

/**
 * Returns the issues that have each word of the search. Reads the issues of all projects first, and then only those of
 * this project if the list is full. So a list that is not full may contain issues of other projects.
 */
export async function listed(
  connection: Connection,
  units: readonly Unit[],
  within: ListScope,
): Promise<readonly ListedUnit[]> {
  const some = await rarestUnits(connection, units, within);
  const words = some.flatMap(({ text, isGram }) => (isGram ? [] : [text]));
  const forms = await formsOf(connection, words);
  const exact = await idsWithin(
    connection,
    some.map((unit) => formsAsked(unit, [])),
    within,
  );
  const lists = some.map((unit, at) => {
    const like = forms.get(unit.text) ?? [];
    return { unit, like, ids: exact[at] ?? [] };
  });
  // Each form costs a lookup, so other forms are looked up only for words that are rare themselves.
  const widened = await eachWithin(
    connection,
    lists.filter((list) => isRare(list) && list.like.length > 0),
    ({ unit, like }) => formsAsked(unit, like),
    within,
  );
  const found = lists.map((list) => ({ ...list, ids: widened.get(list) ?? list.ids }));
  const slips = found
    .filter(({ unit, ids }) => !unit.isGram && ids.length <= RARE)
    .slice(0, MOST_NEAR_UNITS);
  const near = await nearOf(
    connection,
    slips.map(({ unit }) => unit.text),
  );
  const nearWords = ({ unit }: { readonly unit: Unit }) => near.get(unit.text) ?? [];
  const nearIds = await eachWithin(
    connection,
    slips.filter((list) => nearWords(list).length > 0),
    (list) => ({ any: nearWords(list).map(wordOrPart) }),
    within,
  );
  return found.map((list) => ({
    ...list,
    near: slips.includes(list) ? nearWords(list) : [],
    nearIds: nearIds.get(list) ?? [],
  }));
}

/** The condition that an issue has the word, or one of its other forms in `like`. */
export function formsAsked({ text, isGram }: Unit, like: readonly string[]): TextQuery {
  return isGram ? { mark: gramMark(text) } : { any: [text, ...like].map(wordOrPart) };
}

/** Returns the rarest words. Of equally rare words, the longest come first, since long words are usually rare. */
async function rarestUnits(
  connection: Connection,
  units: readonly Unit[],
  { labels, index }: ListScope,
): Promise<readonly Unit[]> {
  if (units.length <= MOST_UNITS) return units;
  const matches = units.map((unit) => ({ query: formsAsked(unit, []), ...labels }));
  const ids = await newestOf(connection, matches, COUNTED, index);
  const rarity = (at: number) => rarityOf(ids[at] ?? [], index.newest);
  return units
    .map((unit, at) => ({ unit, rarity: rarity(at) }))
    .sort((a, b) => b.rarity - a.rarity || b.unit.text.length - a.unit.text.length)
    .slice(0, MOST_UNITS)
    .map(({ unit }) => unit);
}

/** Returns the average distance between the ids of issues with the word. A greater distance means a rarer word. */
function rarityOf(ids: readonly number[], newest: number): number {
  if (ids.length < COUNTED) return newest / (ids.length + 1);
  return (newest - (ids.at(-1) ?? 0)) / ids.length;
}

async function eachWithin<T>(
  connection: Connection,
  all: readonly T[],
  queryOf: (one: T) => TextQuery,
  within: ListScope,
): Promise<ReadonlyMap<T, readonly number[]>> {
  const ids = await idsWithin(connection, all.map(queryOf), within);
  return new Map(all.map((one, at) => [one, ids[at] ?? []]));
}

async function idsWithin(
  connection: Connection,
  queries: readonly TextQuery[],
  { labels, own, isAlone, index }: ListScope,
): Promise<readonly (readonly number[])[]> {
  if (queries.length === 0) return [];
  const newest = async (some: readonly TextQuery[], scope: Scope) =>
    await newestOf(
      connection,
      some.map((one) => ({ query: one, ...scope })),
      LONGEST_LIST,
      index,
    );
  const found = [...(await newest(queries, labels))];
  if (isAlone) return found;
  const full = [...found.keys()].filter((at) => found[at]?.length === LONGEST_LIST);
  const ofOwn = await newest(
    full.flatMap((at) => queries[at] ?? []),
    own,
  );
  for (const [place, at] of full.entries()) found[at] = ofOwn[place] ?? [];
  return found;
}
