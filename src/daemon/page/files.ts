import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  ASSETS_FOLDER,
  ASSETS_PATH,
  ENDINGS,
  type Encoding,
  MANIFEST_FILE,
  PAGE_FILE,
  PAGE_PATH,
  type PageFile,
  type PageManifest,
} from "./manifest.ts";

export interface ServedFile extends PageFile {
  /** True if the content at this path never changes. */
  readonly lasting: boolean;
  readonly plain: Buffer;
  readonly encoded: ReadonlyMap<Encoding, Buffer>;
}

/**
 * The files of the built page, by the paths at which they are served; `undefined` if no page was built. All are read at
 * once, so that they come from one build even if the folder is replaced later.
 */
export function readPage(folder: string): ReadonlyMap<string, ServedFile> | undefined {
  const manifest = join(folder, MANIFEST_FILE);
  if (!existsSync(manifest)) return undefined;
  const { page, assets }: PageManifest = JSON.parse(readFileSync(manifest, "utf8"));
  const shell = read(join(folder, PAGE_FILE), page, false);
  const files = Object.entries(assets).map(([name, file]) => {
    const served = read(join(folder, ASSETS_FOLDER, name), file, true);
    return [`${ASSETS_PATH}/${name}`, served] as const;
  });
  return new Map([[PAGE_PATH, shell], [`${PAGE_PATH}/`, shell], ...files]);
}

function read(path: string, file: PageFile, lasting: boolean): ServedFile {
  const encoded = new Map(
    file.encodings.map((encoding) => [encoding, readFileSync(path + ENDINGS[encoding])] as const),
  );
  const gzip = encoded.get("gzip");
  const plain = gzip === undefined ? readFileSync(path) : gunzipSync(gzip);
  return { ...file, lasting, plain, encoded };
}

/**
 * Returns the folder of the built page.
 * - If svc runs from source: `dist/web`.
 * - In the built program: the folder `web` beside this file.
 * - In the build for programs that import svc: the folder `web` one folder above this file.
 */
export function pageFolder(): string {
  const here = import.meta.dirname;
  if (import.meta.filename.endsWith(".ts")) return join(here, "..", "..", "..", "dist", "web");
  const beside = join(here, "web");
  return existsSync(beside) ? beside : join(here, "..", "web");
}
