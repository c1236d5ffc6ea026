import { sql } from "kysely";
import type { Dialect } from "../connection.ts";
import { lexeme } from "./vector.ts";

type Column = "title" | "body" | "comments";

/** A condition on the words of an issue. */
export type TextQuery =
  /** These words next to each other in one text. */
  | { readonly phrase: readonly string[] }
  /** A word of the `scope` column, which describes the whole issue (see `write.ts`). */
  | { readonly mark: string }
  | { readonly all: readonly TextQuery[] }
  | { readonly any: readonly TextQuery[] };

/** A condition on the full-text index. An issue must satisfy all of its members. */
export interface Match {
  readonly query: TextQuery;
  /** The column in which to look for phrases; all columns when absent. */
  readonly column?: Column;
  /** Words of the `scope` column that the issue must have: project and labels. */
  readonly scope?: readonly string[];
  /** Words of the `scope` column that the issue must not have. */
  readonly outside?: readonly string[];
}

const WEIGHTS: Readonly<Record<Column, string>> = { title: "A", body: "B", comments: "C" };

/** The condition as text for FTS5 or `tsquery`. Every word is quoted, so none can act as an operator. */
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

function ftsText({ query, column, scope = [], outside = [] }: Match): string {
  const inside = [...scope.map((word) => `scope : "${word}"`), ftsAsked(query, column)].join(
    " AND ",
  );
  if (outside.length === 0) return inside;
  return `(${inside}) NOT scope : (${outside.map((word) => `"${word}"`).join(" OR ")})`;
}

/**
 * The first letters of the words in `scope`: `p` project, `l` label, `w` part of a camel-case word, `g` emoji or
 * letters of a script without spaces, `x` deleted.
 */
const LIKE_SCOPE = /^[plwgx]/;

/** Naming the columns makes FTS5 a third slower, so they are named only for words that could also be in `scope`. */
function ftsAsked(query: TextQuery, column: Column | undefined): string {
  if ("phrase" in query) {
    const phrase = `"${query.phrase.join(" ")}"`;
    if (column !== undefined) return `${column} : ${phrase}`;
    return query.phrase.some((word) => LIKE_SCOPE.test(word))
      ? `{title body comments} : ${phrase}`
      : phrase;
  }
  if ("mark" in query) return `scope : "${query.mark}"`;
  const [members, sign] = "all" in query ? [query.all, " AND "] : [query.any, " OR "];
  return `(${members.map((member) => ftsAsked(member, column)).join(sign)})`;
}

function tsText({ query, column, scope = [], outside = [] }: Match): string {
  return [
    ...scope.map(scopeLexeme),
    `(${tsAsked(query, column === undefined ? "" : `:${WEIGHTS[column]}`)})`,
    ...outside.map((word) => `!${scopeLexeme(word)}`),
  ].join(" & ");
}

/**
 * In PostgreSQL's vectors, words of `scope` begin with `#`, so they never equal a word of a text. Weights are named
 * only when one column is asked for, because with weights PostgreSQL reads every matching row.
 */
function tsAsked(query: TextQuery, weights: string): string {
  if ("phrase" in query) return phraseText(query.phrase, weights);
  if ("mark" in query) return scopeLexeme(query.mark);
  const [members, sign] = "all" in query ? [query.all, " & "] : [query.any, " | "];
  return `(${members.map((member) => tsAsked(member, weights)).join(sign)})`;
}

/** The words next to each other; with `weights`, only in the columns that have these weights. */
function phraseText(phrase: readonly string[], weights: string): string {
  return `(${phrase.map((word) => `'${lexeme(word)}'${weights}`).join(" <-> ")})`;
}

function scopeLexeme(word: string): string {
  return `'#${word}'`;
}
