import { readTime } from "../files/times.ts";
import { nameOf } from "../markdown/values.ts";
import type { SourceComment } from "../neutral/record.ts";

const COMMENTS =
  /(?:^|\n)## Comments[ \t]*\n\s*<!-- COMMENTS:BEGIN -->[ \t]*\n([\s\S]*?)<!-- COMMENTS:END -->/i;
const BLOCK = /<!-- COMMENT:BEGIN -->[ \t]*\n([\s\S]*?)<!-- COMMENT:END -->/gi;
const MARKER = /^[ \t]*<!-- (?:SECTION:[A-Z_]+|AC|DOD|COMMENTS?):(?:BEGIN|END) -->[ \t]*\n?/gim;
const RULE = /^---[ \t]*$/;

/**
 * Splits the text below the front matter of a task into its body and its comments. The body is without the HTML
 * comments by which Backlog.md marks its sections.
 */
export function readSections(text: string): {
  readonly body: string;
  readonly comments: readonly SourceComment[];
} {
  const found = COMMENTS.exec(text);
  const rest =
    found === null ? text : text.slice(0, found.index) + text.slice(found.index + found[0].length);
  const body = rest
    .replace(MARKER, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
    // Remove the heading `Description`, because the whole text is the description.
    .replace(/^## Description\s*\n+/i, "");
  return { body, comments: found === null ? [] : readComments(found[1] ?? "") };
}

/**
 * Reads the comments of a task. Older versions of Backlog.md write each comment between two HTML comments, newer
 * versions between lines of dashes.
 */
function readComments(text: string): readonly SourceComment[] {
  const blocks = [...text.matchAll(BLOCK)].map(([, block = ""]) => splitHead(block));
  return (blocks.length > 0 ? blocks : delimitedParts(text)).flatMap(({ head, body }) => {
    if (body === "") return [];
    const author = nameOf(valueOf(head, "author"));
    const createdAt = readTime(valueOf(head, "created"));
    return [{ id: undefined, author, text: body, createdAt }];
  });
}

interface HeadAndBody {
  readonly head: string;
  readonly body: string;
}

function splitHead(block: string): HeadAndBody {
  const at = block.search(/\n[ \t]*\n/);
  if (at === -1) return { head: "", body: block.trim() };
  return { head: block.slice(0, at), body: block.slice(at).trim() };
}

/** Reads comments in the newer form: lines with author and time, a line of dashes, the text, a line of dashes. */
function delimitedParts(text: string): readonly HeadAndBody[] {
  const parts: HeadAndBody[] = [];
  const chunks: string[][] = [[]];
  for (const line of text.split("\n")) {
    if (RULE.test(line)) chunks.push([]);
    else chunks.at(-1)?.push(line);
  }
  for (let at = 0; at + 1 < chunks.length; at += 2) {
    parts.push({
      head: (chunks[at] ?? []).join("\n"),
      body: (chunks[at + 1] ?? []).join("\n").trim(),
    });
  }
  return parts;
}

function valueOf(head: string, name: string): string {
  return (new RegExp(`^${name}:[ \\t]*(.*)$`, "im").exec(head)?.[1] ?? "").trim();
}
