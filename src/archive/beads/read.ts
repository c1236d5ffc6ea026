import { withFileLines } from "../input.ts";
import { withRegularFile } from "../spool.ts";
import { type MappedFile, mapBeads } from "./map.ts";

/** Reads an export file of beads whole and maps it; nothing is sent yet. */
export async function readBeadsFile(path: string): Promise<MappedFile> {
  return await withRegularFile(path, async (file) => await withFileLines(file, mapBeads));
}
