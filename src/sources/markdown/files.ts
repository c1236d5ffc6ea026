import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Instant, msToInstant } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Faults } from "../files/refuse.ts";
import { readTextFile } from "../files/text-file.ts";
import { readFrontMatter } from "./front-matter.ts";
import { withKnownNames } from "./roles.ts";

export interface MarkdownFile {
  /** The path relative to the folder that is imported, with `/` as the separator. */
  readonly file: string;
  readonly fields: JsonObject;
  readonly body: string;
  readonly written: Instant;
}

/** The largest file that is read. A text about one issue is never this long. */
const MAX_BYTES = 4 * 1024 * 1024;

/** How many files are read at the same time. */
const AT_ONCE = 32;

export function isMarkdown(name: string): boolean {
  return /\.(md|markdown)$/i.test(name);
}

/**
 * Reads the files in the given order; yields `undefined` for a file without front matter. Damaged files are left out,
 * and `faults` collects them.
 */
export async function* readMarkdown(
  root: string,
  files: readonly string[],
  faults: Faults,
): AsyncGenerator<MarkdownFile | undefined> {
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE).map((file) => readOne(root, file));
    for (const read of await Promise.allSettled(some)) {
      if (read.status === "fulfilled") yield read.value;
      else faults.add(read.reason);
    }
  }
}

async function readOne(root: string, file: string): Promise<MarkdownFile | undefined> {
  const path = join(root, file);
  const found = readFrontMatter(await readTextFile(path, MAX_BYTES, file), file);
  if (found === undefined) return undefined;
  const { mtimeMs } = await stat(path);
  const written = msToInstant(Math.floor(mtimeMs));
  return { file, fields: withKnownNames(found.fields), body: found.body, written };
}
