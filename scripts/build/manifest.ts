import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Plugin } from "@oclif/core";
import type { Manifest } from "@oclif/core/interfaces";

/**
 * At run time dist/ is oclif's root, with a package.json of its own and the manifest, from which help is written
 * without loading a command. To write the manifest, every built command is loaded, so a command that cannot be loaded
 * fails the build.
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
