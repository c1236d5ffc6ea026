import type { Dialect } from "../connection.ts";
import { phraseQuery, scopeQuery } from "./vector.ts";

type Column = "title" | "body" | "comments";

/** A condition on the texts of one project. */
export interface Match {
  readonly scope: string;
  readonly phrases: readonly (readonly string[])[];
  /** Whether all phrases must be there or any of them. */
  readonly join: "all" | "any";
  /** Where to look; everywhere when absent. */
  readonly column?: Column;
}

const WEIGHTS: Readonly<Record<Column, string>> = { title: "A", body: "B", comments: "C" };

/** The condition as FTS5 or `tsquery` text. Every word is quoted: a query has no operators (facts search, 3). */
export function matchText(dialect: Dialect, match: Match): string {
  const { scope, phrases, join, column } = match;
  if (dialect === "postgres") return `${scopeQuery(scope)} & (${wordsQuery(match)})`;
  const columns = column ?? "{title body comments}";
  const words = phrases
    .map((phrase) => `"${phrase.join(" ")}"`)
    .join(join === "all" ? " AND " : " OR ");
  return `scope : "${scope}" AND ${columns} : (${words})`;
}

/** The words alone, as PostgreSQL ranks by them. */
export function wordsQuery({ phrases, join, column }: Match): string {
  const weights = column === undefined ? "ABC" : WEIGHTS[column];
  return phrases.map((phrase) => phraseQuery(phrase, weights)).join(join === "all" ? " & " : " | ");
}
