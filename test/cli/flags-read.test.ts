import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { ROUTES } from "../../src/contract/index.ts";
import { commandsByRoute } from "../support/commands-of.ts";
import { commandFiles } from "./harness.ts";

/** Read from the words themselves, before oclif parses them (src/cli/output/mode.ts). */
const READ_FROM_ARGV = new Set(["json", "agent", "format"]);

const EXPLAINED: Readonly<Record<string, readonly string[]>> = {
  // A command of oclif, which reads the flag in its own files.
  autocomplete: ["refresh-cache"],
  // `--all` is what the command does without a flag; it only excludes `--any`.
  wait: ["all"],
};

interface CommandClass {
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly baseFlags?: Readonly<Record<string, unknown>>;
}

async function classOf(file: string): Promise<CommandClass> {
  return ((await import(file)) as { readonly default: CommandClass }).default;
}

const parsed = new Map<string, ts.SourceFile>();

function sourceOf(path: string): ts.SourceFile {
  const known = parsed.get(path);
  if (known !== undefined) return known;
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  parsed.set(path, source);
  return source;
}

/**
 * Returns the names of the properties that the file reads: `x.name`, `x["name"]`, `{ name } = x`. It also returns texts
 * that are passed to functions which read, such as `time("since")` and `["since", "until"].map(...)`.
 */
function namesRead(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) names.add(node.name.text);
    if (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression))
      names.add(node.argumentExpression.text);
    if (ts.isBindingElement(node)) {
      const { propertyName = node.name } = node;
      if (ts.isIdentifier(propertyName) || ts.isStringLiteral(propertyName))
        names.add(propertyName.text);
    }
    if (ts.isCallExpression(node) || ts.isArrayLiteralExpression(node)) {
      const texts = ts.isCallExpression(node) ? node.arguments : node.elements;
      for (const text of texts) if (ts.isStringLiteral(text)) names.add(text.text);
    }
    if (!isRelation(node)) ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** `exclusive: ["tail"]` names a flag without reading it. */
function isRelation(node: ts.Node): boolean {
  const names = new Set(["exclusive", "dependsOn", "aliases"]);
  return ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && names.has(node.name.text);
}

/**
 * Returns the command's file and all files of `src/cli` and `commands` that it imports, also dynamically. Renderers get
 * no flags.
 */
function filesOf(file: string, met = new Set<string>()): ReadonlySet<string> {
  if (met.has(file)) return met;
  met.add(file);
  const visit = (node: ts.Node): void => {
    const from =
      ts.isImportDeclaration(node) && !(node.importClause?.isTypeOnly ?? false)
        ? node.moduleSpecifier
        : undefined;
    if (from !== undefined && ts.isStringLiteral(from) && from.text.startsWith(".")) {
      const path = join(dirname(file), from.text);
      const isOurs =
        /\/(src\/cli|commands)\//.test(path) && !/\/(render|node_modules)\//.test(path);
      if (isOurs && existsSync(path)) filesOf(path, met);
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceOf(file));
  return met;
}

test.each([...commandFiles()].map(([id, file]) => ({ id, file })))(
  "svc $id reads the value of each of its flags",
  async ({ id, file }) => {
    const { flags = {}, baseFlags = {} } = await classOf(file);
    const read = new Set([...filesOf(file)].flatMap((path) => [...namesRead(sourceOf(path))]));
    const unread = Object.keys({ ...baseFlags, ...flags }).filter(
      (name) => !READ_FROM_ARGV.has(name) && !read.has(name),
    );
    expect(unread).toEqual(EXPLAINED[id] ?? []);
  },
);

/** `svc inbox --take` moves a request to the caller, who has no lease on the issue yet. */
const WITHOUT_FENCE = new Set(["inbox"]);

test("exactly the commands that change one issue or its lease take --fence", async () => {
  const fenced = ROUTES.filter(({ fenced }) => fenced !== undefined).map(({ id }) => id);
  const words = [...commandsByRoute(new Set(fenced)).values()].flat();
  const taking: string[] = [];
  for (const [id, file] of commandFiles()) {
    const { flags = {}, baseFlags = {} } = await classOf(file);
    if ("fence" in { ...baseFlags, ...flags }) taking.push(id.replaceAll(":", " "));
  }
  const wanted = [...new Set(words)].filter((word) => !WITHOUT_FENCE.has(word));
  expect(taking.toSorted()).toEqual(wanted.toSorted());
});
