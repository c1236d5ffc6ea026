import type { SvcError } from "../contract/errors.ts";
import type { SourceFormat } from "../domain/imports/formats.ts";
import { BACKLOG } from "./backlog/read.ts";
import { BEADS } from "./beads/read.ts";
import { brokenFileError } from "./files/refuse.ts";
import { GITHUB } from "./github/read.ts";
import { MARKDOWN } from "./markdown/read.ts";
import { type MappedFile, mapSource } from "./neutral/map.ts";
import { mergeMappings } from "./neutral/map-file.ts";
import type { Mapping } from "./neutral/mapping.ts";
import type { SourceReader } from "./neutral/record.ts";
import { NEUTRAL } from "./neutral-form/read.ts";
import { TASKWARRIOR } from "./taskwarrior/read.ts";
import { TBD } from "./tbd/read.ts";

/** The reader of each source format. A new format needs a reader, a row here and its name in `SOURCE_FORMATS`. */
const READERS: Readonly<Record<SourceFormat, SourceReader>> = {
  beads: BEADS,
  taskwarrior: TASKWARRIOR,
  github: GITHUB,
  neutral: NEUTRAL,
  backlog: BACKLOG,
  tbd: TBD,
  markdown: MARKDOWN,
};

export interface ReadOptions {
  /** The rules of the user's mapping file. */
  readonly own?: Mapping | undefined;
  /**
   * Whether the source contains all issues. If so, issues that were imported from it before and that it no longer
   * contains are deleted.
   */
  readonly complete?: boolean;
}

/** Reads and checks the whole source. Does not send anything. */
export async function readSource(
  format: SourceFormat,
  path: string,
  { own, complete = false }: ReadOptions = {},
): Promise<MappedFile> {
  const reader = READERS[format];
  const mapping = own === undefined ? reader.mapping : mergeMappings(reader.mapping, own);
  const file = mapSource(reader, await reader.read(path, mapping), mapping, own !== undefined);
  if (complete && file.count === 0) throw noIssues(file.format);
  return file;
}

/**
 * The error for an input without issues if --complete is given. Such an input is far more likely the output of a
 * program that failed than a sign that all work has ended.
 */
function noIssues(format: string): SvcError {
  return brokenFileError(
    {},
    `the input has no issue of ${format}, so --complete would delete all that came from there`,
    "check the program that wrote it; without --complete, issues that it names as deleted are still deleted",
  );
}
