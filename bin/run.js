"use strict";
// First of all: on an older Node the database driver crashes without a word.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `svc: needs Node 22.18 or later, and this is Node ${process.versions.node}\n`,
  );
  process.exit(1);
}

const { existsSync, mkdirSync, statSync } = require("node:fs");
const { enableCompileCache } = require("node:module");
const { join } = require("node:path");

cacheCompiledCode();
const built = join(__dirname, "..", "dist", "run.cjs");
if (existsSync(built)) require(built);
else require("./dev.js");

/** Compiled code is kept in the user's own cache folder, which nobody else may write to. */
function cacheCompiledCode() {
  const base = cacheFolder();
  if (base === undefined || process.env.NODE_COMPILE_CACHE !== undefined) return;
  const folder = join(base, "svc", "compiled");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { mode, uid } = statSync(folder);
    const open = process.platform !== "win32" && ((mode & 0o022) !== 0 || uid !== process.getuid());
    if (!open) enableCompileCache(folder);
  } catch {
    // A home that cannot be written to costs some milliseconds, no more.
  }
}

function cacheFolder() {
  const { XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME;
  if (process.platform === "win32") return LOCALAPPDATA || undefined;
  if (!HOME) return undefined;
  return process.platform === "darwin" ? join(HOME, "Library", "Caches") : join(HOME, ".cache");
}
