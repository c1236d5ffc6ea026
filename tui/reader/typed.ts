import { graphemes } from "../../src/base/graphemes.ts";
import { cells, head } from "../text.ts";

/** A line that is being typed, split at the cursor. */
export interface TypedLine {
  readonly before: string;
  readonly after: string;
}

export const UNTYPED: TypedLine = { before: "", after: "" };

const BACK = "\b";

/**
 * Returns the output that turns one line into the other, without escape sequences. Unchanged text is not written again,
 * because a screen reader would read it again.
 */
export function retyped(was: TypedLine, is: TypedLine): string {
  const [old, now] = [was.before + was.after, is.before + is.after];
  if (old === now) {
    const by = cells(was.before) - cells(is.before);
    return by >= 0 ? BACK.repeat(by) : now.slice(was.before.length, is.before.length);
  }
  const shared = sharedStart(old, now);
  const kept = shared.length < was.before.length ? shared : was.before;
  const lost = Math.max(0, cells(old) - cells(now));
  const back = BACK.repeat(cells(was.before) - cells(kept));
  return `${back}${now.slice(kept.length)}${" ".repeat(lost)}${BACK.repeat(lost + cells(is.after))}`;
}

function sharedStart(one: string, other: string): string {
  const [a, b] = [graphemes(one), graphemes(other)];
  const differs = a.findIndex((character, at) => character !== b[at]);
  return a.slice(0, differs === -1 ? a.length : differs).join("");
}

/** Cuts a line to a width. It first cuts the text after the cursor, then the beginning of the line. */
export function windowed({ before, after }: TypedLine, width: number): TypedLine {
  let shown = graphemes(before);
  // Scroll by half a line, so that the text does not move with each character.
  while (cells(shown.join("")) > width) shown = shown.slice(Math.max(1, Math.floor(width / 2)));
  const text = shown.join("");
  return { before: text, after: head(after, width - cells(text)) };
}
