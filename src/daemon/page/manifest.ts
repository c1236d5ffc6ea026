/** The encodings that the build writes beside a file, the one that a browser gets if it takes several first. */
export const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The ending of the file that holds an encoding. */
export const ENDINGS: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz" };

export interface PageFile {
  /** The header Content-Type. */
  readonly type: string;
  /** A strong tag of the bytes before they are encoded, with its quotes. */
  readonly etag: string;
  /** Empty where encoding would not make the file smaller. */
  readonly encodings: readonly Encoding[];
}

/**
 * What dist/web holds, written by the build as manifest.json. The daemon sends these files and no others, so no path of
 * a client ever becomes the path of a file.
 */
export interface PageManifest {
  /** By their name below /svc/assets. The name holds a hash of the content. */
  readonly assets: Readonly<Record<string, PageFile>>;
  readonly page: PageFile;
}

/** Where the daemon serves the page, with or without a slash behind it, and the assets. */
export const PAGE_PATH = "/svc";
export const ASSETS_PATH = "/svc/assets";

/** The files of dist/web. */
export const PAGE_FILE = "index.html";
export const ASSETS_FOLDER = "assets";
export const MANIFEST_FILE = "manifest.json";
