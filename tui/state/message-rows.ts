import { clean, wrap } from "../text.ts";
import type { State } from "./state.ts";

type Told = Pick<State, "notice" | "sheet" | "columns" | "rows">;

/** At most this part of the screen tells what went wrong: what it is about stays in sight. */
const PART = 0.25;

const LEAD = " ! ";

/**
 * How many rows what was said takes from the rest: an error as many as it needs to be read where it happens, all else
 * one. What is asked for stands over these rows.
 */
export function messageRows(state: Told): number {
  if (state.sheet !== undefined) return 1;
  return Math.max(1, Math.min(errorLines(state).length, Math.floor(state.rows * PART)));
}

/** The error that was told last and is not dismissed yet, as it is read in the width there is. */
export function errorLines({ notice, columns }: Told): readonly string[] {
  if (notice?.tone !== "error") return [];
  const lines = wrap(clean(notice.text), columns - LEAD.length);
  return lines.map((line, at) => `${at === 0 ? LEAD : " ".repeat(LEAD.length)}${line}`);
}
