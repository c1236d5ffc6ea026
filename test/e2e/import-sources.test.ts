import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import {
  BACKLOG_TREE,
  MARKDOWN_TREE,
  TBD_TREE,
  tbdId,
  writeTree,
} from "../sources/markdown-trees.ts";
import { type Box, box, type Ended } from "./box.ts";

const FIXTURES = join(import.meta.dirname, "../sources/fixtures");

function bring(format: string, input: string): readonly string[] {
  return ["import", "--merge", "--source-format", format, "--input", input];
}

interface ShowAnswer {
  readonly issue: {
    readonly title: string;
    readonly status: string;
    readonly closed_reason?: string;
    readonly owner?: string;
    readonly labels?: readonly string[];
    readonly metadata: Readonly<Record<string, unknown>>;
  };
}

async function show(b: Box, ref: string): Promise<ShowAnswer["issue"]> {
  return (await b.json<ShowAnswer>("show", ref)).issue;
}

async function piped(b: Box, input: string, ...words: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [b.launcher, ...words], { cwd: b.work, env: b.env });
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  return { code, stdout, stderr };
}

describe("importing from Taskwarrior", () => {
  const FILE = join(FIXTURES, "taskwarrior-small.json");
  const uuid = (digit: number) => `5b7d9c1e-2f4a-4c6b-8d0e-${String(digit).repeat(12)}`;

  test("works through a pipe, keeps tasks findable by uuid, and merges a later export of the same tasks", async () => {
    const b = box();
    await b.svc("init", "--project", "p");
    const export1 = readFileSync(FILE, "utf8");
    const first = await piped(b, export1, ...bring("taskwarrior", "-"));
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain("5 issues created");
    expect(await show(b, uuid(1))).toMatchObject({ title: "Order the seeds", status: "closed" });
    const ready = await b.json<{ issues: readonly { title: string }[] }>("ready");
    expect(ready.issues.map(({ title }) => title)).not.toContain("Sow the beds");

    await b.svc("label", "add", uuid(2), "mine");
    await b.svc("edit", uuid(6), "--title", "Water them all");
    const later = join(b.folder, "later.json");
    const export2 = export1
      .replace('"description":"Sow the beds"', '"description":"Sow all beds"')
      .replace('"modified":"20260105T080000Z"', '"modified":"20260301T080000Z"')
      .replace(/"urgency":[-.0-9]+/g, '"urgency":7.5');
    writeFileSync(later, export2);
    const second = await b.json<{ result: object }>(...bring("taskwarrior", later));
    expect(second.result).toMatchObject({ created: 0, updated: 1, conflicts: [] });
    expect(await show(b, uuid(2))).toMatchObject({ title: "Sow all beds" });
    expect((await show(b, uuid(2))).labels).toContain("mine");
    expect(await show(b, uuid(6))).toMatchObject({ title: "Water them all" });
    expect(await b.json<object>(...bring("taskwarrior", later))).toMatchObject({ changed: false });
  }, 60_000);

  test("refuses the whole file if a task is damaged", async () => {
    const b = box();
    await b.svc("init", "--project", "p");
    const damaged = readFileSync(FILE, "utf8").replace("20260102T070000Z", "yesterday");
    const { code, stderr } = await piped(b, damaged, ...bring("taskwarrior", "-"));
    expect(code).toBe(3);
    expect(stderr).toContain("line 4: ");
    expect((await b.json<{ issues: readonly object[] }>("list")).issues).toEqual([]);
  }, 60_000);
});

describe("importing from GitHub", () => {
  test("keeps issues findable by their number, and merges a later export of the same issues", async () => {
    const b = box();
    await b.svc("init", "--project", "p");
    const export1 = readFileSync(join(FIXTURES, "github-small.json"), "utf8");
    const first = await piped(b, export1, ...bring("github", "-"));
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain("3 issues created");
    expect(await show(b, "#3")).toMatchObject({ status: "closed", closed_reason: "wontfix" });

    await b.svc("edit", "gh-12", "--priority", "1");
    await b.svc("comment", "GH-12", "--body", "I look into it");
    const later = join(b.folder, "later.json");
    const export2 = export1
      .replace('"title":"Login hangs"', '"title":"Login hangs on Mondays"')
      .replace('"name":"ui"', '"name":"backend"')
      .replace('"body":"Since when?"', '"body":"Since when exactly?"')
      .replace('"updatedAt":"2026-02-02T11:00:00Z"', '"updatedAt":"2026-02-09T11:00:00Z"');
    writeFileSync(later, export2);
    const second = await b.json<{ result: object }>(...bring("github", later));
    expect(second.result).toMatchObject({ created: 0, updated: 1, conflicts: [] });
    const { issue, comments } = await b.json<ShowAnswer & { comments: readonly object[] }>(
      "show",
      "#12",
    );
    expect(issue).toMatchObject({ title: "Login hangs on Mondays", priority: 1, owner: "bea" });
    expect(issue.labels).toEqual(expect.arrayContaining(["backend", "good-first-issue"]));
    expect(issue.labels).not.toContain("ui");
    expect(comments).toMatchObject([
      { body: "Since when exactly?", author: "cid" },
      { body: "Since Monday." },
      { body: "I look into it", author: "ann" },
    ]);
    expect(await b.json<object>(...bring("github", later))).toMatchObject({ changed: false });
    const other = export1.replaceAll("/acme/Web/", "/acme/api/");
    expect((await piped(b, other, ...bring("github", "-"))).stdout).toContain("3 issues created");
  }, 60_000);
});

/** One issue is edited in the files, another one is edited in svc, and a third one is closed in the files. */
/** Without the older copy of a task, since a copy with another title counts as another task. */
const { "backlog/archive/tasks/shop-7 - Older.md": _older, ...BACKLOG } = BACKLOG_TREE;

describe.each([
  {
    format: "backlog",
    tree: BACKLOG,
    path: "backlog",
    created: 4,
    local: "SHOP-7.1",
    file: "backlog/tasks/shop-7 - Pay-by-card.md",
    edits: [
      ["title: 'Pay: by card'", "title: Pay by card"],
      ["- Check Out", "- Till"],
      ["Let people pay by card.", "Let everybody pay by card."],
      ["Which bank?", "Which bank, please?"],
    ],
    ref: "#7",
    title: "Pay by card",
    labels: ["till", "milestone:m-1"],
    gone: "check-out",
  },
  {
    format: "tbd",
    tree: TBD_TREE,
    path: ".tbd",
    created: 3,
    local: "web-b3m9",
    file: `.tbd/data-sync/issues/${tbdId(1)}.md`,
    edits: [
      ["title: Load the page faster", "title: Load every page faster"],
      ["  - perf", "  - speed"],
      ["updated_at: 2026-03-09", "updated_at: 2026-04-09"],
    ],
    ref: "web-a7k2",
    title: "Load every page faster",
    labels: ["speed", "type:epic"],
    gone: "perf",
  },
  {
    format: "markdown",
    tree: MARKDOWN_TREE,
    path: "",
    created: 4,
    local: "#12",
    file: "bugs/login-timeout.md",
    edits: [
      ["title: Login times out", "title: Login never ends"],
      ['"auth, #mobile"', '"auth, web"'],
    ],
    ref: "bugs/login-timeout",
    title: "Login never ends",
    labels: ["auth", "web"],
    gone: "mobile",
  },
] as const)(
  "importing from $format",
  ({ format, tree, path, created, local, file, edits, ref, title, labels, gone }) => {
    test("keeps issues findable by their ids, and merges changed files when they are imported again", async () => {
      const b = box();
      await b.svc("init", "--project", "p");
      const folder = writeTree(join(b.folder, "source"), tree);
      const words = bring(format, join(folder, path));
      const first = await b.json<{ result: object }>(...words);
      expect(first.result).toMatchObject({ created, errors: [] });
      expect(await b.json<object>(...words)).toMatchObject({ changed: false });

      await b.svc("edit", local, "--title", "Mine");
      await b.svc("label", "add", ref, "here");
      const text = edits.reduce<string>(
        (whole, [from, to]) => whole.replace(from, to),
        readFileSync(join(folder, file), "utf8"),
      );
      writeFileSync(join(folder, file), text);
      const second = await b.json<{ result: object }>(...words);
      expect(second.result).toMatchObject({ created: 0, updated: 1, conflicts: [], errors: [] });
      const issue = await show(b, ref);
      expect(issue.title).toBe(title);
      expect(issue.labels).toEqual(expect.arrayContaining([...labels, "here"]));
      expect(issue.labels).not.toContain(gone);
      expect((await show(b, local)).title).toBe("Mine");

      writeFileSync(join(folder, file), text.replace(/^title: .*$/m, 'title: "open'));
      const { code, stderr } = await b.svc(...words);
      expect([code, stderr]).toEqual([3, expect.stringContaining("not YAML")]);
      expect((await show(b, ref)).title).toBe(title);
    }, 90_000);
  },
);
