import { withFileLines } from "../input.ts";
import { type MappedFile, mapBeads } from "../neutral/map.ts";
import { withRegularFile } from "../spool.ts";

/** Reads and validates an export file of beads; nothing is sent yet. */
export async function readBeadsFile(path: string): Promise<MappedFile> {
  return await withRegularFile(path, async (file) => await withFileLines(file, mapBeads));
}
