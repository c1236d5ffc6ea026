import { basename } from "node:path";
import { withFileLines } from "../input.ts";
import type { Line } from "../lines.ts";
import { collectIssues, type SourceData, type SourceReader } from "../neutral/record.ts";
import { withRegularFile } from "../spool.ts";
import { DATE_FIELDS, FIELD_RULES } from "./fields.ts";
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
  mapping: {
    statuses: {
      open: { status: "open" },
      closed: { status: "closed" },
      tombstone: { status: "deleted" },
      deferred: {
        status: "open",
        label: "status:deferred",
        someday: true,
        why: "svc has no such status",
      },
    },
    types: {},
    links: { "parent-child": "parent", blocks: "blocked-by", related: "related" },
  },
  read: async (path) => {
    const { issues, folder } = backupPlace(path);
    const read = async () =>
      await withRegularFile(issues, async (file) => await withFileLines(file, readBeads));
    const data = issues === path ? await read() : await inFile(basename(issues), read);
    return folder === undefined ? data : await withTables(data, folder);
  },
};

export async function readBeads(lines: AsyncIterable<Line>): Promise<SourceData> {
  return await collectIssues(parsed(lines));
}

async function* parsed(lines: AsyncIterable<Line>) {
  for await (const line of lines) yield parseRecord(line);
}
