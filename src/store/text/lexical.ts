import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { statement } from "../statement.ts";
import type { SearchHit, SearchQuery } from "../types/issues.ts";
import { inProject, likeliest, RATED, titled, withAll, withRarest } from "./candidates.ts";
import { type Found, foundTexts } from "./found.ts";
import { hitsOf } from "./hits.ts";
import { limitedBy } from "./limited.ts";
import { countOf, isRare, type ListedUnit, listed, type Scope } from "./lists.ts";
import { LIKE, rater, type Wanted } from "./rank.ts";
import { OUTDATED } from "./rewrite.ts";
import { synonymsOf } from "./synonyms.ts";
import { queryOf } from "./units.ts";
import { DELETED_WORD, labelWord, projectWord } from "./words.ts";

/** When fewer issues than this have all words, issues with some of the words are added. */
const ENOUGH = 10;

/**
 * When no issue has all words, a search of at least this many words is treated as a sentence, and synonyms count too.
 */
const SENTENCE = 4;

/** The kinds of match. Hits of a kind with a higher number come before all hits of a kind with a lower one. */
const TIERS = { words: 3, forms: 2, some: 1, near: 1 } as const;

/**
 * Finds issues in tiers. Issues of the first tier have all words as typed, issues of the second have all words in some
 * form. Issues of the last tier have some of the words; for a word that hardly any issue has, words that differ by one
 * letter count too. Each step reads a bounded part of the index. The texts are compared here and not by the database,
 * so that SQLite and PostgreSQL give the same results.
 */
export async function lexical(
  connection: Connection,
  query: SearchQuery,
): Promise<readonly SearchHit[]> {
  const { typed, isTypedCut, units, isCut } = queryOf(query.text);
  const project = await projectRow.one(connection, { uid: query.project_uid });
  if (typed.length === 0 || project === undefined) return [];
  const labels: Scope = {
    scope: query.labels.map(labelWord),
    outside: [
      ...query.exclude_labels.map(labelWord),
      ...(query.include_deleted ? [] : [DELETED_WORD]),
    ],
  };
  const own: Scope = {
    ...labels,
    scope: [projectWord(project.id), ...query.labels.map(labelWord)],
  };
  const isAlone = project.projects === 1;
  const limit = await limitedBy(connection, query);
  const index = {
    newest: project.newest ?? 0,
    isWhole: project.outdated === 0,
    only: limit?.only,
  };
  const lists = await listed(connection, units, { labels, own, isAlone, index });
  // A list of the issues that have a word may contain issues of other projects, and a word that is rare here may be
  // common elsewhere. So with several projects the search is limited to this one, and no word counts as rare.
  const hasRare = isAlone && lists.some(isRare);
  const scope = isAlone ? labels : own;
  const weighted = lists.map((unit) => ({
    ...unit,
    weight: Math.log(1 + project.issues / (countOf(unit, index.newest) + 0.5)),
  }));
  const keep = async (ids: readonly number[]) =>
    limit === undefined ? ids : await limit.kept(ids);
  const asTyped = isCut
    ? []
    : await keep(await withAll(connection, typed, { scope, index, hasRare }));
  const isTruncated = asTyped.length > RATED;
  const full = new Set(isTruncated ? await titled(connection, asTyped, typed, query) : asTyped);
  const hasAll = !isCut && lists.length === units.length;
  const others = new Set<number>();
  if (full.size < ENOUGH) {
    const joined = await withRarest(connection, weighted, { scope, index });
    for (const id of await keep(joined)) others.add(id);
    const ofProject = async (ids: readonly number[]) =>
      await inProject(connection, ids, query.project_uid);
    const own = limit?.kept ?? (isAlone ? undefined : ofProject);
    for (const id of await likeliest(weighted, own)) others.add(id);
  }
  const isSentence = full.size === 0 && lists.length >= SENTENCE;
  const wanted = weighted.map((unit) => wantedOf(unit, isSentence));
  const rate = rater(wanted);
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  const sets = lists.map((unit) => new Set(unit.ids));
  const read = [...full, ...[...others].filter((id) => !full.has(id)).slice(0, RATED)];
  const rated = (await foundTexts(connection, read, query)).map((text): Rated => {
    const { score, likeness, places } = rate(text);
    const isTyped = full.has(text.id) && (!isTypedCut || likeness.every((like) => like === 1));
    // Only the beginning of a long text was compared, but the lists come from the index, which contains the whole text.
    const isListed = hasAll && sets.length > 0 && sets.every((set) => set.has(text.id));
    const matched = isTyped ? "words" : isListed ? "forms" : tierOf(likeness, hasAll);
    const has = weighted.reduce(
      (sum, { weight }, at) =>
        sum + ((likeness[at] ?? 0) > 0 || sets[at]?.has(text.id) === true ? weight : 0),
      0,
    );
    const characters = text.body.length + text.comments.length;
    return { id: text.id, matched, score: TIERS[matched] + 0.99 * score, places, characters, has };
  });
  const isWhole = ({ matched }: Found) => matched === "words" || matched === "forms";
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

interface Rated extends Found {
  /** The sum of the weights of the search's words that the issue has. */
  readonly has: number;
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

function wantedOf(
  { unit, weight, like, near }: ListedUnit & { readonly weight: number },
  isSentence: boolean,
): Wanted {
  const words = new Map<string, number>();
  if (isSentence) for (const word of synonymsOf(unit.text)) words.set(word, LIKE.synonym);
  for (const word of near) words.set(word, LIKE.near);
  for (const word of like) words.set(word, LIKE.form);
  words.set(unit.text, LIKE.typed);
  return unit.isGram
    ? { weight, gram: unit.text, words: new Map() }
    : { weight, gram: undefined, words };
}

/**
 * Returns the tier of a text that does not have all words as typed. `forms`: the text has all words in some form.
 * `near`: one or more words match only with one letter changed, and the other words either all match or are all
 * missing. `some`: anything else.
 */
function tierOf(likeness: readonly number[], mayHaveAll: boolean): "forms" | "some" | "near" {
  const isNear = (like: number) => like === LIKE.near || like === LIKE.near * LIKE.form;
  if (mayHaveAll && likeness.length > 0 && likeness.every((like) => like > LIKE.near))
    return "forms";
  if (!likeness.some(isNear)) return "some";
  return likeness.every((like) => like > 0) || likeness.every((like) => like === 0 || isNear(like))
    ? "near"
    : "some";
}
