import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Metafile } from "esbuild";
import { thirdPartyNotices } from "./notices.ts";
import type { PackageTexts } from "./packages.ts";
import { browserSettings } from "./web.ts";

/**
 * Builds the module `svc/ui` from web/embed, as ES modules without imports of packages. The script that formats
 * Markdown is a file of its own, which is loaded when an issue has a text.
 */
export async function buildEmbed(
  root: string,
  out: string,
  defined: Readonly<Record<string, string>>,
  texts: PackageTexts,
): Promise<readonly Metafile[]> {
  // The files stand side by side wherever a host puts them.
  const settings = { ...browserSettings(root, texts), publicPath: "" };
  const styles = await build({ ...settings, entryPoints: ["web/styles/element.css"] });
  const scripts = await build({
    ...settings,
    entryPoints: { ui: "web/embed/index.ts" },
    // The package names the entry, so its name has no hash.
    entryNames: "[name]",
    splitting: true,
    banner: { js: "/*! licences: THIRD-PARTY.txt */" },
    define: { ...settings.define, ...defined, ELEMENT_CSS: JSON.stringify(textOf(styles)) },
  });
  const folder = join(out, "ui");
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of scripts.outputFiles)
    writeFileSync(join(folder, path.slice(path.lastIndexOf("/") + 1)), contents);
  // The other .js files of dist/ are CommonJS. Not every server knows the ending .mjs, which these files could have too.
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  const metafiles = [styles.metafile, scripts.metafile];
  // These files are served and copied without the rest of the package.
  writeFileSync(join(folder, "THIRD-PARTY.txt"), thirdPartyNotices(root, metafiles));
  return metafiles;
}

function textOf({ outputFiles }: { readonly outputFiles: readonly { readonly text: string }[] }) {
  return outputFiles.map(({ text }) => text).join("");
}
