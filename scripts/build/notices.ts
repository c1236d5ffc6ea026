import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { packageOf } from "./groups.ts";

/** The text of THIRD-PARTY.txt: names, versions and licences of the packages whose code is in the bundles. */
export function thirdPartyNotices(root: string, metafiles: readonly Metafile[]): string {
  const folders = new Map<string, string>();
  for (const { inputs } of metafiles) {
    for (const input of Object.keys(inputs)) {
      const path = join("/", input);
      const name = packageOf(path);
      // An input with a namespace before its path is a stand-in of the build, not code of the package.
      if (name === undefined || /^[a-z-]+:/.test(input)) continue;
      const at = path.lastIndexOf("/node_modules/") + "/node_modules/".length;
      folders.set(path.slice(1, at) + name, name);
    }
  }
  const notices = [...folders]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder]) => {
      return notice(join(root, folder));
    });
  return `svc contains code of these packages.\n\n${notices.join("\n")}`;
}

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
  const text =
    file !== undefined && existsSync(join(folder, file))
      ? readFileSync(join(folder, file), "utf8").trim()
      : "";
  return `--- ${name} ${version} (${license})\n\n${text}\n`;
}
