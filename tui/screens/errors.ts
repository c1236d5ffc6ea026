import type { State } from "../../src/screen/state.ts";
import { clean, wrap } from "../text.ts";

const LEAD = " ! ";

/** The current error, wrapped. */
export function errorLines({
  messages: { notice },
  window: { columns },
}: State): readonly string[] {
  if (notice?.tone !== "error") return [];
  const lines = wrap(clean(notice.text), columns - LEAD.length);
  return lines.map((line, at) => `${at === 0 ? LEAD : " ".repeat(LEAD.length)}${line}`);
}
