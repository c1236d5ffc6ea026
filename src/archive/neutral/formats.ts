import type { SourceFormat } from "../../domain/imports/formats.ts";
import { BACKLOG } from "../backlog/read.ts";
import { BEADS } from "../beads/read.ts";
import { GITHUB } from "../github/read.ts";
import { MARKDOWN } from "../markdown/read.ts";
import { NEUTRAL } from "../neutral-form/read.ts";
import { TASKWARRIOR } from "../taskwarrior/read.ts";
import { TBD } from "../tbd/read.ts";
import { type MappedFile, mapSource } from "./map.ts";
import { mergeMappings } from "./map-file.ts";
import type { Mapping } from "./mapping.ts";
import type { SourceReader } from "./record.ts";

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

/** Reads and checks the whole source. Nothing is sent yet. `own` has the rules of the user's mapping file. */
export async function readSource(
  format: SourceFormat,
  path: string,
  own?: Mapping,
): Promise<MappedFile> {
  const reader = READERS[format];
  const mapping = own === undefined ? reader.mapping : mergeMappings(reader.mapping, own);
  return mapSource(reader, await reader.read(path, mapping), mapping, own !== undefined);
}
