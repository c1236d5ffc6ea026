import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/base/json.ts";
import { mapSource } from "../../src/sources/neutral/map.ts";
import type { SourceData, SourceIssue, SourceReader } from "../../src/sources/neutral/record.ts";
import { readTaskwarrior, TASKWARRIOR } from "../../src/sources/taskwarrior/read.ts";

const THEN = "2026-01-01T00:00:00.000Z";
const READER: SourceReader = { ...TASKWARRIOR, prefix: "any" };

function mapIssue(fields: Partial<SourceIssue>) {
  const issue: SourceIssue = {
    id: "x-1",
    title: undefined,
    status: "pending",
    createdAt: THEN,
    updatedAt: THEN,
    links: [],
    comments: [],
    labels: [],
    fields: {},
    ...fields,
  };
  const data: SourceData = {
    byId: new Map([[issue.id, issue]]),
    records: 1,
    superseded: 0,
    other: {},
  };
  return [...mapSource(READER, data, READER.mapping).items][0];
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);

const nested = (levels: number) => {
  let value: JsonValue = "end";
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

describe("an issue that the daemon would refuse", () => {
  test.each<[string, Partial<SourceIssue>, string]>([
    [
      "labels",
      { labels: many(196) },
      "issue x-1 has 196 labels, more than the 195 that an import takes",
    ],
    [
      "links",
      { links: many(1001).map((to) => ({ from: "x-1", to, kind: "depends" })) },
      "issue x-1 has 1001 links, more than the 1000 that an import takes",
    ],
    [
      "an id with a line break",
      { id: "x\n1" },
      'issue x\n1 has or names an id that svc cannot take: "x\\n1"',
    ],
    [
      "a link to nothing",
      { links: [{ from: "x-1", to: "", kind: "depends" }] },
      'issue x-1 has or names an id that svc cannot take: ""',
    ],
    [
      "half a character in an id",
      { id: "x\ud800" },
      "issue x\ud800 has or names an id that svc cannot take: ",
    ],
    [
      "a field that nests too deep",
      { fields: { own: nested(100_000) } },
      'issue x-1 nests its field "own" deeper than 240 levels',
    ],
    [
      "a comment with a long id",
      { comments: [{ id: "c".repeat(513), author: "", text: "a", createdAt: THEN }] },
      "issue x-1 has or names an id that svc cannot take: ",
    ],
  ])("is refused before anything is sent: %s", (_name, fields, message) => {
    expect(() => mapIssue(fields)).toThrow(message);
    expect(() => mapIssue(fields)).toThrow("; nothing was written");
  });

  test("is accepted if it only reaches the limits", () => {
    const own = nested(240);
    expect(mapIssue({ fields: { own } })?.metadata).toEqual({ "any.own": own });
    expect(mapIssue({ labels: many(195) })?.labels).toHaveLength(195);
    const links = many(1000).map((to) => ({ from: "x-1", to, kind: "depends" }));
    expect(mapIssue({ links })?.links).toHaveLength(1000);
  });
});

test("characters that svc cannot store are replaced in metadata, including its keys", () => {
  const fields = { udas: { "a\ud800": ["\0", 1] } };
  expect(mapIssue({ fields })?.metadata).toEqual({ "any.udas": { "a\ufffd": ["\ufffd", 1] } });
});

test("invisible texts count as blank", async () => {
  const uuid = "5b7d9c1e-2f4a-4c6b-8d0e-111111111111";
  const task = {
    uuid,
    description: "\u200b",
    status: "pending",
    entry: "20260101T000000Z",
    annotations: [{ entry: "20260101T000000Z", description: "\u2800\u200b" }],
  };
  const data = await readTaskwarrior(JSON.stringify(task));
  const [item] = mapSource(TASKWARRIOR, data, TASKWARRIOR.mapping).items;
  expect(item).toMatchObject({ title: "(no title)", comments: [] });
  expect(
    mapIssue({ comments: [{ id: "1", author: "\u200b", text: "a", createdAt: THEN }] }),
  ).toMatchObject({
    comments: [{ author: "unknown" }],
  });
});
