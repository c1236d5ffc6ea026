"use strict";
// Starts svc from its TypeScript files, without a build.
const { readdirSync, readFileSync } = require("node:fs");
const { join, sep } = require("node:path");
const { pathToFileURL } = require("node:url");

const root = join(__dirname, "..");
const folder = join(root, "commands");

void main();

async function main() {
  const { launch } = await load(join(root, "src", "cli", "start", "launch.ts"));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const files = commandFiles();
  const ids = {};
  for (const [id, file] of files) {
    ids[id] = id;
    for (const alias of aliasesIn(file)) ids[alias] = id;
  }
  const registry = { version, root, ids, load: async (id) => (await load(files.get(id))).default };
  await launch(process.argv.slice(2), registry);
}

function load(path) {
  return import(pathToFileURL(path).href);
}

function commandFiles() {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const entries = files
    .filter((file) => file.endsWith(".ts"))
    .map((file) => {
      const words = file.slice(0, -".ts".length).split(sep);
      if (words.length > 1 && words.at(-1) === "index") words.pop();
      return [words.join(":"), join(folder, file)];
    });
  return new Map(entries);
}

/** Reads the aliases from the source text of the command's file, because loading every command would take seconds. */
function aliasesIn(file) {
  const list = /static override (?:readonly )?aliases = \[([^\]]*)\]/.exec(
    readFileSync(file, "utf8"),
  );
  return list === null ? [] : [...list[1].matchAll(/"([^"]+)"/g)].map(([, alias]) => alias);
}
