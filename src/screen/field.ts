import { graphemes } from "../base/graphemes.ts";

/** A text and the cursor in it, counted in characters as a person sees them (graphemes). */
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
 * The field after a key; `undefined` if the key does nothing. For a text of several lines the caller passes `vertical`,
 * which moves the cursor one line up or down.
 */
export function editField(
  field: Field,
  key: string,
  vertical?: (field: Field, by: 1 | -1) => Field,
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
      return vertical?.(field, key === "up" ? -1 : 1);
    case "enter":
      return vertical === undefined ? undefined : insert(field, "\n");
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
