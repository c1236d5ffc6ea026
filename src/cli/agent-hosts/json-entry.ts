import type { Node } from "jsonc-parser";
import type { JsonValue } from "../../base/json.ts";
import { commaIn, hasComment, memberOf, parsedJson, type Span, spanOf } from "./json-text.ts";
import { jsonText } from "./snippet.ts";

/**
 * Puts a value at `path` of a JSON object and keeps every other character, comments and trailing commas included.
 * Missing objects on the path are created. Returns `undefined` if a comment in a replaced value would be lost.
 */
export function withJsonValue(
  text: string,
  path: readonly string[],
  value: JsonValue,
): string | undefined {
  let node = parsedJson(text);
  for (const [depth, name] of path.entries()) {
    if (!isObjectNode(node)) return undefined;
    const object = spanOf(node);
    const member = memberOf(object, name);
    const rest = path.slice(depth + 1);
    if (member === undefined)
      return inserted(text, object, { name, value: nested(rest, value), depth: depth + 1 });
    node = member.value;
    if (rest.length > 0) continue;
    const from = node.offset;
    if (hasComment(text.slice(from, member.to))) return undefined;
    return text.slice(0, from) + indented(text, value, depth + 1) + text.slice(member.to);
  }
  return undefined;
}

interface Insertion {
  readonly name: string;
  readonly value: JsonValue;
  readonly depth: number;
}

function inserted(text: string, { open, close, members }: Span, insertion: Insertion): string {
  const { name, value, depth } = insertion;
  const last = members.at(-1);
  const end = last?.to ?? open + 1;
  const tail = text.slice(end, close);
  const isOneLine = last !== undefined && !/\n/.test(text.slice(open, close));
  if (isOneLine && !hasComment(tail))
    return `${text.slice(0, end)}, ${JSON.stringify(name)}: ${jsonText(value, "")}${text.slice(end)}`;
  const hasComma = commaIn(tail) !== -1;
  const kept = tail.trimEnd();
  const blank = tail.slice(kept.length);
  return [
    text.slice(0, end),
    last === undefined || hasComma ? "" : ",",
    kept,
    `${lineBreak(text, depth)}${JSON.stringify(name)}: ${indented(text, value, depth)}`,
    hasComma ? "," : "",
    blank.includes("\n") ? blank : lineBreak(text, depth - 1),
    text.slice(close),
  ].join("");
}

function isObjectNode(node: ReturnType<typeof parsedJson>): node is Node {
  return "type" in node && node.type === "object";
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

/** What a line of the first level begins with. */
function unitOf(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
}
