// Builds svc when `npm ci` or `npm install` is run. If the development dependencies are left out (--omit=dev), svc
// cannot be built, but the installation must not fail.
"use strict";
const { spawnSync } = require("node:child_process");
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `svc: not built, since building needs Node 22.18 or later (this is ${process.version})`,
  );
} else if (!has("esbuild")) {
  console.error("svc: not built, since the development dependencies are not installed");
} else if (process.env.npm_command === "exec" && existsSync(join(__dirname, "..", "dist"))) {
  // npx installs the cloned repository and runs this script a second time. By then dist/ has been built.
} else {
  const built = spawnSync(process.execPath, [join(__dirname, "build.ts")], { stdio: "inherit" });
  process.exitCode = built.status ?? 1;
}

function has(name) {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}
