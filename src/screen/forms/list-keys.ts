import { clamp } from "../scroll.ts";

/** Returns the index of a list's cursor after a key; `undefined` if the key does not move the cursor. */
export function movedInList(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case "j":
    case "down":
      return clamp(at + 1, count);
    case "k":
    case "up":
      return clamp(at - 1, count);
    case "g":
    case "home":
      return 0;
    case "G":
    case "end":
      return clamp(count - 1, count);
    default:
      return undefined;
  }
}

const PAGE = 10;

/**
 * Returns the index of the cursor in a list below an input, after a key. Returns `undefined` if the key does not move
 * the cursor: such a key may be a letter for the input.
 */
export function movedInMenu(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case "down":
    case "ctrl+n":
      return clamp(at + 1, count);
    case "up":
    case "ctrl+p":
      return clamp(at - 1, count);
    case "pgdn":
      return clamp(at + PAGE, count);
    case "pgup":
      return clamp(at - PAGE, count);
    default:
      return undefined;
  }
}
