import type { State } from "../../src/screen/state.ts";
import { clean, wrap } from "../text.ts";

const LEAD = " ! ";

/** The error that was told last and is not dismissed yet, as it is read in the width there is. */
export function errorLines({
  messages: { notice },
  window: { columns },
}: State): readonly string[] {
  if (notice?.tone !== "error") return [];
  const lines = wrap(clean(notice.text), columns - LEAD.length);
  return lines.map((line, at) => `${at === 0 ? LEAD : " ".repeat(LEAD.length)}${line}`);
}
