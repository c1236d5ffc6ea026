"use strict";
// First of all: on an older Node the database driver crashes without a word.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `svc: needs Node 22.18 or later, and this is Node ${process.versions.node}\n`,
  );
  process.exit(1);
}

const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("node:fs");
const Module = require("node:module");
const { join } = require("node:path");

const dist = join(__dirname, "..", "dist");
if (existsSync(dist)) {
  const folder = openCache();
  const load = (name, use) => loadWarm(join(dist, name), folder, `${name}-${use}`);
  require(join(dist, "run.cjs"))(load);
} else {
  openCache();
  require("./dev.js");
}

/** Compiled code is kept in the user's own cache folder, which nobody else may write to. */
function openCache() {
  const base = cacheFolder();
  if (base === undefined || process.env.NODE_COMPILE_CACHE !== undefined) return undefined;
  const folder = join(base, "svc", "compiled");
  try {
    // One by one: below /proc Node's recursive mkdir never ends.
    for (const part of [base, join(base, "svc"), folder]) {
      if (!existsSync(part)) mkdirSync(part, { mode: 0o700 });
    }
    const { mode, uid } = statSync(folder);
    const open = process.platform !== "win32" && ((mode & 0o022) !== 0 || uid !== process.getuid());
    if (open) return undefined;
    Module.enableCompileCache(folder);
    return folder;
  } catch {
    // A home that cannot be written to costs some milliseconds, no more.
    return undefined;
  }
}

function cacheFolder() {
  const { XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME;
  if (process.platform === "win32") return LOCALAPPDATA || undefined;
  if (!HOME) return undefined;
  return process.platform === "darwin" ? join(HOME, "Library", "Caches") : join(HOME, ".cache");
}

/**
 * Node's own cache holds a file as it is before anything of it has run, so each function would be compiled anew when it
 * is first called: a quarter of what a command takes. For the largest files the code is kept as it is after a run, one
 * copy for each use. V8 compares only lengths, so size and time of the file are part of the name. Some files come with
 * the function around them that makes a module.
 */
function loadWarm(file, folder, name) {
  const { Script, constants } = require("node:vm");
  const { size, mtimeMs } = statSync(file);
  const prefix = `${name}-${process.version}-${process.arch}-`;
  const path = folder && join(folder, `${prefix}${size}-${Math.round(mtimeMs)}`);
  const cachedData = path && readIfThere(path);
  // The build writes ASCII. Read so, a large text stays outside the heap, and the collector need not move it.
  const source = readFileSync(file, "latin1");
  const script = new Script(source.startsWith("(function (") ? source : Module.wrap(source), {
    filename: file,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const loaded = new Module(file, module);
  loaded.filename = file;
  loaded.paths = module.paths;
  require.cache[file] = loaded;
  const run = script.runInThisContext();
  run.call(loaded.exports, loaded.exports, Module.createRequire(file), loaded, file, dist);
  loaded.loaded = true;
  if (path !== undefined && (cachedData === undefined || script.cachedDataRejected)) {
    let isKept = false;
    const keep = () => {
      if (!isKept) keepCode(script, folder, prefix, path);
      isKept = true;
    };
    // These live long, and what only their start has used is forgotten soon.
    if (/-(daemon|screen)$/.test(name)) setTimeout(keep, 1000).unref();
    // What went wrong has not run to its end.
    process.once("exit", (code) => code === 0 && keep());
  }
  return loaded.exports;
}

function readIfThere(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function keepCode(script, folder, prefix, path) {
  const draft = `${path}.${process.pid}`;
  try {
    for (const old of readdirSync(folder)) {
      if (old.startsWith(prefix)) rmSync(join(folder, old), { force: true });
    }
    writeFileSync(draft, script.createCachedData(), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // The next command tries again.
  }
}
