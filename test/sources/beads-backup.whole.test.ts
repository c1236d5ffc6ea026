import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readSource } from "../../src/sources/index.ts";
import { reportAccount } from "../../src/sources/neutral/report.ts";
import { largeExport } from "./beads-file.ts";

const TIME = "2026-03-01T10:00:00Z";

/** Rows as `bd backup` wrote them: every column of the table. */
const TABLES: Readonly<Record<string, readonly object[]>> = {
  "issues.jsonl": [
    {
      id: "b-1",
      title: "One",
      status: "open",
      issue_type: "task",
      priority: 1,
      pinned: 0,
      created_at: TIME,
      updated_at: TIME,
      metadata: "{}",
    },
    {
      id: "b-2",
      title: "Two",
      status: "open",
      issue_type: "bug",
      priority: 2,
      pinned: 0,
      created_at: TIME,
      updated_at: TIME,
      metadata: "{}",
    },
  ],
  "dependencies.jsonl": [
    {
      issue_id: "b-2",
      depends_on_id: "b-1",
      type: "blocks",
      created_at: TIME,
      created_by: "ann",
      metadata: "{}",
    },
    {
      issue_id: "b-1",
      depends_on_id: "b-2",
      type: "related",
      created_at: TIME,
      created_by: "ann",
      metadata: '{"gate":"any"}',
    },
    {
      issue_id: "b-99",
      depends_on_id: "b-1",
      type: "blocks",
      created_at: TIME,
      created_by: "ann",
      metadata: "{}",
    },
  ],
  "labels.jsonl": [{ issue_id: "b-1", label: "ui" }],
  "comments.jsonl": [
    {
      id: "0198-c",
      issue_id: "b-1",
      author: "bea",
      text: "Seen",
      created_at: "2026-03-02T10:00:00Z",
    },
  ],
  "events.jsonl": [
    {
      id: "0198-e",
      issue_id: "b-1",
      event_type: "created",
      actor: "ann",
      old_value: "",
      new_value: "",
      comment: null,
      created_at: TIME,
    },
  ],
  "config.jsonl": [{ key: "issue_prefix", value: "b" }],
};

const SEEN = { kind: "mapped", to: "see comments" };
const LEFT = { kind: "dropped", why: "svc begins a log of its own" };

/** Writes a folder with these tables. `more` replaces the text of some tables; `undefined` leaves a table out. */
function backup(more: Readonly<Record<string, string | undefined>> = {}, below = ""): string {
  const root = mkdtempSync(join(tmpdir(), "svc-backup-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, below), { recursive: true });
  const texts = Object.entries(TABLES).map(
    ([name, rows]) => [name, rows.map((row) => `${JSON.stringify(row)}\n`).join("")] as const,
  );
  for (const [name, text] of Object.entries({ ...Object.fromEntries(texts), ...more }))
    if (text !== undefined) writeFileSync(join(root, below, name), text);
  return root;
}

async function read(path: string) {
  const file = await readSource("beads", path);
  return { items: [...file.items], account: file.account() };
}

describe("a backup of beads in split tables", () => {
  test("adds the edges, labels and comments of the tables to the issues", async () => {
    const { items, account } = await read(backup());
    expect(items).toMatchObject([
      {
        external_id: "b-1",
        labels: ["type:task", "ui"],
        updated_at: "2026-03-02T10:00:00.000Z",
        comments: [{ external_id: "b-1/0198-c", author: "bea", body: "Seen" }],
        links: [{ type: "related", target_external_id: "b-2", author: "ann" }],
      },
      {
        external_id: "b-2",
        links: [{ type: "blocks", incoming: true, target_external_id: "b-1" }],
      },
    ]);
    expect(account.links).toEqual({ parent: 0, blocks: 1, related: 1 });
    expect(account.files?.map(({ name, read: rows }) => [name, rows])).toEqual([
      ["issues.jsonl", 2],
      ["dependencies.jsonl", 3],
      ["labels.jsonl", 1],
      ["comments.jsonl", 1],
      ["events.jsonl", 1],
      ["config.jsonl", 1],
    ]);
    const text = reportAccount(account);
    expect(text).toContain("Files read");
    expect(text).toContain("left out: its issue is not in issues.jsonl");
    expect(text).toContain("left out: svc begins a log of its own");
  });

  test("counts together all lines of a table that have the same outcome", async () => {
    const events = '{"id":1}\n{"id":2}\n{"id":3}\n';
    const comment = { id: 1, issue_id: "b-1", author: "ann", text: "+1", created_at: TIME };
    const rows = [comment, comment, { ...comment, author: "bea" }];
    const comments = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    const { items, account } = await read(
      backup({ "events.jsonl": events, "comments.jsonl": comments }),
    );
    expect(account.files?.slice(3, 5)).toEqual([
      { name: "comments.jsonl", read: 3, outcomes: [{ ...SEEN, count: 3 }] },
      { name: "events.jsonl", read: 3, outcomes: [{ ...LEFT, count: 3 }] },
    ]);
    expect(items[0]?.comments?.map(({ author }) => author)).toEqual(["ann", "ann", "bea"]);
  });

  test("keeps the fields of an edge that a link cannot hold", async () => {
    const { items } = await read(backup());
    expect(items[0]?.metadata["beads.edges"]).toEqual([
      {
        metadata: '{"gate":"any"}',
        to: "b-2",
        kind: "related",
        created_at: "2026-03-01T10:00:00.000Z",
        created_by: "ann",
      },
    ]);
    expect(items[1]?.metadata).not.toHaveProperty(["beads.edges"]);
  });

  test.each([
    ["its issues file", "", "issues.jsonl"],
    ["the .beads folder around it", "backup", ""],
    ["its issues file below .beads", "backup", "backup/issues.jsonl"],
  ])("is found by the path of %s", async (_, below, name) => {
    const { account } = await read(join(backup({}, below), name));
    expect(account.links.blocks).toBe(1);
  });

  test("gives the same issues as an export that has everything on the lines of the issues", async () => {
    const { path } = largeExport();
    const lines = readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "");
    const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const table = (name: string, row: (id: unknown, value: unknown) => object): string =>
      rows
        .flatMap(({ id, [name]: list }) =>
          ((list ?? []) as readonly unknown[]).map(
            (value) => `${JSON.stringify(row(id, value))}\n`,
          ),
        )
        .join("");
    const folder = backup({
      "issues.jsonl": rows
        .map((row) => ({ ...row, dependencies: [], labels: [], comments: [] }))
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(""),
      "dependencies.jsonl": table("dependencies", (id, edge) => ({
        ...(edge as object),
        issue_id: id,
      })),
      "labels.jsonl": table("labels", (id, label) => ({ issue_id: id, label })),
      "comments.jsonl": table("comments", (id, comment) => ({
        ...(comment as object),
        issue_id: id,
      })),
    });
    const [split, whole] = [await read(folder), await read(path)];
    expect(split.items).toEqual(whole.items);
    expect(split.account.links).toEqual(whole.account.links);
    expect(split.account.edges).toEqual(whole.account.edges);
  });

  test("imports an edge once if both a table and the line of its issue have it", async () => {
    const [one, two] = TABLES["issues.jsonl"] ?? [];
    const [edge] = TABLES["dependencies.jsonl"] ?? [];
    const issues = [one, { ...two, dependencies: [edge], labels: ["api"] }];
    const folder = backup({ "issues.jsonl": issues.map((row) => JSON.stringify(row)).join("\n") });
    const { items, account } = await read(folder);
    expect(items[1]).toMatchObject({ links: [{ type: "blocks" }], labels: ["api", "type:bug"] });
    expect(account.files?.[1]?.outcomes.map(({ why, count }) => [why, count])).toEqual([
      ["the issue has it already", 1],
      [undefined, 1],
      ["its issue is not in issues.jsonl", 1],
    ]);
  });

  test("ignores files beside an export that has everything on its lines", async () => {
    const rest = { "labels.jsonl": undefined, "comments.jsonl": undefined };
    const folder = backup({ ...rest, "dependencies.jsonl": undefined, "events.jsonl": "no JSON" });
    expect((await read(join(folder, "issues.jsonl"))).account.files).toBeUndefined();
  });
});

describe("a broken backup is refused with the file and the line", () => {
  const edge = JSON.stringify(TABLES["dependencies.jsonl"]?.[0]);
  test.each([
    ["dependencies.jsonl", `${edge}\n\n{"issue_id":`, "dependencies.jsonl: line 3: not JSON"],
    [
      "dependencies.jsonl",
      '{"depends_on_id":"b-1"}',
      "dependencies.jsonl: line 1: issue_id is missing",
    ],
    [
      "dependencies.jsonl",
      '{"issue_id":"b-1"}',
      "dependencies.jsonl: line 1: dependencies: depends_on_id is missing",
    ],
    ["labels.jsonl", '{"issue_id":"b-1"}', "labels.jsonl: line 1: label is missing"],
    [
      "comments.jsonl",
      '{"issue_id":"b-1","text":1}',
      "comments.jsonl: line 1: comments: text is not text",
    ],
    ["events.jsonl", "[]", "events.jsonl: line 1: not a JSON object"],
    ["config.jsonl", "{", "config.jsonl: line 1: not JSON"],
    ["issues.jsonl", '{"id":"b-1"}', "issues.jsonl: line 1: created_at is missing"],
    [
      "labels.jsonl",
      undefined,
      "labels.jsonl: it is not there, and other tables of the backup are",
    ],
    ["issues.jsonl", undefined, "it is a folder without issues.jsonl"],
  ])("the file %s with the content %j is refused with: %s", async (name, text, message) => {
    await expect(read(backup({ [name]: text }))).rejects.toMatchObject({
      code: "validation",
      message: expect.stringContaining(message),
    });
  });

  test("a table that is a pipe, which would block the import for ever, is refused", async () => {
    const folder = backup({ "labels.jsonl": undefined });
    execFileSync("mkfifo", [join(folder, "labels.jsonl")]);
    await expect(read(folder)).rejects.toThrow("labels.jsonl: it is a pipe");
  });

  test("a table that is a folder is refused", async () => {
    const folder = backup({ "labels.jsonl": undefined });
    mkdirSync(join(folder, "labels.jsonl"));
    await expect(read(folder)).rejects.toMatchObject({
      message: expect.stringMatching(/cannot read .*labels\.jsonl: it is a folder/),
    });
  });
});
