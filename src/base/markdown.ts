/**
 * The subset of Markdown that issue texts use, parsed but not rendered. Unknown syntax stays as it was written. Blocks
 * are recognized line by line, so a text of any length is parsed in one pass.
 */
export type Block =
  | { readonly kind: "blank" | "rule" }
  | { readonly kind: "code" | "table"; readonly text: string }
  | { readonly kind: "heading"; readonly text: string; readonly source: string }
  | { readonly kind: "text"; readonly lead: string; readonly text: string }
  /** A list item; `mark` is the bullet or number as it was written. */
  | { readonly kind: "item"; readonly indent: string; readonly mark: string; readonly text: string }
  | { readonly kind: "quote"; readonly text: string };

const FENCE = /^\s*(`{3,}|~{3,})/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;

export function markdownBlocks(text: string): readonly Block[] {
  const lines = text.split("\n");
  let fence: string | undefined;
  let inList = false;
  const blocks: Block[] = [];
  for (const line of lines) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
      else blocks.push({ kind: "code", text: line });
    } else if (mark !== undefined) fence = mark;
    // A line indented by four spaces is code, except in a list item, where it continues the item.
    else if (!inList && /^(?: {4}|\t)\s*\S/.test(line))
      blocks.push({ kind: "code", text: line.replace(/^(?: {4}|\t)/, "") });
    else {
      const block = blockOf(line);
      if (ITEM.test(line)) inList = block.kind === "item";
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
  return { kind: "item", indent, mark, text: rest.trimEnd() };
}

function withoutHashes(heading: string): string {
  const text = heading.trimEnd();
  const closing = text.lastIndexOf(" ");
  return closing !== -1 && /^#+$/.test(text.slice(closing + 1)) ? text.slice(0, closing) : text;
}

/** A part of a line: its text without markup, and its source. */
export interface Part {
  readonly kind: "text" | "code" | "strong" | "emphasis" | "link";
  readonly text: string;
  readonly source: string;
  readonly url?: string;
}

/** Lengths are bounded so that no input makes matching slow. */
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

export function markdownParts(text: string): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [source] = match;
    if (match.index > at) parts.push(textPart(text.slice(at, match.index)));
    parts.push(partOf(source, match.groups ?? {}));
    at = match.index + source.length;
  }
  return at < text.length ? [...parts, textPart(text.slice(at))] : parts;
}

function partOf(source: string, groups: Readonly<Record<string, string | undefined>>): Part {
  const { escaped, code, label, url, auto } = groups;
  const strong = groups["strong"] ?? groups["strong2"];
  const emphasis = groups["em"] ?? groups["em2"];
  if (escaped !== undefined) return { kind: "text", text: escaped, source };
  if (code !== undefined) return { kind: "code", text: code, source };
  if (strong !== undefined) return { kind: "strong", text: plainMarkdown(strong), source };
  if (emphasis !== undefined) return { kind: "emphasis", text: plainMarkdown(emphasis), source };
  if (auto !== undefined) return { kind: "link", text: auto, source, url: auto };
  if (url === undefined) return textPart(source);
  const named = label === undefined || label === "" ? url : plainMarkdown(label);
  return { kind: "link", text: named, source, url };
}

function textPart(text: string): Part {
  return { kind: "text", text, source: text };
}

/** The text without markup; a link is followed by its address. */
export function plainMarkdown(text: string): string {
  return markdownParts(text).map(plainPart).join("");
}

export function plainPart({ text, url }: Part): string {
  return url === undefined || url === text ? text : `${text} (${url})`;
}
