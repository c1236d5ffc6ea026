import { clamp } from "../scroll.ts";

/** Where a key moves the cursor of a list in a sheet; nothing where it is not one that moves. */
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
