import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/**
 * Holds the rooms free of circles: no two folders of a room need each other at run time, directly or by way of others.
 * A file at the top of a room counts as a folder of its own. Imports of types do not count, nor does `import()`.
 */
const root = join(import.meta.dirname, "..");

const rooms = [
  ...readdirSync(join(root, "src")).map((room) => `src/${room}`),
  "commands",
  "tui",
  "web",
];

test.each(rooms)("no two folders of %s import each other at run time", (room) => {
  expect(circlesOf(arrowsOf(join(root, room)))).toEqual([]);
});

test("the check finds a circle through a third folder and names its folders", () => {
  const arrows = new Map([
    ["log/", new Set(["fold/"])],
    ["fold/", new Set(["rows/"])],
    ["rows/", new Set(["log/"])],
    ["text/", new Set(["rows/"])],
  ]);
  expect(circlesOf(arrows)).toEqual([["fold/", "log/", "rows/"]]);
});

type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** For each folder of a room, the other folders of the room that its files import. */
function arrowsOf(room: string): Arrows {
  const arrows = new Map<string, Set<string>>();
  for (const file of filesOf(room)) {
    const from = folderOf(room, file);
    for (const target of importsOf(file)) {
      const to = folderOf(room, target);
      if (!target.startsWith(room + sep) || to === from) continue;
      arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    }
  }
  return arrows;
}

/** The groups of folders that reach each other. */
function circlesOf(arrows: Arrows): readonly (readonly string[])[] {
  const reached = new Map([...arrows.keys()].map((from) => [from, reachedFrom(arrows, from)]));
  const groups = new Map<string, readonly string[]>();
  for (const [from, others] of reached) {
    if (!others.has(from)) continue;
    const group = [...others].filter((to) => reached.get(to)?.has(from) === true).toSorted();
    groups.set(group.join(" "), group);
  }
  return [...groups.values()];
}

function reachedFrom(arrows: Arrows, from: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [from];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const next of arrows.get(folder) ?? []) {
      if (!reached.has(next)) open.push(next);
      reached.add(next);
    }
  }
  return reached;
}

function folderOf(room: string, file: string): string {
  const [first = "", ...rest] = relative(room, file).split(sep);
  return rest.length > 0 ? `${first}/` : first;
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

function importsOf(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    const name = importedAtRunTime(statement);
    return name?.startsWith(".") === true ? [resolve(dirname(file), name)] : [];
  });
}

/** The module that a statement imports, if it imports more than types. */
function importedAtRunTime(statement: ts.Statement): string | undefined {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return undefined;
  const { moduleSpecifier } = statement;
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return undefined;
  return isOfTypes(statement) ? undefined : moduleSpecifier.text;
}

function isOfTypes(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  const { importClause } = statement;
  if (importClause === undefined) return false;
  const { name, namedBindings, phaseModifier } = importClause;
  if (phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  if (name !== undefined || namedBindings === undefined) return false;
  return ts.isNamedImports(namedBindings) && namedBindings.elements.every((one) => one.isTypeOnly);
}
