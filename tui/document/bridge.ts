import { bridgeRows } from "../../src/screen/detail/bridge-rows.ts";
import { bridgeWords } from "../../src/screen/detail/bridge-words.ts";
import type { IssueView } from "../../src/screen/detail/shown.ts";
import { type SpanLine, wrapSpans } from "../spans.ts";

/**
 * The lines about the bridge of the issue: one fact of it after the other. None without a root. `key` opens the answers
 * to what is to be decided.
 */
export function bridgeLines(shown: IssueView, width: number, key: string): readonly SpanLine[] {
  const { bridge } = shown.detail ?? {};
  return bridgeRows(shown, bridgeWords(shown.how)).flatMap(({ name, text, tone: role }) => {
    // A conflict cannot be answered while the bridge is paused, a comment can.
    const isAsked =
      name === "conflict" ? bridge?.enabled === true : bridge !== undefined && name === "comment";
    // A no-break space keeps the key and its word on one line.
    const more = isAsked ? [{ text: `   ${key}\u00A0answers`, role: "dim" as const }] : [];
    const line: SpanLine = [{ text: `${name} `, role: "dim" }, { text, role }, ...more];
    return wrapSpans(line, width, "  ").map((one) =>
      one.map((span) => ({ ...span, text: span.text.replaceAll("\u00A0", " ") })),
    );
  });
}
