import type { JsonValue } from "../../base/json.ts";
import { jsonText } from "./snippet.ts";

/**
 * Puts a value at `path` of a JSON object and keeps every other character. The text must be valid JSON. Missing objects
 * on the path are created.
 */
export function withJsonValue(text: string, path: readonly string[], value: JsonValue): string {
  let object = objectAt(text, text.indexOf("{"));
  for (const [depth, name] of path.entries()) {
    // If a name occurs twice, the last one counts, as in `JSON.parse`.
    const member = object.members.findLast((known) => known.name === name);
    const rest = path.slice(depth + 1);
    if (member === undefined)
      return inserted(text, object, { name, value: nested(rest, value), depth: depth + 1 });
    if (rest.length === 0)
      return text.slice(0, member.from) + indented(text, value, depth + 1) + text.slice(member.to);
    object = objectAt(text, member.from);
  }
  return text;
}

interface Member {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

interface Span {
  readonly open: number;
  readonly close: number;
  readonly members: readonly Member[];
}

function objectAt(text: string, open: number): Span {
  const members: Member[] = [];
  let at = next(text, open + 1);
  while (text[at] !== "}") {
    const end = endOfValue(text, at);
    const from = next(text, next(text, end) + 1);
    const to = endOfValue(text, from);
    members.push({ name: String(JSON.parse(text.slice(at, end))), from, to });
    at = next(text, to);
    if (text[at] === ",") at = next(text, at + 1);
  }
  return { open, close: at, members };
}

function next(text: string, at: number): number {
  let place = at;
  while (/\s/.test(text.charAt(place))) place += 1;
  return place;
}

function endOfValue(text: string, start: number): number {
  let at = start;
  if (!/["{[]/.test(text.charAt(at))) {
    while (/[^\s,}\]]/.test(text.charAt(at))) at += 1;
    return at;
  }
  for (let depth = 0; ; at++) {
    const char = text.charAt(at);
    if (char === '"') at = endOfString(text, at);
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    else continue;
    if (depth === 0) return at + 1;
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

interface Insertion {
  readonly name: string;
  readonly value: JsonValue;
  readonly depth: number;
}

function inserted(text: string, { open, close, members }: Span, insertion: Insertion): string {
  const { name, value, depth } = insertion;
  const line = lineBreak(text, depth) + JSON.stringify(name) + ": " + indented(text, value, depth);
  const at = members.at(-1)?.to ?? open + 1;
  const before = text.slice(0, at) + (members.length === 0 ? "" : ",") + line;
  const between = text.slice(at, close);
  return (
    before + (between.includes("\n") ? between : lineBreak(text, depth - 1)) + text.slice(close)
  );
}

function nested(path: readonly string[], value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value);
}

function indented(text: string, value: JsonValue, depth: number): string {
  return jsonText(value, unitOf(text)).replaceAll("\n", lineBreak(text, depth));
}

function lineBreak(text: string, depth: number): string {
  return (text.includes("\r\n") ? "\r\n" : "\n") + unitOf(text).repeat(depth);
}

function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}
