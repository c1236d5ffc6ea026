import { type Block, markdownBlocks, markdownParts, type Part } from "../../src/base/markdown.ts";
import { type Span, type SpanLine, wrapSpans } from "../spans.ts";
import type { Role } from "../style.ts";
import { cells, clean } from "../text.ts";

/**
 * Finds the issue that a text such as `#abc4` names, and returns its number in the document. Returns `undefined` if the
 * issue is unknown.
 */
export type RefNumber = (text: string) => number | undefined;

export interface BodyOptions {
  /** Whether markdown is shown as it was written. */
  readonly raw: boolean;
  readonly ref: RefNumber;
  /** The width in cells for code, tables and drawings, which are cut instead of wrapped. */
  readonly room: number;
}

const RULE_COLUMNS = 40;

/** Returns the lines of a markdown text. Prose is wrapped at `width`. Code and tables use all of `options.room`. */
export function bodyLines(text: string, width: number, options: BodyOptions): readonly SpanLine[] {
  const plain = text.trimEnd().replaceAll(/\r\n?/g, "\n").replaceAll("\t", "    ");
  if (options.raw) return plain.split("\n").flatMap((line) => wrapped([{ text: line }], width));
  const blocks = rejoined(markdownBlocks(plain), width);
  return blocks.flatMap((block) => blockLines(block, width, options));
}

/** Lines that people break by hand usually end between these columns. */
const NARROW_PAGE = 60;
const WIDE_PAGE = 100;

/**
 * Joins lines that were broken by hand for a page wider than `width`. If each line were wrapped alone, it would end in
 * a very short line.
 */
function rejoined(blocks: readonly Block[], width: number): readonly Block[] {
  const joined: Block[] = [];
  for (let at = 0; at < blocks.length; at += 1) {
    const first = blocks[at];
    if (first === undefined) break;
    const run = [first];
    for (let next = blocks[at + 1]; next !== undefined && goesOn(first, next); ) {
      run.push(next);
      next = blocks[at + run.length];
    }
    at += run.length - 1;
    joined.push(...onOneLine(run, width));
  }
  return joined;
}

type Prose = Extract<Block, { kind: "text" | "item" }>;

function isProse(block: Block): block is Prose {
  return (block.kind === "text" || block.kind === "item") && !DRAWING.test(block.text);
}

function goesOn(first: Block, next: Block): boolean {
  if (!isProse(first) || !isProse(next) || next.kind === "item") return false;
  return first.kind === "item" ? next.lead !== "" : next.lead === first.lead;
}

/**
 * Joins the lines of a paragraph. Two lines are joined if the first word of the second line had no room on the first
 * line.
 */
function onOneLine(run: readonly Block[], width: number): readonly Block[] {
  const prose = run.filter(isProse);
  const page = Math.max(NARROW_PAGE, ...prose.map((block) => leadOf(block) + cells(block.text)));
  if (page <= width || page > WIDE_PAGE || prose.length < 2) return run;
  const lines: Prose[] = [];
  let used = 0;
  for (const block of prose) {
    const [word = ""] = block.text.split(" ", 1);
    const before = lines.at(-1);
    if (before !== undefined && used + 1 + cells(word) > page)
      lines[lines.length - 1] = { ...before, text: `${before.text} ${block.text}` };
    else lines.push(block);
    used = leadOf(block) + cells(block.text);
  }
  return lines;
}

function leadOf(block: Prose): number {
  return block.kind === "item" ? cells(block.indent + block.mark) + 1 : cells(block.lead);
}

/** A line that is cut instead of wrapped, because a line break would destroy its meaning. */
function drawn(text: string, room: number, role?: Role): readonly SpanLine[] {
  return [[{ text, role, size: Math.min(cells(clean(text)), room), isDrawn: true }]];
}

/** Box-drawing characters: a line that contains them is neither joined nor wrapped. */
const DRAWING = /[\u2500-\u259F]/;

function wrapped(line: SpanLine, width: number, lead = ""): readonly SpanLine[] {
  const indent = /^ */.exec(line[0]?.text ?? "")?.[0] ?? "";
  const hang = `${" ".repeat(lead.length)}${indent}`;
  return wrapSpans(lead === "" ? line : [{ text: lead }, ...line], width, hang);
}

function blockLines(block: Block, width: number, { ref, room }: BodyOptions): readonly SpanLine[] {
  switch (block.kind) {
    case "blank":
      return [[]];
    case "rule":
      return [[{ text: "-".repeat(Math.min(width, RULE_COLUMNS)), role: "dim" }]];
    case "code":
      return drawn(`    ${block.text}`, room, "dim");
    case "table":
      return drawn(block.text, room);
    case "heading":
      return wrapSpans([{ text: block.source.trim(), role: "bold" }], width);
    case "quote":
      return wrapSpans([{ text: "| ", role: "dim" }, ...inline(block.text, ref)], width, "| ");
    case "item": {
      const mark = /\d/.test(block.mark) ? block.mark : "-";
      return wrapped(inline(block.text, ref), width, ` ${block.indent}${mark} `);
    }
    case "text":
      if (DRAWING.test(block.text)) return drawn(`${block.lead}${block.text}`, room);
      return wrapped(inline(block.text, ref), width, block.lead);
  }
}

function inline(text: string, ref: RefNumber): readonly Span[] {
  return markdownParts(text).flatMap((part) => spansOf(part, ref));
}

const ROLES: Readonly<Record<Part["kind"], Role | undefined>> = {
  text: undefined,
  code: undefined,
  strong: "bold",
  emphasis: "underline",
  link: "underline",
};

function spansOf({ kind, text, url }: Part, ref: RefNumber): readonly Span[] {
  const role = ROLES[kind];
  if (kind === "text") return withRefs(text, ref);
  if (kind === "code") return [{ text: `\u0060${text}\u0060` }];
  if (url === undefined || url === text) return [{ text, role }];
  // Show the address as text, so that a reader sees it and a terminal can make it a link.
  return [
    { text, role },
    { text: ` (${url})`, role: "dim" },
  ];
}

const REF = /(?<![\w#/.-])(?:\w[\w.-]*)?#[0-9a-z]{4,26}(?![\w#])|\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g;

/** Marks issues that the text names, so that they can be chosen. */
function withRefs(text: string, ref: RefNumber): readonly Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const match of text.matchAll(REF)) {
    const number = ref(match[0]);
    if (number === undefined) continue;
    if (match.index > at) spans.push({ text: text.slice(at, match.index) });
    spans.push({ text: match[0], role: "ref", ref: number });
    at = match.index + match[0].length;
  }
  return at === text.length ? spans : [...spans, { text: text.slice(at) }];
}
