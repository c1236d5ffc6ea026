import { type Node, type ParseError, parseTree, stripComments } from "jsonc-parser";

/** A member of an object in a text. Its range begins with its name and ends with its value. */
export interface Member {
  readonly name: string;
  readonly value: Node;
  readonly from: number;
  readonly to: number;
}

/** The place of an object in a text, and of its members. */
export interface Span {
  /** The place of the opening brace. */
  readonly open: number;
  /** The place of the closing brace. */
  readonly close: number;
  readonly members: readonly Member[];
}

export interface JsonFault {
  readonly line: number;
}

/** Parses JSON that may have comments and trailing commas, which several hosts allow in their files. */
export function parsedJson(text: string): Node | JsonFault {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const offset = errors[0]?.offset ?? (root === undefined ? 0 : undefined);
  if (root !== undefined && offset === undefined) return root;
  return { line: text.slice(0, offset).split("\n").length };
}

/** The value of a node. Unusual names such as `__proto__` become ordinary members. */
export function valueOf(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(valueOf);
  if (node.type !== "object") return node.value;
  return Object.fromEntries(spanOf(node).members.map(({ name, value }) => [name, valueOf(value)]));
}

export function spanOf({ offset, length, children = [] }: Node): Span {
  const members = children.flatMap((member) => {
    const [name, value] = member.children ?? [];
    if (name === undefined || value === undefined) return [];
    const to = value.offset + value.length;
    return [{ name: String(name.value), value, from: member.offset, to }];
  });
  return { open: offset, close: offset + length - 1, members };
}

/** Finds a member. If several members have the name, the last one counts, as in `JSON.parse`. */
export function memberOf(span: Span, name: string): Member | undefined {
  return span.members.findLast((member) => member.name === name);
}

/**
 * Returns the position of the first comma in `text`, the text after a member, or -1 if there is none. Commas in
 * comments do not count.
 */
export function commaIn(text: string): number {
  return stripComments(text, " ").indexOf(",");
}

export function hasComment(text: string): boolean {
  return stripComments(text) !== text;
}
