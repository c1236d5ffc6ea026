import { parseInstant } from "../../base/clock.ts";
import { isPlainObject } from "../../base/json.ts";
import { withFileLines } from "../files/input.ts";
import { jsonObjects, type ObjectAt } from "../files/json-objects.ts";
import type { Line } from "../files/lines.ts";
import { withRegularFile } from "../files/spool.ts";
import {
  authorRule,
  bodyRule,
  closedRule,
  createdRule,
  idRule,
  keepInMetadata,
  ownerRule,
  priorityRule,
  see,
  titleRule,
  updatedRule,
  wording,
} from "../neutral/fields.ts";
import { LINK_WORDS, type Mapping } from "../neutral/mapping.ts";
import {
  collectIssues,
  type FieldRule,
  parseObject,
  type SourceData,
  type SourceReader,
} from "../neutral/record.ts";
import { neutralIssue } from "./record.ts";

/** Reads svc's neutral form, into which the data of any tracker can be converted (docs/import.md). */
export const NEUTRAL: SourceReader = {
  prefix: "neutral",
  rules: {
    id: idRule,
    title: titleRule,
    body: bodyRule,
    status: see("statuses"),
    closed_reason: closedReason,
    type: see("types"),
    priority: priorityRule,
    author: authorRule,
    owner: ownerRule,
    labels: see("labels"),
    parent: see("edges"),
    links: see("edges"),
    comments: see("comments"),
    created_at: createdRule,
    updated_at: updatedRule,
    closed_at: closedRule,
    deadline_on: dateRule("deadline_on"),
    scheduled_on: dateRule("scheduled_on"),
    metadata: ownMetadata,
  },
  dates: new Set(["created_at", "updated_at", "closed_at", "deadline_on", "scheduled_on"]),
  mapping: {
    statuses: { open: { status: "open" }, closed: { status: "closed" } },
    types: {},
    links: Object.fromEntries(
      LINK_WORDS.filter((word) => word !== "ignore").map((word) => [word, word]),
    ),
  },
  read: async (path, mapping) =>
    await withRegularFile(
      path,
      async (file) => await withFileLines(file, async (lines) => await readNeutral(lines, mapping)),
    ),
};

export async function readNeutral(
  lines: AsyncIterable<Line>,
  mapping: Mapping,
): Promise<SourceData> {
  return await collectIssues(issuesOf(lines, mapping));
}

async function* issuesOf(lines: AsyncIterable<Line>, mapping: Mapping) {
  const own = new Set<string>();
  for await (const { line, fields } of objectsOf(lines))
    yield neutralIssue(line, fields, mapping, own);
}

/** Yields the objects of the file: one per line, or all in one array with any line breaks. */
async function* objectsOf(lines: AsyncIterable<Line>): AsyncGenerator<ObjectAt> {
  let isArray: boolean | undefined;
  const array: string[] = [];
  for await (const line of lines) {
    isArray ??= line.text.startsWith("[");
    if (!isArray) {
      yield { line: line.number, fields: parseObject(line) };
      continue;
    }
    // `lines` leaves out blank lines. They are added again here, so that errors name the right line.
    while (array.length < line.number - 1) array.push("");
    array.push(line.text);
  }
  yield* jsonObjects(array.join("\n"));
}

function closedReason(...[value, mapped, issue, name]: Parameters<FieldRule>) {
  if (mapped.status !== "closed")
    return { ...keepInMetadata(value, mapped, issue, name), why: "the issue is not closed" };
  mapped.closedReason = value as typeof mapped.closedReason;
  return { kind: "kept", to: "closed_reason" } as const;
}

/** A rule for a planning date: a day, a time without a zone, or an instant. */
function dateRule(key: string): FieldRule {
  return (value, mapped) => {
    mapped.metadata[key] = parseInstant(wording(value)) ?? value;
    return { kind: "mapped", to: `metadata ${key}` };
  };
}

function ownMetadata(...[value, mapped]: Parameters<FieldRule>) {
  if (isPlainObject(value)) Object.assign(mapped.metadata, value);
  return { kind: "kept", to: "metadata" } as const;
}
