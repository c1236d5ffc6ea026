"use strict";const __m=globalThis.__m=[["boot",performance.now()]];process.on("exit",()=>{__m.push(["exit",performance.now()]);const u=process.cpuUsage();__m.push(["CPU",(u.user+u.system)/1000]);require("node:fs").appendFileSync("/tmp/c/marks.out",JSON.stringify(__m)+"\n")});
// Check the Node version before anything is loaded: on an older Node the database driver crashes without a message.
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
__m.push(["builtins",performance.now()]);const isBuilt = existsSync(dist);
if (isBuilt) {
  const folder = openCache();
__m.push(["openCache",performance.now()]);  const load = (name, use) => loadWarm(join(dist, name), folder, `${name}-${use}`);
  require(join(dist, "run.cjs"))(load);
} else {
  openCache();
  require("./dev.js");
}

/**
 * Turns on Node's compile cache in the user's own cache folder, and returns the folder for compiled code. Returns
 * `undefined` and leaves the cache as it is in these cases:
 * - The variable NODE_COMPILE_CACHE already names a folder.
 * - Another user could put code into the folder, which is then named.
 * - The folder is not known or cannot be created.
 */
function openCache() {
  const base = cacheFolder();
  if (base === undefined || process.env.NODE_COMPILE_CACHE !== undefined) return undefined;
  const folder = join(base, "svc", "compiled");
  try {
    // Create the folders one by one: below /proc Node's recursive mkdir never returns.
    for (const part of [base, join(base, "svc"), folder]) {
      if (!existsSync(part)) mkdirSync(part, { mode: 0o700 });
    }
  } catch {
    // Without a writable home there is no cache; the start then takes some milliseconds longer.
    return undefined;
  }
  const { compiledFault } = require(
    isBuilt ? join(dist, "compiled-fault.cjs") : "../src/start/compiled-fault.ts",
  );
  const fault = compiledFault(folder);
  if (fault === undefined) {
    Module.enableCompileCache(folder);
    return folder;
  }
  process.stderr.write(`svc: warning: ${fault}\n`);
  return undefined;
}

function cacheFolder() {
  const { XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME;
  if (process.platform === "win32") return LOCALAPPDATA || undefined;
  if (!HOME) return undefined;
  return process.platform === "darwin" ? join(HOME, "Library", "Caches") : join(HOME, ".cache");
}

/**
 * Loads a file together with compiled code that was saved after an earlier run. Node's own cache saves code before any
 * function has run, so each function would be compiled again at its first call, which takes a quarter of a command's
 * time. V8 checks only the length of the source, so the name of the saved copy contains the file's size and
 * modification time. Some files already contain the wrapper function of a module.
 */
function loadWarm(file, folder, name) {
  const { Script, constants } = require("node:vm");
  const { size, mtimeMs } = statSync(file);
  const prefix = `${name}-${process.version}-${process.arch}-`;
  const path = folder && join(folder, `${prefix}${size}-${Math.round(mtimeMs)}`);
  const cachedData = path && readIfThere(path);
  // The build writes only ASCII. Decoded as latin1, a large text stays outside the heap, and the garbage collector need
  // not move it.
  const source = readFileSync(file, "latin1");
__m.push(["read",performance.now()]);  const script = new Script(source.startsWith("(function (") ? source : Module.wrap(source), {
    filename: file,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
__m.push(["Script",performance.now()]);  const loaded = new Module(file, module);
  loaded.filename = file;
  loaded.paths = module.paths;
  require.cache[file] = loaded;
  const run = script.runInThisContext();
  run.call(loaded.exports, loaded.exports, Module.createRequire(file), loaded, file, dist);
__m.push(["toplevel",performance.now()]);{const P=require("node:net").Socket.prototype;for(const k of ["connect","destroy","write"]){const o=P[k];P[k]=function(...a){__m.push([k,performance.now()]);return o.apply(this,a)}}}  loaded.loaded = true;
  if (path !== undefined && (cachedData === undefined || script.cachedDataRejected)) {
    let isKept = false;
    const keep = () => {
      if (!isKept) keepCode(script, folder, prefix, path);
      isKept = true;
    };
    // A daemon or screen runs for long, so save its code soon: V8 discards code that only the start used.
    if (/-(daemon|screen)$/.test(name)) setTimeout(keep, 1000).unref();
    // Save only after success: a failed command has not run all of its code.
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
    // If saving fails, the next command tries again.
  }
}
