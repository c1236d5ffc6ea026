import { wrap } from "./columns.ts";
import type { Paint, Tone } from "./palette.ts";
import { manyLines } from "./text.ts";

/** A text that a person wrote, as lines of a terminal. Without columns nothing is wrapped. */
export type Prose = (text: string, columns: number | undefined) => string;

/** Markdown as far as issues need it. What it does not know stays as it was written. */
export function markdownProse(paint: Paint): Prose {
  const inline = inlineWith((tone, inner, source) => {
    const painted = paint(tone, inner);
    // Without colours the marks are all that tells it apart.
    return painted === inner ? source : painted;
  });
  return (text, columns) => {
    const blocks = linesOf(manyLines(text).trimEnd().split("\n"));
    return blocks.flatMap((block) => blockLines(block, { paint, inline, columns })).join("\n");
  };
}

type Block =
  | { readonly kind: "blank" | "rule" }
  | { readonly kind: "code" | "table"; readonly text: string }
  | { readonly kind: "heading"; readonly text: string; readonly source: string }
  | { readonly kind: "text"; readonly lead: string; readonly text: string }
  | { readonly kind: "quote"; readonly text: string };

const FENCE = /^\s*(`{3,}|~{3,})/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;

function linesOf(lines: readonly string[]): readonly Block[] {
  let fence: string | undefined;
  let inList = false;
  const blocks: Block[] = [];
  for (const line of lines) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
      else blocks.push({ kind: "code", text: line });
    } else if (mark !== undefined) fence = mark;
    // Below an item the same indent continues the item.
    else if (!inList && /^(?: {4}|\t)\s*\S/.test(line))
      blocks.push({ kind: "code", text: line.replace(/^(?: {4}|\t)/, "") });
    else {
      const block = blockOf(line);
      if (ITEM.test(line)) inList = block.kind === "text";
      else if (/^\S/.test(line)) inList = false;
      blocks.push(block);
    }
  }
  return blocks;
}

function blockOf(line: string): Block {
  if (line.trim() === "") return { kind: "blank" };
  if (/^\s*([-*_])(?:\s*\1){2,}\s*$/.test(line)) return { kind: "rule" };
  if (/^\s*\|/.test(line)) return { kind: "table", text: line };
  const heading = /^ {0,3}#{1,6}\s+(\S.*)$/.exec(line)?.[1];
  if (heading !== undefined) return { kind: "heading", text: withoutHashes(heading), source: line };
  const quote = /^ {0,3}> ?(.*)$/.exec(line)?.[1];
  if (quote !== undefined) return { kind: "quote", text: quote };
  const [, indent = "", mark = "", rest = ""] = ITEM.exec(line) ?? [];
  if (mark === "") return { kind: "text", lead: /^\s*/.exec(line)?.[0] ?? "", text: line.trim() };
  return { kind: "text", lead: `${indent}${/\d/.test(mark) ? mark : "•"} `, text: rest.trimEnd() };
}

function withoutHashes(heading: string): string {
  const text = heading.trimEnd();
  const closing = text.lastIndexOf(" ");
  return closing !== -1 && /^#+$/.test(text.slice(closing + 1)) ? text.slice(0, closing) : text;
}

interface Look {
  readonly paint: Paint;
  readonly inline: (text: string) => string;
  readonly columns: number | undefined;
}

const RULE_COLUMNS = 40;

function blockLines(block: Block, { paint, inline, columns }: Look): readonly string[] {
  const fitted = (lead: string, hang: string, text: string): readonly string[] => {
    const lines = columns === undefined ? [text] : wrap(text, Math.max(1, columns - lead.length));
    return lines.map((line, place) => (place === 0 ? lead : hang) + line);
  };
  switch (block.kind) {
    case "blank":
      return [""];
    case "rule":
      return [paint("faint", "─".repeat(Math.min(columns ?? RULE_COLUMNS, RULE_COLUMNS)))];
    case "code":
      return [`    ${paint("faint", block.text)}`];
    case "table":
      return [block.text];
    case "heading": {
      // Painted as one, because the end of an inner colour would end the heading's too.
      const text = plainInline(block.text);
      const painted = paint("strong", text);
      return [painted === text ? block.source : painted];
    }
    case "quote":
      return fitted("│ ", "│ ", inline(block.text));
    case "text":
      return fitted(block.lead, block.lead.replaceAll(/[^\t]/g, " "), inline(block.text));
  }
}

/** Lengths are bounded, so that no text of a stranger takes long. */
const INLINE = new RegExp(
  [
    String.raw`\\(?<escaped>[!-/:-@[-\u0060{-~])`,
    String.raw`(?<!\u0060)(?<ticks>\u0060{1,3})(?!\u0060)(?<code>.{1,1000}?)(?<!\u0060)\k<ticks>(?!\u0060)`,
    String.raw`!?\[(?<label>[^\][]{0,500})\]\((?<url>[^()\s]{1,2000})(?:\s"[^"]{0,200}")?\)`,
    String.raw`<(?<auto>https?:[^<>\s]{1,2000})>`,
    String.raw`\*\*(?=\S)(?<strong>.{1,1000}?)(?<=\S)\*\*`,
    String.raw`(?<![\p{L}\p{N}_])__(?=\S)(?<strong2>.{1,1000}?)(?<=\S)__(?![\p{L}\p{N}_])`,
    String.raw`(?<!\*)\*(?=[^\s*])(?<em>[^*]{1,1000})(?<=\S)\*(?!\*)`,
    String.raw`(?<![\p{L}\p{N}_])_(?=[^\s_])(?<em2>[^_]{1,1000})(?<=\S)_(?![\p{L}\p{N}_])`,
  ].join("|"),
  "gu",
);

type Mark = (tone: Tone, inner: string, source: string) => string;

const plainInline = inlineWith((_tone, inner) => inner);

function inlineWith(mark: Mark): (text: string) => string {
  return (text) =>
    text.replaceAll(INLINE, (...match: unknown[]) => {
      const source = String(match[0]);
      const groups = match.at(-1) as Readonly<Record<string, string | undefined>>;
      const { escaped, code, label, url, auto } = groups;
      const strong = groups["strong"] ?? groups["strong2"];
      const emphasis = groups["em"] ?? groups["em2"];
      if (escaped !== undefined) return escaped;
      if (code !== undefined) return mark("faint", code, source);
      if (auto !== undefined) return auto;
      if (strong !== undefined) return mark("strong", plainInline(strong), source);
      if (emphasis !== undefined) return mark("emphasis", plainInline(emphasis), source);
      if (url === undefined) return source;
      return label === undefined || label === "" || label === url
        ? url
        : `${plainInline(label)} (${url})`;
    });
}
