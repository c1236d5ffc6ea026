/** The encodings in which the build writes each file, in the order in which they are preferred. */
export const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The suffix of the file name for each encoding. */
export const ENDINGS: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz" };

export interface PageFile {
  /** The header Content-Type. */
  readonly type: string;
  /** A strong ETag of the bytes before they are encoded, with its quotes. */
  readonly etag: string;
  /** The encodings that make the file smaller. A file with "gzip" is not written without an encoding. */
  readonly encodings: readonly Encoding[];
}

/**
 * The files of dist/web, which the build lists in manifest.json. The daemon sends these files and no others, so a path
 * in a request never becomes the path of a file.
 */
export interface PageManifest {
  /** The assets, by their names below /svc/assets. Each name contains a hash of the content. */
  readonly assets: Readonly<Record<string, PageFile>>;
  readonly page: PageFile;
}

export const PAGE_PATH = "/svc";
export const ASSETS_PATH = "/svc/assets";

export const PAGE_FILE = "index.html";
export const ASSETS_FOLDER = "assets";
export const MANIFEST_FILE = "manifest.json";
