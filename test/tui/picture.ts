import { stripVTControlCharacters } from "node:util";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import type { Session } from "./support.ts";

/** Returns the visible screen, line by line, without colours and without blanks at the ends. */
export function picture({ state }: Session): readonly string[] {
  return frame(state, painter("none")).map((line) => stripVTControlCharacters(line).trimEnd());
}

export function text(session: Session): string {
  return `${picture(session).join("\n")}\n`;
}
