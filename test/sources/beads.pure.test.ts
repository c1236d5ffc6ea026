import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { msToInstant } from "../../src/base/clock.ts";
import { BEADS, readBeads } from "../../src/sources/beads/read.ts";
import { type Line, readLines } from "../../src/sources/files/lines.ts";
import type { ImportAccountRow } from "../../src/sources/neutral/account.ts";
import type { ImportItem } from "../../src/sources/neutral/item.ts";
import { type MappedFile, mapSource } from "../../src/sources/neutral/map.ts";
import { reportAccount } from "../../src/sources/neutral/report.ts";
import { countExport, largeExport } from "./beads-file.ts";
import { copiesOfOneIssue } from "./copies.ts";

const SMALL = join(import.meta.dirname, "fixtures/beads-small.jsonl");

async function mapFile(path: string) {
  return allOf(await mapBeads(readLines(createReadStream(path))));
}

async function mapBeads(lines: AsyncIterable<Line>): Promise<MappedFile> {
  return mapSource(BEADS, await readBeads(lines), BEADS.mapping);
}

/** Returns the items that the file says it has, with the counts it gives. */
function allOf(file: MappedFile) {
  const items = [...file.items];
  const linked = items.filter(({ links = [] }) => links.length > 0);
  expect({ count: items.length, linked: linked.length }).toEqual({
    count: file.count,
    linked: file.linked,
  });
  return { items, account: file.account() };
}

async function mapText(...lines: readonly (string | object)[]) {
  const text = lines
    .map((line) => (typeof line === "string" ? line : JSON.stringify(line)))
    .join("\n");
  return allOf(await mapBeads(readLines(Readable.from([Buffer.from(text)]))));
}

function issue(fields: object = {}): object {
  return {
    id: "x-1",
    title: "T",
    status: "open",
    priority: 2,
    issue_type: "task",
    created_at: "2025-01-01T00:00:00Z",
    updated_at: "2025-01-02T00:00:00Z",
    ...fields,
  };
}

async function mapOne(fields: object): Promise<ImportItem> {
  const { items } = await mapText(issue(fields));
  const [item] = items;
  if (item === undefined) throw new Error("the issue was left out");
  return item;
}

function outcomes(rows: readonly ImportAccountRow[], name: string): Record<string, number> {
  const row = rows.find((one) => one.name === name);
  return Object.fromEntries(
    (row?.outcomes ?? []).map((one) => [`${one.kind} ${one.to ?? one.why}`, one.count]),
  );
}

describe("a small export with every oddity of beads", () => {
  test("gives an issue its text, people, dates and labels", async () => {
    const { items } = await mapFile(SMALL);
    expect(items.map((item) => item.external_id)).toEqual(["ab-1", "ab-2", "ab-3", "ab-4", "ab-5"]);
    expect(items[0]).toEqual({
      external_id: "ab-1",
      title: "Ship the first release",
      body: "All of it.\n\n## Design\n\nOne binary.\n\n## Acceptance criteria\n\nIt starts.\n\n## Notes\n\nAsk Ann.",
      author: "bea",
      owner: "ann",
      status: "open",
      priority: 0,
      created_at: "2025-03-01T08:00:00.123Z",
      updated_at: "2025-03-02T10:00:00.000Z",
      labels: ["release", "type:epic", "uber-alles"],
      metadata: {
        "beads.id": "ab-1",
        "beads.owner": "ann@example.invalid",
        "beads.labels": ["Release", "release", "über alles", "日本"],
      },
      comments: [],
      links: [],
    });
  });

  test("gives a closed issue its close and its comments", async () => {
    const { items } = await mapFile(SMALL);
    expect(items[1]).toMatchObject({
      title: "Write the parser",
      status: "closed",
      closed_at: "2025-03-04T11:00:00.000Z",
      closed_reason: "done",
      author: "unknown",
      metadata: { "beads.id": "ab-2", "beads.close_reason": "Merged" },
      comments: [
        {
          external_id: expect.stringMatching(/^ab-2\/~[0-9a-f]{16}$/),
          author: "cid",
          body: "Half done",
          created_at: "2025-03-02T09:00:00.000Z",
        },
      ],
      links: [
        {
          type: "parent",
          target_external_id: "ab-1",
          author: "bea",
          created_at: "2025-03-01T12:00:00.000Z",
        },
      ],
    });
  });

  test("turns statuses that svc lacks into labels, and does not offer deferred issues as work", async () => {
    const { items } = await mapFile(SMALL);
    const [, , inProgress, parked, scheduled] = items;
    expect(inProgress).toMatchObject({
      status: "open",
      labels: ["status:in_progress", "type:merge-request"],
    });
    expect(parked).toMatchObject({
      labels: ["status:deferred", "type:task"],
      metadata: { someday: true, "beads.priority": 7 },
    });
    expect(parked).not.toHaveProperty("priority");
    expect(scheduled?.metadata).toMatchObject({
      scheduled_on: "2031-01-01T00:00:00.000Z",
      deadline_on: "2031-02-01T00:00:00.000Z",
    });
    expect(scheduled?.metadata).not.toHaveProperty("someday");
  });

  test("keeps a field without a rule unchanged, numbers to the last digit", async () => {
    const { items } = await mapFile(SMALL);
    expect(JSON.stringify(items[4]?.metadata)).toContain(
      '"beads.estimated_minutes":90,"beads.metadata":{"weight":1.50,"big":123456789012345678901}',
    );
    expect(items[4]?.metadata).not.toHaveProperty(["beads.pinned"]);
  });

  test("keeps a field that is named like a property of every object", async () => {
    expect((await mapOne({ constructor: "c", status: "valueOf" })).metadata).toMatchObject({
      "beads.constructor": "c",
    });
  });

  test("keeps edges without an exact link type in the metadata of their issue", async () => {
    const { items, account } = await mapFile(SMALL);
    expect(items[2]?.links).toEqual([
      { type: "blocks", incoming: true, target_external_id: "ab-2", author: "unknown" },
      { type: "parent", target_external_id: "ab-1", author: "unknown" },
      // The other ends of these links are not imported yet.
      { type: "blocks", incoming: true, target_external_id: "ab-9", author: "unknown" },
      { type: "related", target_external_id: "xy-77", author: "unknown" },
    ]);
    expect(items[2]?.metadata["beads.edges"]).toEqual([
      { to: "ab-4", kind: "parent-child" },
      { to: "ab-3", kind: "related" },
      { to: "xy-77", kind: "tracks" },
    ]);
    expect(items[3]?.links).toEqual([
      { type: "related", target_external_id: "ab-3", author: "unknown" },
      { type: "parent", target_external_id: "ab-5", author: "unknown" },
    ]);
    expect(account.links).toEqual({ parent: 3, blocks: 1, related: 1 });
  });

  test("names every loss in its summary", async () => {
    const { account } = await mapFile(SMALL);
    expect(account).toMatchObject({
      records: 8,
      issues: 6,
      kept: 5,
      tombstones: 1,
      superseded: 1,
      other_records: { memory: 1 },
      label_collisions: [{ label: "release", from: ["Release", "release"] }],
    });
    const why = (kind: string): readonly (string | undefined)[] =>
      account.edges
        .find((row) => row.name === kind)
        ?.outcomes.map((one) => one.why?.split(";")[0]) ?? [];
    expect(why("parent-child")).toEqual([
      undefined,
      "the child has a parent already",
      "the parents would go in a circle",
    ]);
    expect(why("blocks")).toEqual([
      undefined,
      "the other end is a tombstone",
      "its issue is a tombstone",
    ]);
    expect(why("related")).toEqual(["both ends are one issue"]);
    expect(why("tracks")).toEqual(["the other end is not in the file"]);
    expect(why("validates")).toEqual(["a link of this kind joins the two already"]);
    expect(account.comments[0]?.outcomes).toMatchObject([
      { kind: "kept", count: 1 },
      { kind: "dropped", count: 1 },
    ]);
    expect(account.filled).toContainEqual(expect.objectContaining({ name: "author", read: 4 }));
  });
});

describe("limits of svc", () => {
  test("keep a title of 1024 characters, and cut a longer one that stays whole in the body", async () => {
    const fits = "ü".repeat(1024);
    expect(await mapOne({ title: fits, description: "d" })).toMatchObject({
      title: fits,
      body: "d",
    });
    const item = await mapOne({ title: `${fits}!`, description: "d" });
    expect(item.title).toBe(fits);
    expect(item.body).toBe(`Full title: ${fits}!\n\nd`);
  });

  test.each([
    ["", "(no title)"],
    ["  ", "(no title)"],
    [undefined, "(no title)"],
    [" a ", " a "],
  ])("turn a title %j into %j", async (title, expected) => {
    expect(await mapOne({ title })).toMatchObject({ title: expected });
  });

  test("keep a name of 256 bytes, and cut a longer one, whose full text is kept in the metadata", async () => {
    const fits = "n".repeat(256);
    expect((await mapOne({ assignee: fits })).metadata).not.toHaveProperty(["beads.assignee"]);
    const item = await mapOne({ assignee: `${fits}n`, created_by: " ann " });
    expect(item).toMatchObject({
      owner: fits,
      author: "ann",
      metadata: { "beads.assignee": `${fits}n`, "beads.created_by": " ann " },
    });
  });

  test("keep a body of 28,055 characters whole", async () => {
    const description = "é".repeat(28_055);
    expect((await mapOne({ description })).body).toBe(description);
  });

  test.each([
    [0, 0],
    [4, 4],
    [5, undefined],
    [-1, undefined],
    [1.5, undefined],
    ["2", 2],
  ])("turn priority %j into %j", async (priority, expected) => {
    const item = await mapOne({ priority });
    expect(item.priority).toBe(expected);
    expect("beads.priority" in item.metadata).toBe(expected === undefined);
  });

  test("ignore a closing time of an open issue, and Go's zero time", async () => {
    const open = await mapOne({ closed_at: "2025-01-03T00:00:00Z" });
    expect(open).toMatchObject({
      status: "open",
      metadata: { "beads.closed_at": "2025-01-03T00:00:00Z" },
    });
    expect(open).not.toHaveProperty("closed_at");
    expect(await mapOne({ status: "closed", closed_at: "0001-01-01T00:00:00Z" })).toMatchObject({
      closed_at: "2025-01-02T00:00:00.000Z",
    });
  });
});

describe("the time of the last change", () => {
  const comment = (created_at: string) => ({
    comments: [{ id: 1, author: "a", text: "t", created_at }],
  });

  test.each([
    ["2025-01-01T23:59:59Z", "2025-01-02T00:00:00.000Z"],
    ["2025-01-02T00:00:00Z", "2025-01-02T00:00:00.000Z"],
    ["2025-01-02T00:00:01Z", "2025-01-02T00:00:01.000Z"],
  ])("the time of the last change with a comment of %s is %s", async (at, updated_at) => {
    expect(await mapOne(comment(at))).toMatchObject({ updated_at });
  });
});

test("1,000 equal comments get a distinct name each, which the daemon accepts", async () => {
  const one = { id: 1, author: "a", text: "+1", created_at: "2025-01-01T00:00:00Z" };
  const item = await mapOne({ comments: Array.from({ length: 1000 }, () => one) });
  const names = (item?.comments ?? []).map(({ external_id }) => external_id);
  expect(new Set(names).size).toBe(1000);
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThan(512);
});

describe("a file with a broken line is refused with the number of the line", () => {
  const good = JSON.stringify(issue());
  test.each([
    ["not JSON", '{"id":'],
    ["a merge conflict", "<<<<<<< HEAD"],
    ["not an object", "[1]"],
    ["no id", { title: "T", created_at: "2025-01-01T00:00:00Z" }],
    ["a blank id", issue({ id: " " })],
    ["an id of 257 characters", issue({ id: "x".repeat(257) })],
    ["a year of five digits", issue({ created_at: "9999-12-31T23:59:59-08:00" })],
    ["no creation time", issue({ created_at: undefined })],
    ["an invalid time", issue({ created_at: "yesterday" })],
    ["30 February", issue({ updated_at: "2025-02-30T00:00:00Z" })],
    ["a title that is no text", issue({ title: 7 })],
    ["labels that are no list", issue({ labels: "a" })],
    ["a label that is no text", issue({ labels: [1] })],
    ["an edge without its end", issue({ dependencies: [{ type: "blocks" }] })],
    ["an edge that is no object", issue({ dependencies: ["x-2"] })],
    ["a comment whose text is a number", issue({ comments: [{ text: 1 }] })],
  ])("a broken line is refused with its number: %s", async (_, line) => {
    await expect(mapText(good, "", line, good)).rejects.toMatchObject({
      code: "validation",
      data: { line: 3 },
    });
  });
});

describe("a large export of beads", () => {
  const file = largeExport();
  const counted = countExport(readFileSync(file.path, "utf8"));
  const known = file.shared ? SHARED_NUMBERS : MADE_NUMBERS;

  test("has a summary that matches the counts of independent code", async () => {
    const { items, account } = await mapFile(file.path);
    expect(items).toHaveLength(counted.kept);
    expect(account.records).toBe(counted.lines);
    expect(read(account.statuses)).toEqual(counted.statuses);
    expect(read(account.edges)).toEqual(counted.kinds);
    expect(account.links).toEqual({
      parent: counted.parent,
      blocks: counted.blocks,
      related: counted.related,
    });
    expect(items.flatMap((item) => item.comments)).toHaveLength(counted.comments);
    const ids = new Set(items.map((item) => item.external_id));
    const now = items
      .flatMap((item) => item.links ?? [])
      .filter((link) => ids.has(link.target_external_id));
    expect(now).toHaveLength(counted.parent + counted.blocks + counted.related);
  });

  test("has the known numbers of the file", async () => {
    const { account } = await mapFile(file.path);
    expect(read(account.statuses)).toEqual(known.statuses);
    expect(account.links).toEqual(known.links);
    expect(account.types).toHaveLength(known.types);
    expect(outcomes(account.edges, "discovered-from")).toMatchObject({
      "mapped link related": known.discovered,
    });
    expect(outcomes(account.labels, "labels")).toEqual(known.labels);
    expect(outcomes(account.comments, "comments")).toEqual(known.comments);
  });

  test("has a report that fits 80 columns and names the counts", async () => {
    const { account } = await mapFile(file.path);
    const lines = reportAccount(account).split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines[0]).toContain(`${counted.kept.toLocaleString("en")} for svc`);
  });
});

/** The numbers of the shared file, from its description, and of the made file that replaces it where it is missing. */
const SHARED_NUMBERS = {
  statuses: { closed: 2318, open: 311, hooked: 28, tombstone: 346 },
  links: { parent: 532, blocks: 518, related: 78 },
  types: 13,
  discovered: 69,
  labels: { "kept label": 38, "dropped deleted in beads": 40 },
  comments: { "kept comment with its author and time": 15, "dropped deleted in beads": 1 },
};
const MADE_NUMBERS = {
  statuses: { closed: 1744, open: 901, hooked: 58, tombstone: 300 },
  links: { parent: 2452, blocks: 2341, related: 162 },
  types: 4,
  discovered: 148,
  labels: { "kept label": 60, "mapped label, and metadata beads.labels": 60 },
  comments: { "kept comment with its author and time": 30 },
};

function read(rows: readonly ImportAccountRow[]): Record<string, number> {
  return Object.fromEntries(rows.map((row) => [row.name, row.read]));
}

describe("any export of beads", () => {
  const id = fc.integer({ min: 0, max: 12 }).map((n) => `x-${n}`);
  const when = fc.integer({ min: 0, max: 4_102_444_800_000 }).map(msToInstant);
  const record = fc.record(
    {
      id,
      created_at: when,
      updated_at: when,
      title: fc.string({ unit: "binary" }),
      description: fc.string({ unit: "binary" }),
      status: fc.constantFrom(
        "open",
        "closed",
        "tombstone",
        "hooked",
        "deferred",
        "Ünder Review",
        "日",
      ),
      priority: fc.oneof(fc.integer({ min: -1, max: 6 }), fc.double({ noNaN: true })),
      assignee: fc.string({ unit: "grapheme" }),
      created_by: fc.string({ unit: "grapheme", maxLength: 300 }),
      labels: fc.array(fc.string({ unit: "grapheme" })),
      comments: fc.array(
        fc.record(
          {
            id: fc.integer({ min: 1, max: 3 }),
            text: fc.string(),
            author: fc.string(),
            created_at: when,
          },
          { requiredKeys: [] },
        ),
      ),
      dependencies: fc.array(
        fc.record(
          {
            depends_on_id: id,
            type: fc.constantFrom("parent-child", "blocks", "related", "until", "tracks"),
            created_by: fc.string(),
          },
          { requiredKeys: ["depends_on_id"] },
        ),
      ),
      closed_at: when,
      extra: fc.jsonValue(),
    },
    { requiredKeys: ["id", "created_at"] },
  );

  test("has an outcome for every value that was read, and every item keeps the limits of svc", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 25 }).map(copiesOfOneIssue),
        async (records) => {
          const { items, account } = await mapText(...records);
          const ids = new Set(records.map((one) => one.id));
          expect(account.issues).toBe(ids.size);
          expect(account.kept + account.tombstones).toBe(account.issues);
          expect(sum(account.statuses)).toBe(account.issues);
          expect(sum(account.types)).toBe(account.issues);
          for (const name of ["id", "created_at"]) {
            const row = [...account.fields, ...account.dates].find((one) => one.name === name);
            expect(row?.read ?? 0).toBe(account.issues);
          }
          expect(items.map((item) => item.external_id).toSorted()).toEqual(
            [...new Set(items.map((item) => item.external_id))].toSorted(),
          );
          for (const item of items) expectWithinLimits(item);
          expectNoParentCircle(items);
        },
      ),
      { numRuns: 300 },
    );
  });
});

function sum(rows: readonly ImportAccountRow[]): number {
  return rows.reduce((total, row) => total + row.read, 0);
}

function expectWithinLimits({ comments = [], links = [], ...item }: ImportItem): void {
  expect(item.title.trim()).not.toBe("");
  expect(Array.from(item.title).length).toBeLessThanOrEqual(1024);
  for (const name of [item.author, item.owner ?? "x", ...comments.map((one) => one.author)]) {
    expect(name).toBe(name.trim());
    expect(name).not.toBe("");
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(256);
  }
  for (const label of item.labels) expect(label).toMatch(/^[a-z0-9._:-]{1,64}$/);
  for (const comment of comments) expect(comment.body.trim()).not.toBe("");
  expect(new Set(comments.map((one) => one.external_id)).size).toBe(comments.length);
  expect(JSON.stringify([item.title, item.body, item.author])).not.toMatch(/\\u0000|\\ud[89a-f]/i);
  expect(item.status === "closed").toBe(item.closed_at !== undefined);
  for (const link of links) expect(link.target_external_id).not.toBe(item.external_id);
  expect(links.filter((link) => link.type === "parent").length).toBeLessThanOrEqual(1);
}

function expectNoParentCircle(items: readonly ImportItem[]): void {
  const parentOf = new Map(
    items.flatMap((item) =>
      (item.links ?? [])
        .filter((link) => link.type === "parent")
        .map((link) => [item.external_id, link.target_external_id]),
    ),
  );
  for (const start of parentOf.keys()) {
    const seen = new Set<string>();
    for (let at: string | undefined = start; at !== undefined; at = parentOf.get(at)) {
      expect(seen).not.toContain(at);
      seen.add(at);
    }
  }
}
