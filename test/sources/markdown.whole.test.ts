import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SourceFormat } from "../../src/domain/imports/formats.ts";
import { readSource } from "../../src/sources/formats.ts";
import { scratch } from "../archive/targets.ts";
import {
  BACKLOG_TREE,
  MARKDOWN_TREE,
  TBD_TREE,
  type Tree,
  tbdId,
  writeTree,
} from "./markdown-trees.ts";

async function mapTree(format: SourceFormat, tree: Tree, inside = "") {
  return await mapFolder(format, join(writeTree(await scratch(), tree), inside));
}

async function mapFolder(format: SourceFormat, path: string) {
  const file = await readSource(format, path);
  const items = [...file.items];
  const find = (id: string) => {
    const item = items.find(({ external_id }) => external_id === id);
    if (item === undefined)
      throw new Error(`no ${id} among ${items.map((one) => one.external_id).join(" ")}`);
    return item;
  };
  return { ...file, items, find, account: file.account() };
}

async function refusal(format: SourceFormat, tree: Tree, inside = ""): Promise<unknown> {
  return await mapTree(format, tree, inside).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("a folder of Backlog.md", () => {
  test("is read although its config.yml is a pipe", async () => {
    const root = writeTree(await scratch(), { "tasks/a.md": "---\nid: task-1\ntitle: T\n---\n" });
    execFileSync("mkfifo", [join(root, "config.yml")]);
    expect((await mapFolder("backlog", root)).items).toHaveLength(1);
  });

  test("gives tasks with their text, people, dates and comments", async () => {
    const { items, find } = await mapTree("backlog", BACKLOG_TREE);
    expect(items.map(({ external_id }) => external_id)).toEqual([
      "task-3",
      "shop-5",
      "shop-7",
      "shop-7.1",
    ]);
    expect(find("shop-7")).toEqual({
      external_id: "shop-7",
      title: "Pay: by card",
      body: "Let people pay by card.\n\n## Acceptance Criteria\n- [x] #1 The form asks for a card\n- [ ] #2 A refused card says why\n\n## Implementation Notes\n\nAsk the bank.",
      author: "cid",
      owner: "ann",
      priority: 1,
      status: "open",
      created_at: "2026-03-01T09:00:00.000Z",
      updated_at: "2026-03-06T08:00:00.000Z",
      labels: ["check-out", "milestone:m-1", "status:in-progress", "type:feature"],
      metadata: {
        "backlog.id": "SHOP-7",
        "backlog.assignee": ["@ann", "@bea"],
        "backlog.labels": ["Check Out"],
        "backlog.milestone": "m-1",
        "backlog.references": ["https://example.org/spec"],
        "backlog.ordinal": 7000,
        deadline_on: "2026-06-01",
      },
      links: [
        { type: "blocks", target_external_id: "task-3", incoming: true, author: "unknown" },
        { type: "blocks", target_external_id: "shop-09", incoming: true, author: "unknown" },
      ],
      comments: [
        {
          external_id: expect.stringMatching(/^shop-7\/~[0-9a-f]{16}$/),
          author: "bea",
          body: "Which bank?",
          created_at: "2026-03-02T10:00:00.000Z",
        },
        {
          external_id: expect.stringMatching(/^shop-7\/~[0-9a-f]{16}$/),
          author: "unknown",
          body: "The old one.\n\nBoth cards.",
          created_at: "2026-03-06T08:00:00.000Z",
        },
      ],
    });
  });

  test("decides by folder and configuration what is closed, and leaves drafts out", async () => {
    const { find, account } = await mapTree("backlog", BACKLOG_TREE, "backlog");
    expect(find("task-3")).toMatchObject({
      status: "closed",
      closed_reason: "done",
      closed_at: "2026-02-01T00:00:00.000Z",
      owner: "ann",
      metadata: { "backlog.status": "Live" },
      comments: [{ author: "ann", body: "Was easy.", created_at: "2026-01-05T10:00:00.000Z" }],
    });
    expect(find("shop-5")).toMatchObject({ status: "closed", closed_reason: "wontfix" });
    expect(find("shop-7.1")).toMatchObject({
      priority: 3,
      links: [{ type: "parent", target_external_id: "shop-7" }],
    });
    expect(account.other_records).toEqual({ draft: 1 });
    expect(account.superseded).toBe(1);
    expect(account.records).toBe(6);
  });

  test("finds tasks by number, by an older prefix and with leading zeros", async () => {
    const task = (id: string, dependencies: string) =>
      `---\nid: ${id}\ntitle: T\nstatus: To Do\ncreated_date: 2026-01-01\ndependencies: ${dependencies}\n---\n`;
    const { find } = await mapTree("backlog", {
      "config.yml": "task_prefix: shop\n",
      "tasks/a.md": task("SHOP-10.2", "[]"),
      "tasks/b.md": task("shop-11", "[task-10.02, 12, '99']"),
      "tasks/c.md": task("12", "[]"),
    });
    expect(find("shop-11").links?.map(({ target_external_id }) => target_external_id)).toEqual([
      "shop-10.2",
      "shop-12",
      "shop-99",
    ]);
  });
});

describe("a folder of tbd", () => {
  test.each(["", ".tbd", ".tbd/data-sync"])(
    "is read from %j, with the ids that people use",
    async (inside) => {
      const { items, find } = await mapTree("tbd", TBD_TREE, inside);
      expect(items.map(({ external_id }) => external_id)).toEqual([
        "web-a7k2",
        "web-0622",
        "web-b3m9",
      ]);
      expect(find("web-a7k2")).toEqual({
        external_id: "web-a7k2",
        title: "Load the page faster",
        body: "Measure first.\n\n## Notes\n\nSee the profile.",
        author: "unknown",
        owner: "ann",
        priority: 1,
        status: "open",
        created_at: "2026-01-17T23:21:11.137Z",
        updated_at: "2026-03-09T16:12:31.170Z",
        labels: ["perf", "type:epic"],
        metadata: {
          "tbd.id": tbdId(1),
          "tbd.spec_path": "docs/specs/fast.md",
          deadline_on: "2026-06-01T00:00:00.000Z",
        },
        links: [{ type: "blocks", target_external_id: "web-b3m9", author: "unknown" }],
        comments: [],
      });
    },
  );

  test("closes by resolution, and parks paused issues", async () => {
    const { find } = await mapTree("tbd", TBD_TREE);
    expect(find("web-0622")).toMatchObject({
      status: "closed",
      closed_reason: "wontfix",
      closed_at: "2026-01-19T00:00:00.000Z",
      author: "bea",
      metadata: { "tbd.close_reason": "The network does it." },
      links: [{ type: "parent", target_external_id: "web-a7k2" }],
    });
    expect(find("web-b3m9")).toMatchObject({
      priority: 0,
      labels: ["hold:paused", "status:in-progress", "type:task"],
      metadata: { someday: true },
    });
  });

  test("a folder of tbd without its prefix or its short ids is refused, since ids would change later", async () => {
    const { ".tbd/config.yml": _config, ...noConfig } = TBD_TREE;
    expect(await refusal("tbd", noConfig)).toMatchObject({
      message: expect.stringContaining("no config.yml says the prefix of its ids") as string,
    });
    const { ".tbd/data-sync/mappings/ids.yml": _ids, ...noIds } = TBD_TREE;
    expect(await refusal("tbd", noIds)).toMatchObject({
      message: expect.stringContaining("the file with the short ids is missing") as string,
    });
  });
});

describe("a folder of Markdown files", () => {
  test("accepts titles, words, lists and times as people write them", async () => {
    const { items, find, account } = await mapTree("markdown", MARKDOWN_TREE);
    expect(items.map(({ external_id }) => external_id)).toEqual([
      "release",
      "#12",
      "SEC-4",
      "bugs/login-timeout",
    ]);
    expect(find("bugs/login-timeout")).toEqual({
      external_id: "bugs/login-timeout",
      title: "Login times out",
      body: "It waits for ever.",
      author: "unknown",
      owner: "ann",
      priority: 0,
      status: "open",
      created_at: "2026-02-01T00:00:00.000Z",
      updated_at: "2026-02-03T09:00:00.000Z",
      labels: ["auth", "mobile", "status:in-progress"],
      metadata: { "markdown.component": "gateway", "markdown.estimate": "1.50" },
      links: [
        { type: "blocks", target_external_id: "#12", incoming: true, author: "unknown" },
        { type: "blocks", target_external_id: "SEC-4", incoming: true, author: "unknown" },
        { type: "blocks", target_external_id: "release", author: "unknown" },
      ],
      comments: [
        {
          external_id: expect.stringMatching(/^bugs\/login-timeout\/~[0-9a-f]{16}$/),
          author: "bea",
          body: "Only on Mondays.",
          created_at: "2026-02-02T00:00:00.000Z",
        },
      ],
    });
    expect(find("release")).toMatchObject({
      title: "The first release",
      labels: ["status:someday", "type:epic"],
      metadata: { someday: true },
    });
    expect(find("SEC-4")).toMatchObject({
      status: "closed",
      closed_reason: "wontfix",
      metadata: { deadline_on: "2026-05-01" },
      links: [{ type: "parent", target_external_id: "release" }],
    });
    expect(account.other_records).toEqual({
      "file without front matter": 1,
      "file whose front matter says neither id, title nor status": 1,
    });
    expect([account.issues, account.kept]).toEqual([5, 4]);
  });

  test.each<[string, string, object]>([
    ["status: Done", "closed", { closed_reason: "done" }],
    ["status: cancelled", "closed", { closed_reason: "wontfix" }],
    [
      "status: duplicate\nduplicate_of: b",
      "closed",
      { closed_reason: "duplicate", links: [{ type: "related" }] },
    ],
    ["state: closed\nresolution: not planned", "closed", { closed_reason: "wontfix" }],
    ["done: true", "closed", { closed_reason: "done" }],
    ["completed: 2026-02-01", "closed", { closed_at: "2026-02-01T00:00:00.000Z" }],
    ["done: false", "open", { labels: [] }],
    ["status: in_review", "open", { labels: ["status:in-review"] }],
    ["status: On Hold", "open", { metadata: { someday: true } }],
  ])(
    "a file with %s in its front matter becomes an issue that is %s",
    async (line, status, more) => {
      const { find } = await mapTree("markdown", {
        "a.md": `---\ntitle: T\ncreated: 2026-01-01\n${line}\n---\n`,
      });
      expect(find("a")).toMatchObject({ status, ...more });
    },
  );

  test.each<[string, number | undefined]>([
    ["0", 0],
    ["4", 4],
    ["5", undefined],
    ["P1", 1],
    ["Critical", 0],
    ["medium", 2],
    ["lowest", 4],
    ["soonish", undefined],
  ])("the priority %s is read as %s", async (word, priority) => {
    const { find } = await mapTree("markdown", {
      "a.md": `---\ntitle: T\npriority: ${word}\n---\n`,
    });
    expect(find("a").priority).toBe(priority);
    expect("markdown.priority" in find("a").metadata).toBe(priority === undefined);
  });

  test("gives no creation time after the close, whatever the time of its file", async () => {
    const { find } = await mapTree("markdown", {
      "a.md": "---\ntitle: T\nstatus: done\nclosed_at: 2026-01-10\n---\n",
      "b.md": "---\ntitle: T\nstatus: open\n---\n",
    });
    expect(find("a")).toMatchObject({
      created_at: "2026-01-10T00:00:00.000Z",
      updated_at: "2026-01-10T00:00:00.000Z",
      closed_at: "2026-01-10T00:00:00.000Z",
    });
    expect(find("b").created_at).toBe(find("b").updated_at);
  });

  test("keeps the second of two equivalent fields in the metadata", async () => {
    const { find } = await mapTree("markdown", {
      "a.md": "---\ntitle: One\nname: Two\nowner: bea\nassignee: ann\nstatus: open\n---\n",
    });
    expect(find("a")).toMatchObject({
      title: "One",
      owner: "ann",
      metadata: { "markdown.name": "Two", "markdown.owner": "bea" },
    });
  });

  test("a folder of 5,000 files is read completely, in the order of the paths, without following links out of it", async () => {
    const root = await scratch();
    const folder = join(root, "issues");
    const files = Array.from({ length: 5000 }, (_, at): [string, string] => [
      `${at % 10}/${at}.md`,
      `---\ntitle: Issue ${at}\nstatus: open\ncreated: 2026-01-01\n---\n\nText.\n`,
    ]);
    writeTree(folder, Object.fromEntries(files));
    writeFileSync(join(root, "secret.md"), "---\ntitle: Secret\n---\n");
    mkdirSync(join(root, "more"));
    symlinkSync(join(root, "secret.md"), join(folder, "link.md"));
    symlinkSync(join(root, "more"), join(folder, "more"));
    symlinkSync(folder, join(folder, "1", "loop"));
    const { items, account } = await mapFolder("markdown", folder);
    expect(items).toHaveLength(5000);
    expect(account.other_records).toEqual({ "symbolic link": 3 });
  }, 60_000);
});

describe("damaged front matter", () => {
  const good = "---\ntitle: Fine\n---\n";

  test.each<[string, string, string]>([
    ["does not end", "---\ntitle: T\n\nText", "b/bad.md, line 1: the front matter does not end"],
    [
      "has a bare colon",
      "---\nstatus: open\ntitle: One: two\n---\n",
      "b/bad.md, line 3: not YAML: Nested mappings",
    ],
    [
      "has a field twice",
      "---\ntitle: a\ntitle: b\n---\n",
      "b/bad.md, line 3: the field title is there twice",
    ],
    [
      "has an invisible character",
      "---\ntitle: T\n\u0001\nstatus: open\n---\n",
      "b/bad.md, line 3: not YAML: an invisible control character (U+0001)",
    ],
    ["has an open quote", '---\ntitle: "a\n---\n', "b/bad.md, line "],
    ["is a list", "---\n- a\n---\n", "b/bad.md, line 2: the front matter is no list of fields"],
    [
      "repeats itself",
      "---\na: &a [1]\nb: [*a, *a]\ntitle: T\n---\n",
      "b/bad.md, line 2: an alias for a list or a map",
    ],
    ["has an id twice", "---\nid: x\n---\n", "b/bad.md: it has the id x, as a.md has"],
  ])("is refused with file, line and remedy: it %s", async (_name, text, message) => {
    const found = await refusal("markdown", {
      "a.md": "---\nid: x\n---\n",
      "b/bad.md": text,
      "c.md": good,
    });
    expect(found).toMatchObject({ code: "validation", hint: expect.any(String) as string });
    expect((found as Error).message).toContain(message);
    expect((found as Error).message).toContain("; nothing was written");
  });

  test("front matter with 30,000 fields is read without delay", async () => {
    const fields = Array.from({ length: 30_000 }, (_, at) => `k${at}: v`).join("\n");
    const { items } = await mapTree("markdown", { "a.md": `---\ntitle: T\n${fields}\n---\n` });
    expect(Object.keys(items[0]?.metadata ?? {})).toHaveLength(30_000);
  });

  test("front matter of a file that is not UTF-8 is refused with the name of the file", async () => {
    const root = writeTree(await scratch(), { "a.md": good });
    writeFileSync(join(root, "b.md"), Buffer.from("---\ntitle: caf\xe9\n---\n", "latin1"));
    await expect(mapFolder("markdown", root)).rejects.toMatchObject({
      message: "b.md, line 2: not UTF-8 text; nothing was written",
    });
  });
});

describe("a path that is no folder of the tracker", () => {
  test.each<[SourceFormat, Tree, string, string]>([
    ["markdown", BACKLOG_TREE, "", "looks like backlog, not like markdown"],
    ["markdown", TBD_TREE, ".tbd", "looks like tbd, not like markdown"],
    ["markdown", { "a.txt": "a" }, "", "has no Markdown file with front matter for an issue"],
    ["backlog", TBD_TREE, "", "looks like tbd, not like backlog"],
    ["backlog", { "a.md": "---\ntitle: a\n---\n" }, "", "has no folder tasks"],
    ["tbd", BACKLOG_TREE, "", "looks like backlog, not like tbd"],
    ["tbd", { "a.md": "---\ntitle: a\n---\n" }, "", "has no issues of tbd"],
    ["taskwarrior", BACKLOG_TREE, "", "looks like backlog, not like taskwarrior"],
    ["github", MARKDOWN_TREE, "", "it is a folder"],
    ["beads", { "a.json": '[\n{"uuid":"1"}\n]' }, "a.json", "line 1: not a JSON object"],
    [
      "beads",
      { "a.json": '{"number":1,"title":"a","state":"OPEN"}' },
      "a.json",
      "looks like github, not like beads",
    ],
  ])("is refused by %s with the remedy", async (format, tree, inside, message) => {
    const found = await refusal(format, tree, inside);
    expect(found).toMatchObject({ code: "validation", hint: expect.any(String) as string });
    expect((found as Error).message).toContain(message);
  });

  test.each<SourceFormat>(["markdown", "backlog", "tbd"])(
    "%s is not read from standard input",
    async (format) => {
      await expect(readSource(format, "-")).rejects.toMatchObject({ code: "validation" });
    },
  );
});
