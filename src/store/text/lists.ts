import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { statement } from "../statement.ts";
import { gramMark } from "./marks.ts";
import { type Asked, type Match, matchText } from "./match.ts";
import { type Unit, wordOrPart } from "./units.ts";
import { formsOf, nearOf } from "./vocabulary.ts";

export interface ListedUnit {
  readonly unit: Unit;
  /** Other forms of the word: of the same stem, and longer ones. */
  readonly like: readonly string[];
  /** The condition that some form of the unit is in an issue. */
  readonly forms: Asked;
  /** The newest issues that have the unit; those with its other forms only where the list has room for them. */
  readonly ids: readonly number[];
  /** Words that differ by one letter, looked up only for a word that hardly any issue has. */
  readonly near: readonly string[];
  readonly nearIds: readonly number[];
}

/** Units that are looked up, the rarest of more. */
const MOST_UNITS = 12;
/** Issues of a list; a word of more issues says little. */
const LONGEST_LIST = 700;
/** A word of more issues is no slip of a finger. */
const RARE = 2;
const MOST_NEAR_UNITS = 4;

export type Scope = Pick<Match, "scope" | "outside">;

/** Where to search: an index has the issues of all projects. */
interface Within {
  readonly labels: Scope;
  /** The labels and the project. */
  readonly own: Scope;
  /** True if there is no other project. */
  readonly isAlone: boolean;
}

export function isRare({ ids }: ListedUnit): boolean {
  return ids.length < LONGEST_LIST;
}

/** About how many issues have the unit: as often among the older ones as among those of a list that is full. */
export function countOf(unit: ListedUnit, newest: number): number {
  const { ids } = unit;
  if (isRare(unit)) return ids.length;
  return (ids.length * newest) / (newest - (ids.at(-1) ?? 0) + 1);
}

/** For each unit of the search the issues that have it. A short list has issues of other projects too. */
export async function listed(
  connection: Connection,
  units: readonly Unit[],
  within: Within,
): Promise<readonly ListedUnit[]> {
  const lists: ListedUnit[] = [];
  let nearUnits = 0;
  for (const unit of await rarest(connection, units)) {
    const like = unit.isGram ? [] : await formsOf(connection, unit.text);
    const forms = formsAsked(unit, like);
    const exact = await idsWithin(connection, formsAsked(unit, []), within);
    // Each form costs a look-up of its own, so a word that is common by itself is not looked up in all its forms.
    const isEnough = exact.length === LONGEST_LIST || like.length === 0;
    const ids = isEnough ? exact : await idsWithin(connection, forms, within);
    const mayBeSlip = !unit.isGram && ids.length <= RARE && nearUnits < MOST_NEAR_UNITS;
    const near = mayBeSlip ? await nearOf(connection, unit.text) : [];
    if (near.length > 0) nearUnits += 1;
    const nearIds =
      near.length === 0 ? [] : await idsWithin(connection, { any: near.map(wordOrPart) }, within);
    lists.push({ unit, like, forms, ids, near, nearIds });
  }
  return lists;
}

function formsAsked({ text, isGram }: Unit, like: readonly string[]): Asked {
  return isGram ? { mark: gramMark(text) } : { any: [text, ...like].map(wordOrPart) };
}

async function rarest(connection: Connection, units: readonly Unit[]): Promise<readonly Unit[]> {
  if (units.length <= MOST_UNITS) return units;
  const counted: { unit: Unit; count: number }[] = [];
  for (const unit of units) {
    const text = matchText(connection.dialect, { asked: formsAsked(unit, []) });
    counted.push({ unit, count: (await countUpTo.one(connection, { text }))?.count ?? 0 });
  }
  return counted
    .sort((a, b) => a.count - b.count)
    .slice(0, MOST_UNITS)
    .map(({ unit }) => unit);
}

const COUNTED = sql.lit(200);

const countUpTo = statement((db, p: { text: string }, dialect) =>
  db
    .selectFrom(
      sql<{ one: 1 }>`(select 1 as one from issue_text where ${
        dialect === "sqlite" ? sql`issue_text match ${p.text}` : sql`words @@ ${p.text}::tsquery`
      } limit ${COUNTED})`.as("few"),
    )
    .select(({ fn }) => fn.countAll<number>().as("count")),
);

async function idsWithin(
  connection: Connection,
  asked: Asked,
  { labels, own, isAlone }: Within,
): Promise<readonly number[]> {
  const ids = await newestIds(connection, { asked, ...labels });
  return isAlone || ids.length < LONGEST_LIST
    ? ids
    : await newestIds(connection, { asked, ...own });
}

async function newestIds(connection: Connection, match: Match): Promise<readonly number[]> {
  const text = matchText(connection.dialect, match);
  return (await newest.all(connection, { text })).map(({ id }) => id);
}

const newest = statement((db, p: { text: string }, dialect) => {
  const id = sql<number>`${dialect === "sqlite" ? sql`t.rowid` : sql`t.issue_id`}`;
  return db
    .selectFrom(sql<{ rowid: number }>`issue_text`.as("t"))
    .select(id.as("id"))
    .where(
      dialect === "sqlite"
        ? sql<boolean>`issue_text match ${p.text}`
        : sql<boolean>`t.words @@ ${p.text}::tsquery`,
    )
    .orderBy(id, "desc")
    .limit(sql.lit(LONGEST_LIST));
});
