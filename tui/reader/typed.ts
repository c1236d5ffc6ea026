import { graphemes } from "../../src/base/graphemes.ts";
import { cells, head } from "../text.ts";

/** A line that is being typed: what stands before the cursor, and what behind it. */
export interface Typed {
  readonly before: string;
  readonly after: string;
}

/** No line at all. */
export const UNTYPED: Typed = { before: "", after: "" };

const BACK = "\b";

/**
 * What makes the one line the other, with no sequence that a terminal would have to know. What stays as it is is not
 * written again: it would be read aloud again.
 */
export function retyped(was: Typed, is: Typed): string {
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

/** As much of it as so many cells hold: what is behind the cursor gives way first, then the beginning. */
export function windowed({ before, after }: Typed, width: number): Typed {
  let shown = graphemes(before);
  // By halves, so that what is seen does not move with each character.
  while (cells(shown.join("")) > width) shown = shown.slice(Math.max(1, Math.floor(width / 2)));
  const text = shown.join("");
  return { before: text, after: head(after, width - cells(text)) };
}
