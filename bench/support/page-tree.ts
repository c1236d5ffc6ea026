import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { writeEncoded } from "../../scripts/build/page-files.ts";
import { readPage } from "../../src/daemon/page/files.ts";
import {
  ASSETS_FOLDER,
  ASSETS_PATH,
  MANIFEST_FILE,
  PAGE_PATH,
  type PageManifest,
} from "../../src/daemon/page/manifest.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const FLOOR_FILES = ["floor.html", "floor.css", "floor.js"];

/**
 * The path of the floor page: a plain page without a framework, which is the baseline for svc's page. Only a daemon of
 * a tree made by `treeWithFloor` serves it.
 */
export const FLOOR_PATH = `${ASSETS_PATH}/floor.html`;

/** Copies a built svc into `folder` and adds the floor page, so that one daemon serves both pages. */
export async function treeWithFloor(folder: string, built = ROOT): Promise<void> {
  for (const name of ["bin", "dist", "package.json"])
    cpSync(path.join(built, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(built, "node_modules"), path.join(folder, "node_modules"));
  const web = path.join(folder, "dist", "web");
  const manifest: PageManifest = JSON.parse(readFileSync(path.join(web, MANIFEST_FILE), "utf8"));
  const assets = { ...manifest.assets };
  for (const name of FLOOR_FILES) {
    const bytes = readFileSync(path.join(import.meta.dirname, "page", name));
    assets[name] = await writeEncoded(path.join(web, ASSETS_FOLDER, name), bytes);
  }
  writeFileSync(path.join(web, MANIFEST_FILE), JSON.stringify({ ...manifest, assets }));
}

/** The sum of the sizes of the scripts that the page's HTML names, each compressed by gzip. */
export function firstLoadBytes(folder: string): number {
  const web = path.join(folder, "dist", "web");
  const served = readPage(web);
  const page = served?.get(PAGE_PATH)?.plain.toString() ?? "";
  const scripts = page.matchAll(/(?:src|modulepreload" href)="[^"]*\/([^"/]+\.js)"/g);
  return [...scripts].reduce((sum, [, name = ""]) => {
    const script = served?.get(`${ASSETS_PATH}/${name}`)?.plain ?? Buffer.alloc(0);
    return sum + gzipSync(script).length;
  }, 0);
}
