import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../base/json.ts";
import { brokenFileError, type Place } from "./refuse.ts";
import { withRegularFile } from "./spool.ts";
import { readTextFile } from "./text-file.ts";

/** The fields by which a record of each format is recognized. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  taskwarrior: ["uuid", "description", "entry"],
  github: ["number", "title", "state"],
  beads: ["id", "title", "issue_type"],
  svc: ["kind", "data"],
};

/** Refuses a record that has the fields of another format; the error names that format. */
export function refuseOther(wanted: string, place: Place, fields: JsonObject): void {
  const found = Object.entries(MARKS).find(
    ([format, names]) => format !== wanted && names.every((name) => fields[name] !== undefined),
  );
  if (found === undefined) return;
  const [format] = found;
  throw brokenFileError(
    place,
    `this looks like ${format}, not like ${wanted}`,
    format === "svc" ? "leave --source-format and --merge out" : `use --source-format ${format}`,
  );
}

/** The files and folders by which the folder of a tracker is recognized. */
const FOLDERS: readonly (readonly [format: string, sign: string])[] = [
  ["tbd", "mappings/ids.yml"],
  ["tbd", "data-sync/mappings/ids.yml"],
  ["tbd", ".tbd/config.yml"],
  ["backlog", "backlog/config.yml"],
  ["backlog", "backlog/tasks"],
  ["beads", ".beads/issues.jsonl"],
  ["beads", "issues.jsonl"],
];

export async function refuseOtherFolder(wanted: string, path: string): Promise<void> {
  for (const [format, sign] of FOLDERS) {
    if (format === wanted) continue;
    if ((await stat(join(path, sign)).catch(() => undefined)) === undefined) continue;
    throw brokenFileError(
      {},
      `${path} looks like ${format}, not like ${wanted}`,
      `use --source-format ${format}`,
    );
  }
}

const MAX_BYTES = 256 * 1024 * 1024;

/** Reads the text of a source that is one file or standard input. */
export async function readSourceText(format: string, path: string): Promise<string> {
  if (path !== "-") await refuseOtherFolder(format, path);
  return await withRegularFile(path, async (file) => await readTextFile(file, MAX_BYTES, path));
}
