import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Manifest } from "@oclif/core/interfaces";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { FAST_COMMANDS } from "../src/cli/fast-path/table.ts";
import { crossGroup, type ExportedKeys, want } from "./build/cross-group.ts";
import { buildEmbed } from "./build/embed.ts";
import { type Group, groupOf, pathOf } from "./build/groups.ts";
import { FETCH_WHEN_USED } from "./build/h3.ts";
import { identity } from "./build/identity.ts";
import { buildLibrary } from "./build/library.ts";
import { manPages } from "./build/man.ts";
import { writeManifest } from "./build/manifest.ts";
import { thirdPartyNotices } from "./build/notices.ts";
import { lateOclif } from "./build/oclif.ts";
import { PackageTexts } from "./build/packages.ts";
import { buildScreen, SCREEN, screenEntry } from "./build/screen.ts";
import { isWanted } from "./build/speed.ts";
import { buildWeb, FIRST_LOAD_LIMIT } from "./build/web.ts";

const root = process.env["SVC_BUILD_ROOT"] ?? join(import.meta.dirname, "..");
/** The folder in which dist/ is created. */
const target = process.env["SVC_BUILD_TARGET"] ?? root;

/** Builds everything into a new folder, which then replaces dist/ as a whole. */
export async function buildAll(): Promise<void> {
  const out = join(target, `.dist-${process.pid}`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, "commands"), { recursive: true });
  try {
    const ids = await buildInto(out);
    writeFileSync(join(out, "index.cjs"), indexOf(ids));
    const manifest = await writeManifest(root, out);
    writeFileSync(join(out, "run.cjs"), runOf(manifest));
    writeManPages(out, manifest);
    for (const [file, module] of THREADS) {
      const group = groupOf(root, join(root, module));
      writeFileSync(join(out, file), `${COMPILE_CACHE}require("./${group}.cjs")("${module}");\n`);
    }
    const dist = join(target, "dist");
    rmSync(dist, { recursive: true, force: true });
    renameSync(out, dist);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Writes the manual pages into the folder `man` of the build, dated by the day of the build. */
function writeManPages(out: string, { version, commands }: Manifest): void {
  const shown = Object.values(commands).filter(({ hidden }) => hidden !== true);
  const day = String(JSON.parse(IDENTITY["SVC_BUILT_AT"] ?? '""')).slice(0, 10);
  mkdirSync(join(out, "man"));
  for (const [file, text] of manPages(shown, { version, day }))
    writeFileSync(join(out, "man", file), text);
}

async function buildInto(out: string): Promise<readonly string[]> {
  const wanted: ExportedKeys = new Map();
  const texts = new PackageTexts();
  const metafiles: Metafile[] = [];
  const commands = commandFiles();
  const bundle = async (options: BuildOptions, group: Group, up: string): Promise<void> => {
    const { metafile } = await build({
      ...settings(group, up, wanted, texts),
      metafile: true,
      ...options,
    });
    if (metafile !== undefined) metafiles.push(metafile);
    if (options.outfile !== undefined) writeInAscii(options.outfile);
  };

  for (const [id, path] of commands) {
    await bundle(
      { entryPoints: [path], outfile: join(out, "commands", fileOf(id)) },
      "command",
      "../",
    );
  }
  metafiles.push(await buildScreen(root, out, texts));
  const library = { define: IDENTITY, threads: THREADS.keys(), wanted, texts };
  metafiles.push(await buildLibrary(root, out, library));
  writeInAscii(join(out, SCREEN));
  const web = await buildWeb(root, out, IDENTITY, texts);
  metafiles.push(...web.metafiles);
  metafiles.push(...(await buildEmbed(root, out, IDENTITY, texts)));
  console.log(`web: first load ${kib(web.firstLoad)} KiB gzip of at most ${kib(FIRST_LOAD_LIMIT)}`);
  for (const [group, entry] of WHOLE) {
    const entryPoints = [join(root, ...entry.split("/"))];
    const outfile = join(out, `${group}.cjs`);
    const around = isWanted("ascii") ? { banner: { js: WRAPPER }, footer: { js: "})" } } : {};
    await bundle({ entryPoints, outfile, ...around }, group, "./");
  }
  await build({
    entryPoints: [join(root, "src", "start", "compiled-fault.ts")],
    outfile: join(out, "compiled-fault.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    minifyWhitespace: true,
    minifySyntax: true,
  });
  want(wanted, "core", "src/cli/start/launch.ts");
  want(wanted, "core", "src/cli/start/unanswered.ts");
  for (const module of THREADS.values()) want(wanted, "engine", module);
  // Each group becomes one file of dist/. While a file is built, `wanted` may get more modules for the files of other
  // groups. A file that was built without all of its modules is built again.
  const built = new Map<Group, number>();
  for (;;) {
    const behind = [...wanted].find(([group, keys]) => built.get(group) !== keys.size);
    if (behind === undefined) break;
    const [group, keys] = behind;
    built.set(group, keys.size);
    const stdin = { contents: tableOf(keys), resolveDir: root, sourcefile: `${group}.js` };
    await bundle({ stdin, outfile: join(out, `${group}.cjs`) }, group, "./");
  }
  texts.assertAllMet();
  writeFileSync(join(out, "THIRD-PARTY.txt"), thirdPartyNotices(root, metafiles));
  return [...commands.keys()];
}

/**
 * Entry points that load no command. Each is built as one file that contains all its modules, even those that other
 * files of dist/ contain too.
 */
const WHOLE: ReadonlyMap<Group, string> = new Map([
  ["fast-path", "src/cli/fast-path/read.ts"],
  ["daemon", "src/start/daemon.ts"],
]);

/** The daemon's threads: for each built file, the source file that it is made from. */
const THREADS: ReadonlyMap<string, string> = new Map([
  ["read-worker.cjs", "src/daemon/read-worker/worker.ts"],
  ["write-worker.cjs", "src/daemon/write-worker/worker.ts"],
  ["checkpoint.cjs", "src/store/sqlite/checkpoint.ts"],
  ["vacuum.cjs", "src/store/sqlite/vacuum.ts"],
  ["scoring.cjs", "src/store/vectors/scoring-thread.ts"],
]);

/**
 * Turns on the compile cache in a thread, because a thread does not inherit the compile cache of its process
 * (`src/base/thread.ts`).
 */
const COMPILE_CACHE = `const { compileCache } = require("node:worker_threads").workerData;
if (compileCache !== undefined) require("node:module").enableCompileCache(compileCache);
`;

/**
 * The beginning of the function that Node wraps around the text of a module. The build adds it, so that the launcher
 * need not copy a megabyte of text to add it.
 */
const WRAPPER = "(function (exports, require, module, __filename, __dirname) {";

/**
 * Replaces the non-ASCII characters in a built file by escapes. esbuild leaves them in regular expressions, and a
 * single one would double the size of the text in memory.
 */
function writeInAscii(path: string): void {
  if (!isWanted("ascii")) return;
  const source = readFileSync(path, "utf8");
  const text = source.replaceAll(/[^\0-\x7f]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  if (text !== source) writeFileSync(path, text);
}

/** Constants that name this build. They are the same in all its files. */
const IDENTITY = identity(root);

const EVERY_COMMAND: ReadonlySet<Group> = new Set(["core", "command", "fast-path"]);
/** The groups whose files contain h3, the package that serves HTTP. */
const SERVES: ReadonlySet<Group> = new Set(["daemon", "engine"]);

/**
 * Packages that stay out of the bundles: native code, packages that may be missing, oclif's ways to run TypeScript, which
 * contain the whole compiler, and what listhen loads only for a server that is being developed (jiti and the watchers).
 */
const OUTSIDE = [
  ...["better-sqlite3", "pg-native", "typescript", "ts-node", "tsx"],
  ...["jiti", "@parcel/watcher", "@parcel/watcher-wasm"],
];

const buildFile = (file: string): string => join(import.meta.dirname, "build", file);

function settings(
  group: Group,
  up: string,
  wanted: ExportedKeys,
  texts: PackageTexts,
): BuildOptions {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    // A native import() in CommonJS starts Node's ES module loader, which takes milliseconds.
    supported: { "dynamic-import": false },
    minifyWhitespace: true,
    minifySyntax: true,
    // Identifiers are not shortened (`minifyIdentifiers` is off) and lines stay short, so that a stack trace in a bug
    // report is useful.
    lineLimit: 160,
    legalComments: "none",
    logLevel: "warning",
    external: OUTSIDE,
    // The main file of jsonc-parser loads its other files by a function that esbuild cannot see through.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    define: {
      "process.env.NODE_ENV": '"production"',
      ...IDENTITY,
      "import.meta.dirname": "__dirname",
      "import.meta.filename": "__filename",
      "import.meta.url": "__moduleUrl",
    },
    // Files that every command loads get no `module-url.js`: they do not use `import.meta.url`, and the code would cost
    // time.
    inject: [
      ...(EVERY_COMMAND.has(group) ? [] : [buildFile("module-url.js")]),
      ...(SERVES.has(group) && isWanted("late-fetch") ? FETCH_WHEN_USED.inject : []),
    ],
    plugins: texts.guard([
      screenEntry(),
      ...(isWanted("late-oclif") ? [lateOclif(root)] : []),
      ...(isWanted("late-fetch") ? FETCH_WHEN_USED.plugins : []),
      crossGroup(root, group, up, wanted, WHOLE.has(group)),
    ]),
  };
}

/**
 * The text of a group's file. The file exports a function that takes a key and returns the module with this key. The
 * module's code runs when it is returned for the first time.
 */
function tableOf(keys: ReadonlySet<string>): string {
  const rows = [...keys].sort().map((key) => {
    return `${JSON.stringify(key)}: () => require(${JSON.stringify(pathOf(root, key))}),`;
  });
  return `const table = {\n${rows.join("\n")}\n};\nmodule.exports = (key) => table[key]();\n`;
}

/** The text of index.cjs, which oclif and the launcher read. Each command is loaded when its property is read. */
function indexOf(ids: readonly string[]): string {
  const rows = ids.map((id) => {
    return `get ${JSON.stringify(id)}() { return require("./commands/${fileOf(id)}").default; },`;
  });
  return `exports.commands = {\n${rows.join("\n")}\n};\n`;
}

/**
 * The text of run.cjs, the first file of dist/ that every run of svc loads. It maps the typed words to a command. It
 * then loads the command's launcher from core.cjs, or a faster entry point if there is one.
 */
function runOf({ version, commands }: Manifest): string {
  const ids = Object.entries(commands).flatMap(([id, { aliases, hiddenAliases }]) => {
    return [id, ...aliases, ...hiddenAliases].map(
      (name) => [name.replaceAll(" ", ":"), id] as const,
    );
  });
  return `"use strict";
const registry = {
  version: ${JSON.stringify(version)},
  root: __dirname,
  ids: ${JSON.stringify(Object.fromEntries(ids))},
  load: (id) => require("./commands/" + id.replaceAll(":", ".") + ".cjs").default,
};
const words = process.argv.slice(2);
const id = Object.hasOwn(registry.ids, words[0]) ? registry.ids[words[0]] : undefined;
/** \`load(file, use)\` loads a file of this folder. Its compiled code is cached once for each name \`use\`. */
module.exports = (load) => {
  module.exports.load = load;
  const start = ({ unanswered } = {}) => {
    const core = load("core.cjs", id ?? "topic");
    if (unanswered !== undefined) core("src/cli/start/unanswered.ts").printUnanswered(unanswered, words);
    else core("src/cli/start/launch.ts").launch(words, registry);
  };
  const quickly =
    ${isWanted("daemon-file")} && words[0] === "daemon" && words[2] === "--foreground"
      ? () => load("daemon.cjs", "daemon").runPlainly(words, registry.version)
      : ${JSON.stringify(isWanted("fast-path") ? Object.keys(FAST_COMMANDS) : [])}.includes(id) && words.includes("--json")
        ? () => load("fast-path.cjs", "reading").readFast([id, ...words.slice(1)], registry.version)
        : undefined;
  if (quickly === undefined) start();
  else quickly().then((done) => done === true || start(done || undefined));
};
`;
}

/**
 * The files of the commands by command id. commands/cron/job/create.ts has the id cron:job:create, and an index.ts has
 * the id of its folder.
 */
function commandFiles(): Map<string, string> {
  const folder = join(root, "commands");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .sort();
  return new Map(files.map((file) => [idOf(file), join(folder, file)]));
}

function idOf(file: string): string {
  return file
    .replace(/\.ts$/, "")
    .split(sep)
    .filter((word, place, all) => !(word === "index" && place === all.length - 1 && place > 0))
    .join(":");
}

function kib(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}

function fileOf(id: string): string {
  return `${id.replaceAll(":", ".")}.cjs`;
}

if (process.argv[1] === import.meta.filename) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  await buildAll();
  console.log(`svc ${version} built in ${relative(process.cwd(), join(target, "dist")) || "."}`);
}
