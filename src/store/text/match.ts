import { sql } from "kysely";
import type { Dialect } from "../connection.ts";
import { lexeme } from "./vector.ts";

type Column = "title" | "body" | "comments";
type Phrase = readonly string[];

/** A condition on the full-text index. A text must satisfy every member. */
export interface Match {
  readonly phrases: readonly Phrase[];
  /** Whether the text must contain all phrases or any of them. */
  readonly join: "all" | "any";
  /** The column to search; all columns when absent. */
  readonly column?: Column;
  /** A phrase that the title must contain in addition. */
  readonly titled?: Phrase;
  /** Words of the scope that the issue must have: project and labels. */
  readonly scope?: readonly string[];
  readonly outside?: readonly string[];
}

const WEIGHTS: Readonly<Record<Column, string>> = { title: "A", body: "B", comments: "C" };

/** The condition as FTS5 or `tsquery` text. Every word is quoted: a query has no operators (facts search, 3). */
export function matchText(dialect: Dialect, match: Match): string {
  return dialect === "sqlite" ? ftsText(match) : tsText(match);
}

/** SQL: the local id of the issue of a row `t` of the index. */
export function idOf(dialect: Dialect) {
  return dialect === "sqlite" ? sql<number>`t.rowid` : sql<number>`t.issue_id`;
}

/** SQL: a row `t` of the index satisfies a condition that `matchText` wrote. */
export function matches(dialect: Dialect, text: string) {
  return dialect === "sqlite"
    ? sql<boolean>`issue_text match ${text}`
    : sql<boolean>`t.words @@ ${text}::tsquery`;
}

function ftsText({ phrases, join, column, titled, scope = [], outside = [] }: Match): string {
  const quoted = phrases.map((phrase) => `"${phrase.join(" ")}"`);
  const parts = [
    ...scope.map((word) => `scope : "${word}"`),
    `${column ?? "{title body comments}"} : (${quoted.join(join === "all" ? " AND " : " OR ")})`,
    ...(titled === undefined ? [] : [`title : "${titled.join(" ")}"`]),
  ];
  const inside = parts.join(" AND ");
  if (outside.length === 0) return inside;
  return `(${inside}) NOT scope : (${outside.map((word) => `"${word}"`).join(" OR ")})`;
}

function tsText(match: Match): string {
  const { titled, scope = [], outside = [] } = match;
  return [
    ...scope.map(scopeLexeme),
    `(${wordsText(match)})`,
    ...(titled === undefined ? [] : [phraseText(titled, "A")]),
    ...outside.map((word) => `!${scopeLexeme(word)}`),
  ].join(" & ");
}

/** The condition on the phrases alone, by which PostgreSQL ranks. */
export function wordsText({ phrases, join, column }: Match): string {
  const weights = column === undefined ? "ABC" : WEIGHTS[column];
  const queries = phrases.map((phrase) => phraseText(phrase, weights));
  return queries.join(join === "all" ? " & " : " | ");
}

/** The words next to each other, in columns of the given weights. */
function phraseText(phrase: Phrase, weights: string): string {
  return `(${phrase.map((word) => `'${lexeme(word)}':${weights}`).join(" <-> ")})`;
}

function scopeLexeme(word: string): string {
  return `'#${word}':D`;
}
