import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { msToInstant } from "../../src/base/clock.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { showIssue } from "../../src/contract/issues.ts";
import { readLines } from "../../src/sources/files/lines.ts";
import { mapSource } from "../../src/sources/neutral/map.ts";
import { NEUTRAL, readNeutral } from "../../src/sources/neutral-form/read.ts";
import { sendItems } from "../../src/sources/send.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";
import { copiesOfOneIssue } from "./copies.ts";

const DOCS = readFileSync(join(import.meta.dirname, "../../docs/import.md"), "utf8");
const EXAMPLE = /^\{"id":"PROJ-12".*$/m.exec(DOCS)?.[0] ?? "";

async function mapText(text: string | Uint8Array) {
  const lines = readLines(Readable.from([Buffer.from(text)]));
  return mapSource(NEUTRAL, await readNeutral(lines, NEUTRAL.mapping), NEUTRAL.mapping);
}

async function mapLines(...lines: readonly (string | object)[]) {
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  const file = await mapText(texts.join("\n"));
  return { items: [...file.items], account: file.account() };
}

const record = (fields: object = {}): object => ({
  id: "P-1",
  title: "T",
  created_at: "2026-01-01T00:00:00Z",
  ...fields,
});

describe("the neutral form", () => {
  test("the example of the documentation is imported as documented", async () => {
    const { items, account } = await mapLines(EXAMPLE);
    expect(items).toEqual([
      {
        external_id: "PROJ-12",
        title: "Login fails after a redirect",
        body: "Steps:\n1. Log out",
        author: "ann",
        owner: "bea",
        status: "closed",
        closed_reason: "wontfix",
        priority: 1,
        labels: ["auth", "type:bug", "ui"],
        created_at: "2026-01-04T08:30:00.000Z",
        updated_at: "2026-02-01T10:00:00.000Z",
        closed_at: "2026-02-01T10:00:00.000Z",
        metadata: {
          "neutral.id": "PROJ-12",
          deadline_on: "2026-03-01",
          scheduled_on: "2026-02-20",
          team: "web",
          "neutral.sprint": 14,
        },
        comments: [
          {
            external_id: "PROJ-12/1",
            author: "bea",
            body: "Seen on staging too.",
            created_at: "2026-01-06T08:00:00.000Z",
          },
        ],
        links: [
          { type: "parent", target_external_id: "PROJ-3", author: "unknown" },
          { type: "blocks", incoming: true, target_external_id: "PROJ-10", author: "unknown" },
          {
            type: "related",
            target_external_id: "PROJ-9",
            author: "ann",
            created_at: "2026-01-05T10:00:00.000Z",
          },
        ],
      },
    ]);
    expect(account.fields.find(({ name }) => name === "sprint")?.outcomes).toEqual([
      { kind: "mapped", to: "metadata neutral.sprint", count: 1 },
    ]);
    expect(account.filled).toEqual([]);
  });

  test("each type of link decides which of the two issues is its start", async () => {
    const { items, account } = await mapLines(
      record({
        links: [
          { type: "child", to: "P-2" },
          { type: "blocks", to: "P-3" },
          { type: "child", to: "P-9" },
          { type: "related", to: "P-1" },
        ],
      }),
      record({ id: "P-2", parent: "P-1", links: [{ type: "blocked-by", to: "P-3" }] }),
      record({ id: "P-3", links: [{ type: "blocked-by", to: "P-1" }] }),
    );
    const links = items.map((item) => [
      item.external_id,
      ...(item.links ?? []).map(
        (link) => `${link.type}${link.incoming === true ? " from" : ""} ${link.target_external_id}`,
      ),
    ]);
    expect(links).toEqual([
      ["P-1", "blocks P-3"],
      ["P-2", "parent P-1", "blocks from P-3"],
      ["P-3"],
    ]);
    expect(account.links).toEqual({ parent: 1, blocks: 2, related: 0 });
    expect(items.map((item) => item.metadata["neutral.edges"])).toEqual([
      [
        { to: "P-9", kind: "child" },
        { to: "P-1", kind: "related" },
      ],
      undefined,
      undefined,
    ]);
  });

  test("metadata of any name is kept", async () => {
    const metadata = JSON.parse('{"__proto__":{"a":1},"b":2}') as object;
    const { items } = await mapLines(record({ metadata }));
    expect(JSON.stringify(items[0]?.metadata)).toContain('"__proto__":{"a":1},"b":2');
  });

  test("an issue without times, author and status gets defaults, and the summary says so", async () => {
    const { items, account } = await mapLines(
      record({ status: "closed", closed_at: "2026-01-03T00:00:00Z" }),
      record({ id: "P-2", deadline_on: "2026-03-01T10:00:00+02:00", links: [], owner: "" }),
    );
    expect(items[0]).toMatchObject({
      updated_at: "2026-01-03T00:00:00.000Z",
      closed_reason: "done",
      author: "unknown",
    });
    expect(items[1]).toMatchObject({
      status: "open",
      updated_at: "2026-01-01T00:00:00.000Z",
      metadata: { deadline_on: "2026-03-01T08:00:00.000Z" },
    });
    expect(account.filled.map(({ name, read }) => [name, read])).toEqual([
      ["author", 2],
      ["updated_at", 2],
      ["closed_reason", 1],
    ]);
  });

  test("a byte order mark, Windows line ends, blank lines and older copies are accepted", async () => {
    const lines = [
      record({ body: "older" }),
      "",
      record({ body: "newer", updated_at: "2026-02-01T00:00:00Z" }),
    ].map((line) => (line === "" ? "" : JSON.stringify(line)));
    const file = await mapText(`\uFEFF${lines.join("\r\n")}\r\n\r\n`);
    expect([...file.items].map(({ body }) => body)).toEqual(["newer"]);
    expect(file.account()).toMatchObject({ issues: 1, superseded: 1 });
  });
});

describe("an array of records", () => {
  const ARRAY = JSON.stringify([record(), record({ id: "P-2", body: "[{" })], undefined, 2);

  test("is read like lines, in any layout", async () => {
    for (const text of [ARRAY, `\uFEFF\n${ARRAY}\r\n`, JSON.stringify(JSON.parse(ARRAY))]) {
      const file = await mapText(text);
      expect([...file.items].map(({ external_id }) => external_id)).toEqual(["P-1", "P-2"]);
    }
    expect((await mapText("[]")).count).toBe(0);
  });

  test.each([
    ["a wrong record in it", ARRAY.replace('"P-2"', "2"), "line 7: id is not text"],
    ["an end that was cut off", ARRAY.slice(0, -2), "line 12: the list does not end"],
    ["what is no object", "[\n1]", "line 2: not JSON objects"],
  ])("is refused for %s, with its line", async (_, text, message) => {
    await expect(mapText(text)).rejects.toMatchObject({
      code: "validation",
      message: expect.stringContaining(message),
    });
  });
});

describe("a wrong record is refused with its line, the field and the remedy", () => {
  const link = (fields: object) => record({ links: [{ type: "blocks", to: "P-2", ...fields }] });
  test.each([
    [
      "kind in a link",
      record({ links: [{ kind: "blocks", to: "P-2" }] }),
      "links: kind is no field: write type",
    ],
    [
      "an unknown name for the other end",
      record({ links: [{ type: "blocks", target: "P-2" }] }),
      "links: target is no field: write to",
    ],
    [
      "an unknown field of a link",
      link({ weight: 3 }),
      "links: weight is no field; there are type, to, author, created_at",
    ],
    ["a link without type", record({ links: [{ to: "P-2" }] }), "links: type is missing"],
    ["a link without its end", record({ links: [{ type: "blocks" }] }), "links: to is missing"],
    [
      "a misspelt type of link",
      link({ type: "blocked_by" }),
      'links: type "blocked_by" has no meaning: write blocked-by',
    ],
    ["an unknown type of link", link({ type: "parent-child" }), "(the other is its parent)"],
    [
      "the name of a property of every object as a type of link",
      link({ type: "constructor" }),
      "has no meaning",
    ],
    [
      "links that are no list",
      record({ links: { type: "blocks", to: "P-2" } }),
      "links is not a list",
    ],
    [
      "another tracker's name of a field",
      record({ assignee: "ann" }),
      "assignee is no field: write owner, or put it into metadata to keep its name",
    ],
    [
      "a field in another spelling",
      record({ createdAt: "x" }),
      "createdAt is no field: write created_at",
    ],
    ["a misspelt field", record({ titel: "x" }), "titel is no field: write title"],
    ["no id", record({ id: undefined }), "id is missing"],
    ["a number as id", record({ id: 7 }), "id is not text"],
    ["an id of control characters", record({ id: "a\nb" }), "id holds control characters"],
    [
      "an id of 257 characters",
      record({ id: "x".repeat(257) }),
      "id is longer than 256 characters",
    ],
    ["a blank title", record({ title: " " }), "title is blank: every issue needs one"],
    [
      "an unknown status",
      record({ status: "in review" }),
      'status "in review" has no meaning: write open or closed, or say in a mapping file (--map) what it means',
    ],
    [
      "an unknown close reason",
      record({ closed_reason: "fixed" }),
      "write one of them, and other words into metadata",
    ],
    [
      "a priority in words",
      record({ priority: "high" }),
      'priority "high" is no whole number from 0, the highest, to 4',
    ],
    [
      "no creation time",
      record({ created_at: undefined }),
      "created_at is missing: write a time with its zone",
    ],
    [
      "a time without zone",
      record({ updated_at: "2026-01-01T10:00:00" }),
      'updated_at "2026-01-01T10:00:00" has no time zone: write',
    ],
    [
      "a time with a space and no zone",
      record({ updated_at: "2026-01-01 10:00:00" }),
      "has no time zone",
    ],
    ["a day for a time", record({ closed_at: "2026-01-01" }), "has no time zone"],
    [
      "30 February",
      record({ created_at: "2026-02-30T10:00:00Z" }),
      'created_at "2026-02-30T10:00:00Z" is no time: write',
    ],
    [
      "a deadline on 30 February",
      record({ deadline_on: "2026-02-30" }),
      'deadline_on "2026-02-30" must be YYYY-MM-DD',
    ],
    ["a label that is no text", record({ labels: [1] }), "labels is not a list of texts"],
    [
      "201 labels",
      record({ labels: Array.from({ length: 201 }, (_, at) => `l${at}`) }),
      "more than 198 labels",
    ],
    [
      "a comment with another word for its text",
      record({ comments: [{ text: "x" }] }),
      "comments: text is no field: write body",
    ],
    [
      "a value that a reserved key does not accept",
      record({ metadata: { someday: "yes" } }),
      "metadata someday: must be true",
    ],
    [
      "a key that only svc writes",
      record({ metadata: { "cron.occurrence": "x" } }),
      "is written by the daemon only",
    ],
    [
      "a deadline stated twice",
      record({ deadline_on: "2026-03-01", metadata: { deadline_on: "2026-03-02" } }),
      "deadline_on is a field and in metadata",
    ],
    ["a list", "[1]", "not a JSON object"],
  ])("a wrong record is refused: %s", async (_, line, message) => {
    await expect(mapLines(record(), "", line)).rejects.toMatchObject({
      code: "validation",
      data: { line: 3 },
      message: expect.stringContaining(message),
    });
  });
});

describeStore("an import of the neutral form", (open) => {
  test("the documentation's example is imported, and a second import of it changes nothing", async () => {
    const w = await world({ store: open });
    const params = { project_id: (await w.given.project()).id };
    const bring = async () =>
      await sendItems(
        await mapText(EXAMPLE),
        async (items) => await w.call(importIssues, { params, body: { source: "neutral", items } }),
        () => undefined,
      );
    const { items, ...first } = await bring();
    expect(first).toMatchObject({ created: 1, comments: 1, errors: [] });
    const ref = items[0]?.issue_short_id ?? "";
    const shown = await w.call(showIssue, { params: { ...params, ref }, query: {} });
    expect(shown.issue).toMatchObject({
      title: "Login fails after a redirect",
      status: "closed",
      closed_reason: "wontfix",
      owner: "bea",
      priority: 1,
    });
    expect(await bring()).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  });

  test("accepts every well-formed record", async () => {
    const w = await world({ store: open });
    const params = { project_id: (await w.given.project()).id };
    const id = fc.integer({ min: 0, max: 6 }).map((n) => `P-${n}`);
    const when = fc.integer({ min: 0, max: 4_102_444_800_000 }).map(msToInstant);
    const text = fc.string({ unit: "grapheme" });
    const any = fc.record(
      {
        id,
        title: text.map((words) => `t ${words}`),
        created_at: when,
        updated_at: when,
        closed_at: when,
        body: fc.string({ unit: "binary" }),
        status: fc.constantFrom("open", "closed"),
        closed_reason: fc.constantFrom("done", "wontfix"),
        type: text,
        priority: fc.integer({ min: 0, max: 4 }),
        author: text,
        owner: text,
        labels: fc.array(text, { maxLength: 4 }),
        parent: id,
        links: fc.array(
          fc.record({
            type: fc.constantFrom("parent", "child", "blocks", "blocked-by", "related"),
            to: id,
          }),
          { maxLength: 4 },
        ),
        comments: fc.array(fc.record({ body: text, created_at: when }), { maxLength: 2 }),
        deadline_on: fc.constantFrom("2026-03-01", "2026-03-01T10:00", "2026-03-01T10:00:00+02:00"),
      },
      { requiredKeys: ["id", "title", "created_at"] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(any, { maxLength: 10 }).map(copiesOfOneIssue), async (records) => {
        const file = await mapText(records.map((one) => JSON.stringify(one)).join("\n"));
        const items = [...file.items];
        const body = { source: "neutral", items, dry_run: true };
        expect((await w.call(importIssues, { params, body })).created).toBe(file.count);
      }),
      { numRuns: open.dialect === "sqlite" ? 100 : 30 },
    );
  });
});
