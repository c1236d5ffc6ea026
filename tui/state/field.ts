import { cells, clean, graphemes } from "../text.ts";

/** A text that is being typed, and where the next character goes: a count of characters as a person sees them. */
export interface Field {
  readonly text: string;
  readonly at: number;
}

export function fieldOf(text: string): Field {
  return { text, at: graphemes(text).length };
}

export function insert(field: Field, added: string): Field {
  const [before, after] = parts(field);
  const start = before.join("") + added;
  return { text: start + after.join(""), at: graphemes(start).length };
}

/**
 * What a key does in a field; `undefined` when it does nothing there. `lines`: whether the text may have several, which
 * are wrapped in `width` cells.
 */
export function editField(
  field: Field,
  key: string,
  lines: boolean,
  width = Infinity,
): Field | undefined {
  const [before, after] = parts(field);
  const joined = (start: readonly string[], end: readonly string[]): Field => {
    return { text: [...start, ...end].join(""), at: start.length };
  };
  switch (key) {
    case "left":
    case "ctrl+b":
      return { ...field, at: Math.max(0, field.at - 1) };
    case "right":
    case "ctrl+f":
      return { ...field, at: Math.min(before.length + after.length, field.at + 1) };
    case "home":
    case "ctrl+a":
      return { ...field, at: lineStart(before) };
    case "end":
      return { ...field, at: before.length + lineLength(after) };
    case "backspace":
      return joined(before.slice(0, -1), after);
    case "delete":
    case "ctrl+d":
      return joined(before, after.slice(1));
    case "ctrl+w":
    case "alt+backspace":
      return joined(before.slice(0, wordStart(before)), after);
    case "ctrl+k":
      return joined(before, after.slice(lineLength(after)));
    case "ctrl+u":
      return joined(before.slice(0, lineStart(before)), after);
    case "up":
    case "down":
      return lines ? vertical(field, key === "up" ? -1 : 1, width) : undefined;
    case "enter":
      return lines ? insert(field, "\n") : undefined;
    case "space":
      return insert(field, " ");
    default:
      return graphemes(key).length === 1 ? insert(field, key) : undefined;
  }
}

function parts({ text, at }: Field): readonly [readonly string[], readonly string[]] {
  const all = graphemes(text);
  return [all.slice(0, at), all.slice(at)];
}

function lineStart(before: readonly string[]): number {
  return before.lastIndexOf("\n") + 1;
}

function lineLength(after: readonly string[]): number {
  const end = after.indexOf("\n");
  return end === -1 ? after.length : end;
}

function wordStart(before: readonly string[]): number {
  let at = before.length;
  while (at > 0 && before[at - 1] === " ") at--;
  while (at > 0 && before[at - 1] !== " " && before[at - 1] !== "\n") at--;
  return at;
}

/** A line of a text as it is wrapped: its characters, from one place to the one before another. */
export interface Row {
  readonly start: number;
  readonly end: number;
}

/** The lines of a text in so many cells, with room for the cursor after them; broken after blanks where there are any. */
export function rowsOf(all: readonly string[], width: number): readonly Row[] {
  const room = Math.max(1, width - 2);
  const rows: Row[] = [];
  const sizeOf = sizes();
  let [start, used, after] = [0, 0, 0];
  for (const [at, character] of all.entries()) {
    if (character === "\n") {
      rows.push({ start, end: at });
      [start, used, after] = [at + 1, 0, at + 1];
      continue;
    }
    const size = sizeOf(character);
    while (used + size > room && at > start) {
      const end = after > start ? after : at;
      rows.push({ start, end });
      used = all.slice(end, at).reduce((sum, one) => sum + sizeOf(one), 0);
      [start, after] = [end, end];
    }
    used += size;
    if (character === " ") after = at + 1;
  }
  return [...rows, { start, end: all.length }];
}

/** Of characters as they are drawn. A text has many, and few that are not like another. */
function sizes(): (character: string) => number {
  const known = new Map<string, number>();
  return (character) => {
    let size = known.get(character);
    if (size === undefined) known.set(character, (size = cells(clean(character))));
    return size;
  };
}

/** Which of the rows a place is in: where one ends by being broken, the next begins. */
export function rowAt(rows: readonly Row[], at: number): number {
  return rows.findLastIndex(({ start }) => start <= at);
}

/** One line up or down, in the same column where that line is long enough. */
function vertical({ text, at }: Field, by: 1 | -1, width: number): Field {
  const all = graphemes(text);
  const rows = rowsOf(all, width);
  const row = rowAt(rows, at);
  const next = rows[row + by];
  if (next === undefined) return { text, at: by === 1 ? all.length : 0 };
  const column = at - (rows[row]?.start ?? 0);
  // The end of a broken line is where the next one begins.
  const isBroken = all[next.end] !== "\n" && next.end < all.length;
  return { text, at: Math.min(next.start + column, isBroken ? next.end - 1 : next.end) };
}
