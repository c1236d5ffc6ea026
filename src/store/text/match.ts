import { sql } from "kysely";
import type { Dialect } from "../connection.ts";
import { lexeme } from "./vector.ts";

type Column = "title" | "body" | "comments";

/** A condition on the words of an issue. */
export type Asked =
  /** These words next to each other in one text. */
  | { readonly phrase: readonly string[] }
  /** A word of the scope, which is of the whole issue: see `write.ts`. */
  | { readonly mark: string }
  | { readonly all: readonly Asked[] }
  | { readonly any: readonly Asked[] };

/** A condition on the full-text index. A text must satisfy every member. */
export interface Match {
  readonly asked: Asked;
  /** The column in which to look for phrases; all columns when absent. */
  readonly column?: Column;
  /** Words of the scope that the issue must have: project and labels. */
  readonly scope?: readonly string[];
  readonly outside?: readonly string[];
}

const WEIGHTS: Readonly<Record<Column, string>> = { title: "A", body: "B", comments: "C" };

/** The condition as FTS5 or `tsquery` text. Every word is quoted: a query has no operators. */
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

function ftsText({ asked, column, scope = [], outside = [] }: Match): string {
  const inside = [...scope.map((word) => `scope : "${word}"`), ftsAsked(asked, column)].join(
    " AND ",
  );
  if (outside.length === 0) return inside;
  return `(${inside}) NOT scope : (${outside.map((word) => `"${word}"`).join(" OR ")})`;
}

/** How the words of the scope begin: project, label, part of a word, letters without spaces, deleted. */
const LIKE_SCOPE = /^[plwgx]/;

/** Looking at the columns costs FTS5 a third more, so they are named only for a word that the scope could have too. */
function ftsAsked(asked: Asked, column: Column | undefined): string {
  if ("phrase" in asked) {
    const phrase = `"${asked.phrase.join(" ")}"`;
    if (column !== undefined) return `${column} : ${phrase}`;
    return asked.phrase.some((word) => LIKE_SCOPE.test(word))
      ? `{title body comments} : ${phrase}`
      : phrase;
  }
  if ("mark" in asked) return `scope : "${asked.mark}"`;
  const [members, sign] = "all" in asked ? [asked.all, " AND "] : [asked.any, " OR "];
  return `(${members.map((member) => ftsAsked(member, column)).join(sign)})`;
}

function tsText({ asked, column, scope = [], outside = [] }: Match): string {
  return [
    ...scope.map(scopeLexeme),
    `(${tsAsked(asked, column === undefined ? "" : `:${WEIGHTS[column]}`)})`,
    ...outside.map((word) => `!${scopeLexeme(word)}`),
  ].join(" & ");
}

/** A word of the scope is like no word of a text, so weights are named for a column only: with them every row is read. */
function tsAsked(asked: Asked, weights: string): string {
  if ("phrase" in asked) return phraseText(asked.phrase, weights);
  if ("mark" in asked) return scopeLexeme(asked.mark);
  const [members, sign] = "all" in asked ? [asked.all, " & "] : [asked.any, " | "];
  return `(${members.map((member) => tsAsked(member, weights)).join(sign)})`;
}

/** The words next to each other, in columns of the given weights if there are any. */
function phraseText(phrase: readonly string[], weights: string): string {
  return `(${phrase.map((word) => `'${lexeme(word)}'${weights}`).join(" <-> ")})`;
}

function scopeLexeme(word: string): string {
  return `'#${word}'`;
}
