import {
  type Block,
  markdownBlocks,
  markdownParts,
  plainMarkdown,
  plainPart,
} from "../../base/markdown.ts";
import { manyLines } from "../../shared/text.ts";
import { wrap } from "./columns.ts";
import type { Paint } from "./palette.ts";

/** Formats a person's text for a terminal; without `columns` it is not wrapped. */
export type Prose = (text: string, columns: number | undefined) => string;

/** Renders the parts of Markdown that people use in issues; the rest is printed as it was written. */
export function markdownProse(paint: Paint): Prose {
  const inlineText = (text: string): string =>
    markdownParts(text)
      .map((part) => {
        if (part.kind === "text" || part.kind === "link") return plainPart(part);
        const painted = paint(TONES[part.kind], part.text);
        // Without colours, keep the Markdown marks, because only they show the emphasis.
        return painted === part.text ? part.source : painted;
      })
      .join("");
  return (text, columns) => {
    const blocks = markdownBlocks(manyLines(text).trimEnd());
    return blocks
      .flatMap((block) => blockLines(block, { paint, inline: inlineText, columns }))
      .join("\n");
  };
}

const TONES = { code: "faint", strong: "strong", emphasis: "emphasis" } as const;

interface MarkdownStyle {
  readonly paint: Paint;
  readonly inline: (text: string) => string;
  readonly columns: number | undefined;
}

const RULE_COLUMNS = 40;

function blockLines(block: Block, { paint, inline, columns }: MarkdownStyle): readonly string[] {
  const wrapped = (lead: string, hang: string, text: string): readonly string[] => {
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
      // Paint the heading as one piece: a colour inside it would also end the heading's own colour.
      const text = plainMarkdown(block.text);
      const painted = paint("strong", text);
      return [painted === text ? block.source : painted];
    }
    case "quote":
      return wrapped("│ ", "│ ", inline(block.text));
    case "text":
    case "item": {
      const lead = block.kind === "text" ? block.lead : itemLead(block);
      return wrapped(lead, lead.replaceAll(/[^\t]/g, " "), inline(block.text));
    }
  }
}

function itemLead({ indent, mark }: Extract<Block, { readonly kind: "item" }>): string {
  return `${indent}${/\d/.test(mark) ? mark : "•"} `;
}
