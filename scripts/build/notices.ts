import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { packageOf } from "./groups.ts";

/** The line of THIRD-PARTY.txt above the texts of a package: its name, its version and its licence in parentheses. */
const PACKAGE_LINE = /^--- (\S+) (\S+) \((.+)\)$/gm;

export interface Bundled {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, as the package has it in its package.json. */
  readonly license: string;
}

/**
 * The text of THIRD-PARTY.txt: names, versions, licences and the texts of the licences of the packages whose code is in
 * the bundles. Throws if a package has no text of its licence.
 */
export function thirdPartyNotices(root: string, metafiles: readonly Metafile[]): string {
  const folders = new Set<string>();
  for (const { inputs } of metafiles) {
    for (const input of Object.keys(inputs)) {
      const path = join("/", input);
      const name = packageOf(path);
      // An input with a namespace before its path is a stand-in of the build, not code of the package.
      if (name === undefined || /^[a-z-]+:/.test(input)) continue;
      const at = path.lastIndexOf("/node_modules/") + "/node_modules/".length;
      folders.add(path.slice(1, at) + name);
    }
  }
  const notices = [...folders].sort().map((folder) => notice(join(root, folder)));
  return `svc contains code of these packages.\n\n${notices.join("\n")}`;
}

/** Reads the packages from the text of THIRD-PARTY.txt. A package that is there in two versions comes twice. */
export function bundledPackages(notices: string): readonly Bundled[] {
  return [...notices.matchAll(PACKAGE_LINE)].map(([, name = "", version = "", license = ""]) => {
    return { name, version, license };
  });
}

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text = licenceTexts(folder, name).join("\n\n");
  if (text === "") {
    const cure = "leave the package out, or add its text to scripts/build/licences";
    throw new Error(`${name} ${version} is in a bundle, but has no text of its licence: ${cure}`);
  }
  return `--- ${name} ${version} (${license})\n\n${text}\n`;
}

/** The licence of a package with its notice; else the section of its README; else the text that we keep. */
function licenceTexts(folder: string, name: string): readonly string[] {
  const files = readdirSync(folder).sort();
  const textOf = (file: string): string => readFileSync(join(folder, file), "utf8").trim();
  const own = files.filter((file) =>
    /^(licen[cs]e|copying|notice)(-\w+)?(\.(md|txt))?$/i.test(file),
  );
  if (own.some((file) => !/^notice/i.test(file)))
    return own.map(textOf).filter((text) => text !== "");
  const readme = files.find((file) => /^readme(\.md)?$/i.test(file));
  const section = readme === undefined ? "" : licenceSection(textOf(readme));
  return [section, KEPT.get(name)?.() ?? ""].filter((text) => text !== "").slice(0, 1);
}

/** The section "License" of a README if it has the whole text, and not only the name of the licence. */
function licenceSection(readme: string): string {
  const [, section = ""] = /^#+ *licen[cs]e *\n(.*?)(?=^#|$(?![^]))/ims.exec(readme) ?? [];
  return /permission/i.test(section) ? section.trim() : "";
}

/**
 * Texts for packages whose files have none: the text of the licence that their package.json names, with the copyright
 * line of their source files.
 */
const KEPT: ReadonlyMap<string, () => string> = new Map(
  ["yoga-layout"].map((name) => {
    const path = join(import.meta.dirname, "licences", `${name}.txt`);
    return [name, () => readFileSync(path, "utf8").trim()];
  }),
);
