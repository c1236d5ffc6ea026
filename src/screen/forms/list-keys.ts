import { clamp } from "../scroll.ts";

/** The cursor of a list after a key; `undefined` if the key does not move it. */
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

/** The cursor of a list below an input, after a key; `undefined` for other keys, such as letters for the input. */
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
