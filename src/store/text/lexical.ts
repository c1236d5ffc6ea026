import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { statement } from "../rows/statement.ts";
import type { SearchHit, SearchQuery } from "../types/issues.ts";
import {
  inProject,
  likeliestCandidates,
  RATED,
  ratedFor,
  titled,
  withAll,
  withRarest,
} from "./candidates.ts";
import { foundTexts, type ScoredIssue } from "./found.ts";
import { hitsOf } from "./hits.ts";
import { type FilterIds, limitedBy } from "./limited.ts";
import { countOf, isRare, type ListedUnit, listed, type Scope } from "./lists.ts";
import type { TextQuery } from "./match.ts";
import type { IndexState } from "./newest.ts";
import { LIKENESS_FACTORS, makeRater, type SearchWord, type Texts } from "./rank.ts";
import { OUTDATED } from "./rewrite.ts";
import { synonymsOf } from "./synonyms.ts";
import { queryOf } from "./units.ts";
import { DELETED_WORD, labelWord, projectWord } from "./words.ts";

/** When fewer issues than this have all words, issues with some of the words are added. */
const ENOUGH_MATCHES = 10;

/** If no issue has all words, a search of at least this many words is treated as a sentence, and synonyms count too. */
const SENTENCE = 4;

/** The kinds of match. Hits of a kind with a higher number come before all hits of a kind with a lower one. */
const TIERS = { words: 3, forms: 2, some: 1, near: 1 } as const;

/**
 * Finds issues in tiers. Issues of the first tier have all words as typed, issues of the second have all words in some
 * form. Issues of the last tier have some of the words, and words that differ by one letter count too if the searched
 * word is rare. Each step reads a bounded part of the index. The texts are compared here and not by the database, so
 * that SQLite and PostgreSQL give the same results.
 */
export async function lexical(
  connection: Connection,
  query: SearchQuery,
): Promise<readonly SearchHit[]> {
  const { typed, isTypedCut, units, isCut } = queryOf(query.text);
  const project = await projectRow.one(connection, { uid: query.project_uid });
  if (typed.length === 0 || project === undefined) return [];
  const { labels, own } = scopesOf(query, project.id);
  const isAlone = project.projects === 1;
  const limit = await limitedBy(connection, query);
  const index = {
    newest: project.newest ?? 0,
    isWhole: project.outdated === 0,
    only: limit?.only,
  };
  const lists = await listed(connection, units, { labels, own, isAlone, index });
  // With several projects, the list of a word may contain issues of other projects, and a word that is rare here may be
  // common elsewhere. So the search is then limited to this project, and no word counts as rare.
  const hasRare = isAlone && lists.some(isRare);
  const scope = isAlone ? labels : own;
  const weighted = lists.map((unit) => ({
    ...unit,
    weight: Math.log(1 + project.issues / (countOf(unit, index.newest) + 0.5)),
  }));
  const around = { query, weighted, scope, index, isAlone, kept: limit?.kept };
  const { full, isTruncated } = await withTyped(connection, isCut ? [] : typed, hasRare, around);
  const hasAll = !isCut && lists.length === units.length;
  const others =
    full.size < ENOUGH_MATCHES ? await withSome(connection, around) : new Set<number>();
  const isSentence = full.size === 0 && lists.length >= SENTENCE;
  const wanted = weighted.map((unit) => wantedOf(unit, isSentence));
  const read = [...full, ...[...others].filter((id) => !full.has(id)).slice(0, RATED)];
  const texts = await foundTexts(connection, read, query);
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  const rated = texts.map(hitRater({ weighted, wanted, full, isTypedCut, hasAll }));
  const isWhole = ({ matched }: ScoredIssue) => matched === "words" || matched === "forms";
  const found = rated.some(isWhole);
  const best = rated
    // When some issues have all words, leave out issues with at most half of the words, by weight.
    .filter(
      (one) => full.has(one.id) || isWhole(one) || (one.has > 0 && (!found || one.has > total / 2)),
    )
    .sort((a, b) => b.score - a.score || (isTruncated ? b.id - a.id : a.id - b.id))
    .slice(0, query.limit);
  return await hitsOf(connection, best, wanted);
}

function scopesOf(
  query: SearchQuery,
  projectId: number,
): { readonly labels: Scope; readonly own: Scope } {
  const scope = query.labels.map(labelWord);
  const outside = [
    ...query.exclude_labels.map(labelWord),
    ...(query.include_deleted ? [] : [DELETED_WORD]),
  ];
  return {
    labels: { scope, outside },
    own: { scope: [projectWord(projectId), ...scope], outside },
  };
}

type WeightedUnit = ListedUnit & { readonly weight: number };

/** The inputs of the search for candidates. */
interface SearchInputs {
  readonly query: SearchQuery;
  readonly weighted: readonly WeightedUnit[];
  readonly scope: Scope;
  readonly index: IndexState;
  readonly isAlone: boolean;
  /** If `undefined`, nothing but labels and the project limits the search. */
  readonly kept: FilterIds | undefined;
}

/**
 * Returns the issues with all words as typed. If there are more than `ratedFor`, prefers the issues with the words in
 * their titles.
 */
async function withTyped(
  connection: Connection,
  typed: readonly TextQuery[],
  hasRare: boolean,
  { query, scope, index, kept }: SearchInputs,
): Promise<{ readonly full: ReadonlySet<number>; readonly isTruncated: boolean }> {
  const found =
    typed.length === 0 ? [] : await withAll(connection, typed, { scope, index, hasRare });
  const fitting = kept === undefined ? found : await kept(found);
  const isTruncated = fitting.length > ratedFor(query);
  const full = isTruncated ? await titled(connection, fitting, typed, query) : fitting;
  return { full: new Set(full), isTruncated };
}

/**
 * Returns issues with some of the words: those with all of the rarest words, and those in the lists of the words with
 * the greatest total weight.
 */
async function withSome(
  connection: Connection,
  { query, weighted, scope, index, isAlone, kept }: SearchInputs,
): Promise<ReadonlySet<number>> {
  const joined = await withRarest(connection, weighted, { scope, index });
  const fitting = kept === undefined ? joined : await kept(joined);
  const ofProject = async (ids: readonly number[]) =>
    await inProject(connection, ids, query.project_uid);
  const own = kept ?? (isAlone ? undefined : ofProject);
  return new Set([...fitting, ...(await likeliestCandidates(weighted, own))]);
}

interface RatedIssue extends ScoredIssue {
  /** The sum of the weights of the search's words that the issue has. */
  readonly has: number;
}

interface Rating {
  readonly weighted: readonly WeightedUnit[];
  readonly wanted: readonly SearchWord[];
  /** The issues that have all words as typed. */
  readonly full: ReadonlySet<number>;
  readonly isTypedCut: boolean;
  readonly hasAll: boolean;
}

/** Returns the function that gives a text its tier, and its score within all tiers. */
function hitRater({ weighted, wanted, full, isTypedCut, hasAll }: Rating) {
  const rate = makeRater(wanted);
  const sets = weighted.map((unit) => new Set(unit.ids));
  return (text: Texts & { readonly id: number }): RatedIssue => {
    const { score, likeness, places } = rate(text);
    const isTyped = full.has(text.id) && (!isTypedCut || likeness.every((like) => like === 1));
    // Only the beginning of a long text was compared, but the index lists cover the whole text.
    const isListed = hasAll && sets.length > 0 && sets.every((set) => set.has(text.id));
    const matched = isTyped ? "words" : isListed ? "forms" : tierOf(likeness, hasAll);
    const has = weighted.reduce(
      (sum, { weight }, at) =>
        sum + ((likeness[at] ?? 0) > 0 || sets[at]?.has(text.id) === true ? weight : 0),
      0,
    );
    const characters = text.body.length + text.comments.length;
    return { id: text.id, matched, score: TIERS[matched] + 0.99 * score, places, characters, has };
  };
}

const projectRow = statement((db, p: { uid: string }) =>
  db
    .selectFrom("project")
    .select(["id", sql<number>`open_issues + closed_issues`.as("issues")])
    .select(({ selectFrom }) =>
      selectFrom("project as p")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .as("projects"),
    )
    .select(({ selectFrom }) =>
      selectFrom("issue")
        .select(({ fn }) => fn.max("id").as("id"))
        .as("newest"),
    )
    .select(({ selectFrom }) =>
      selectFrom("meta")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("key", "=", OUTDATED)
        .as("outdated"),
    )
    .where("uid", "=", p.uid),
);

function wantedOf({ unit, weight, like, near }: WeightedUnit, isSentence: boolean): SearchWord {
  const words = new Map<string, number>();
  if (isSentence)
    for (const word of synonymsOf(unit.text)) words.set(word, LIKENESS_FACTORS.synonym);
  for (const word of near) words.set(word, LIKENESS_FACTORS.near);
  for (const word of like) words.set(word, LIKENESS_FACTORS.form);
  words.set(unit.text, LIKENESS_FACTORS.typed);
  return unit.isGram
    ? { weight, gram: unit.text, words: new Map() }
    : { weight, gram: undefined, words };
}

/**
 * Returns the tier of a text that does not have all words as typed.
 * - `forms`: the text has all words in some form.
 * - `near`: one or more words match only with one letter changed. The other words all match, or none of them does.
 * - `some`: anything else.
 */
function tierOf(likeness: readonly number[], mayHaveAll: boolean): "forms" | "some" | "near" {
  const isNear = (like: number) =>
    like === LIKENESS_FACTORS.near || like === LIKENESS_FACTORS.near * LIKENESS_FACTORS.form;
  if (mayHaveAll && likeness.length > 0 && likeness.every((like) => like > LIKENESS_FACTORS.near))
    return "forms";
  if (!likeness.some(isNear)) return "some";
  return likeness.every((like) => like > 0) || likeness.every((like) => like === 0 || isNear(like))
    ? "near"
    : "some";
}
