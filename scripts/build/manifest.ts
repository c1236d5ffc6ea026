import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Plugin } from "@oclif/core";
import type { Manifest } from "@oclif/core/interfaces";

/**
 * Writes dist/package.json and oclif's manifest, because at run time dist/ is the folder in which oclif looks for both.
 * With the manifest, help can be printed without loading a command. To write it, every built command is loaded, so the
 * build fails if a command cannot be loaded.
 */
export async function writeManifest(root: string, out: string): Promise<Manifest> {
  const { name, version, description, oclif } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const commands = { strategy: "explicit", target: "./index.cjs", identifier: "commands" };
  const pjson = { name, version, description, type: "commonjs", oclif: { ...oclif, commands } };
  writeFileSync(join(out, "package.json"), JSON.stringify(pjson));
  const plugin = new Plugin({
    root: out,
    isRoot: true,
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  });
  await plugin.load();
  writeFileSync(join(out, "oclif.manifest.json"), JSON.stringify(plugin.manifest));
  return plugin.manifest;
}
