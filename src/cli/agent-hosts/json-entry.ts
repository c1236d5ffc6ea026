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
      return insertMember(text, object, {
        name,
        value: nestedValue(rest, value),
        depth: depth + 1,
      });
    node = member.value;
    if (rest.length > 0) continue;
    const from = node.offset;
    if (hasComment(text.slice(from, member.to))) return undefined;
    return text.slice(0, from) + indented(text, value, depth + 1) + text.slice(member.to);
  }
  return undefined;
}

/**
 * Removes the member at `path` with its comma, and keeps every other character. Returns `undefined` if there is no such
 * member, or if a comment inside the member would be lost.
 */
export function withoutJsonMember(text: string, path: readonly string[]): string | undefined {
  let node = parsedJson(text);
  for (const [depth, name] of path.entries()) {
    if (!isObjectNode(node)) return undefined;
    const object = spanOf(node);
    const member = memberOf(object, name);
    if (member === undefined) return undefined;
    if (depth === path.length - 1)
      return hasComment(text.slice(member.from, member.to))
        ? undefined
        : removeMember(text, object, object.members.indexOf(member));
    node = member.value;
  }
  return undefined;
}

interface Insertion {
  readonly name: string;
  readonly value: JsonValue;
  readonly depth: number;
}

function insertMember(text: string, { open, close, members }: Span, insertion: Insertion): string {
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

function removeMember(text: string, { open, close, members }: Span, at: number): string {
  const member = members[at];
  if (member === undefined) return text;
  const [previous, next] = [members[at - 1], members[at + 1]];
  if (next !== undefined) return removedBefore(text, previous?.to ?? open + 1, member, next.from);
  const start = previous?.to ?? open + 1;
  const before = text.slice(start, member.from);
  const after = text.slice(member.to, close);
  const comma = commaIn(after);
  const kept = previous === undefined || comma !== -1 ? before : withoutComma(before);
  const rest = comma === -1 ? after : withoutComma(after);
  const isEmpty = previous === undefined && `${kept}${rest}`.trim() === "";
  return text.slice(0, start) + (isEmpty ? "" : kept.trimEnd() + rest) + text.slice(close);
}

/** Removes a member that is followed by another member. Removes whole lines if they contain nothing else. */
function removedBefore(
  text: string,
  start: number,
  { from, to }: Pick<Span["members"][number], "from" | "to">,
  nextFrom: number,
): string {
  const end = to + commaIn(text.slice(to, nextFrom)) + 1;
  const blankBefore = /\n?[ \t]*$/.exec(text.slice(start, from))?.[0] ?? "";
  const blankAfter = /^[ \t]*\r?\n?/.exec(text.slice(end, nextFrom))?.[0] ?? "";
  const isWholeLines = blankBefore.includes("\n") && blankAfter.includes("\n");
  const indent = isWholeLines ? blankBefore.length - 1 : 0;
  return text.slice(0, from - indent) + text.slice(end + blankAfter.length);
}

function withoutComma(text: string): string {
  const at = commaIn(text);
  return text.slice(0, at) + text.slice(at + 1);
}

function isObjectNode(node: ReturnType<typeof parsedJson>): node is Node {
  return "type" in node && node.type === "object";
}

function nestedValue(path: readonly string[], value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value);
}

function indented(text: string, value: JsonValue, depth: number): string {
  return jsonText(value, unitOf(text)).replaceAll("\n", lineBreak(text, depth));
}

function lineBreak(text: string, depth: number): string {
  return (text.includes("\r\n") ? "\r\n" : "\n") + unitOf(text).repeat(depth);
}

/** Returns the indentation of the first level in the text. */
function unitOf(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
}
