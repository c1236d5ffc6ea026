import { basename } from "node:path";
import { withFileLines } from "../files/input.ts";
import type { Line } from "../files/lines.ts";
import { withRegularFile } from "../files/spool.ts";
import { collectIssues, type SourceData, type SourceReader } from "../neutral/record.ts";
import { DATE_FIELDS, FIELD_RULES } from "./fields.ts";
import { MAPPING } from "./mapping.ts";
import { withReadiness } from "./readiness.ts";
import { parseRecord } from "./record.ts";
import { backupPlace, inFile, withTables } from "./tables.ts";

/**
 * Reads an export file of beads, which has one JSON object per line, or a backup of beads: a folder with such a file
 * and with one file for each further table.
 */
export const BEADS: SourceReader = {
  prefix: "beads",
  rules: FIELD_RULES,
  dates: DATE_FIELDS,
  zeroIsUnset: true,
  mapping: MAPPING,
  read: async (path, mapping) => {
    const { issues, folder } = backupPlace(path);
    const read = async () =>
      await withRegularFile(issues, async (file) => await withFileLines(file, readBeads));
    const data = issues === path ? await read() : await inFile(basename(issues), read);
    return withReadiness(folder === undefined ? data : await withTables(data, folder), mapping);
  },
};

export async function readBeads(lines: AsyncIterable<Line>): Promise<SourceData> {
  return await collectIssues(parseLines(lines));
}

async function* parseLines(lines: AsyncIterable<Line>) {
  for await (const line of lines) yield parseRecord(line);
}
