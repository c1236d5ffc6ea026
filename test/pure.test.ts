import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

/** Folders whose functions depend only on their arguments: no variable of a file keeps anything between calls. */
const PURE = ["src/domain", "src/screen"];
const root = join(import.meta.dirname, "..");

/** Classes whose instances cannot change. An encoder or decoder without a stream keeps nothing between calls. */
const UNCHANGEABLE = new Set(["RegExp", "TextEncoder", "TextDecoder", "Issues"]);
const COLLECTIONS = new Set(["Map", "Set", "Array"]);
const CHANGING = new Set(
  "push pop shift unshift splice sort reverse fill copyWithin set add delete clear".split(" "),
);

/** Returns what in the file outlives a call and can change, each with its name and the reason. */
function remembered(name: string, text: string): readonly string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const { name: id, type, initializer } of statement.declarationList.declarations) {
      const what = id.getText(file);
      if (!isConst) found.push(`${what} is no constant`);
      else if (initializer !== undefined && isChanged(file, what)) found.push(`${what} is changed`);
      else if (initializer !== undefined && !isFixed(file, initializer, type))
        found.push(`${what} can be changed: hand it in, as a Memo`);
    }
  }
  return found;
}

function isFixed(
  file: ts.SourceFile,
  value: ts.Expression,
  type: ts.TypeNode | undefined,
): boolean {
  if (ts.isNewExpression(value)) {
    const made = value.expression.getText(file);
    if (COLLECTIONS.has(made)) return /^readonly |^Readonly/.test(type?.getText(file) ?? "");
    return UNCHANGEABLE.has(made);
  }
  // A function that another function returns may use variables of that other function.
  if (ts.isCallExpression(value)) {
    const maker = file.statements.find(
      (one) => ts.isFunctionDeclaration(one) && one.name?.text === value.expression.getText(file),
    );
    return maker === undefined || !givesFunction(maker) || !keeps(maker);
  }
  return true;
}

function givesFunction(maker: ts.Node): boolean {
  return some(
    maker,
    (node) =>
      ts.isReturnStatement(node) &&
      node.expression !== undefined &&
      (ts.isArrowFunction(node.expression) || ts.isFunctionExpression(node.expression)),
  );
}

function keeps(maker: ts.Node): boolean {
  return some(
    maker,
    (node) =>
      (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.Const) === 0) ||
      (ts.isNewExpression(node) && /^(?:Weak)?(?:Map|Set)$/.test(node.expression.getText())),
  );
}

function isChanged(file: ts.SourceFile, name: string): boolean {
  const isNamed = (node: ts.Node): boolean => ts.isIdentifier(node) && node.text === name;
  const isPart = (node: ts.Node): boolean =>
    (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) &&
    isNamed(node.expression);
  return some(file, (node) => {
    if (ts.isBinaryExpression(node)) return isAssignment(node.operatorToken) && isPart(node.left);
    if (ts.isDeleteExpression(node)) return isPart(node.expression);
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
    const { expression, name: called } = node.expression;
    return isNamed(expression) && CHANGING.has(called.text);
  });
}

function isAssignment({ kind }: ts.Token<ts.BinaryOperator>): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

function some(node: ts.Node, is: (node: ts.Node) => boolean): boolean {
  return is(node) || (ts.forEachChild(node, (child) => some(child, is) || undefined) ?? false);
}

describe("module state in a pure room", () => {
  test.each(PURE)("does not exist in %s", (room) => {
    const files = globSync(`${room}/**/*.ts`, { cwd: root });
    expect(files.length).toBeGreaterThan(20);
    const found = files.flatMap((file) =>
      remembered(file, readFileSync(join(root, file), "utf8")).map((why) => `${file}: ${why}`),
    );
    expect(found).toEqual([]);
  });

  test.each([
    ["let last: number | undefined;", "last is no constant"],
    ["export var last = 1;", "last is no constant"],
    ["const known = new WeakMap<object, string>();", "known can be changed"],
    ["const known = new Map<string, number>();", "known can be changed"],
    ["const followed = new Followed();", "followed can be changed"],
    ["const all: string[] = [];\nexport function add() { all.push(''); }", "all is changed"],
    ["const all: Record<string, number> = {};\nfunction f() { all['x'] = 1; }", "all is changed"],
    ["const ask = kept();\nfunction kept() { let a = 1; return () => a++; }", "ask can be changed"],
  ])("is found in this code: %s", (code, why) => {
    expect(remembered("x.ts", code)).toEqual([expect.stringContaining(why)]);
  });

  test.each([
    'const KINDS: ReadonlySet<string> = new Set(["a"]);',
    "const NAMES = ['a', 'b'] as const;",
    "const encoder = new TextEncoder();",
    "function f() { let last = 1; return (last += 1); }",
    "const of = made(1);\nfunction made(by: number) { return (n: number) => n + by; }",
  ])("is not found in this code: %s", (code) => {
    expect(remembered("x.ts", code)).toEqual([]);
  });
});
