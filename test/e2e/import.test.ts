import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countExport, largeExport } from "../sources/beads-file.ts";
import { type Box, box } from "./box.ts";

const SMALL = join(import.meta.dirname, "../sources/fixtures/beads-small.jsonl");

interface Outcome {
  readonly changed: boolean;
  readonly result: Readonly<
    Record<"created" | "updated" | "unchanged" | "comments" | "links", number>
  > & {
    readonly errors: readonly string[];
    readonly reasons: object;
  };
  readonly account: { readonly kept: number; readonly tombstones: number };
}

interface Listed {
  readonly issues: readonly {
    readonly title: string;
    readonly status: string;
    readonly short_id: string;
    readonly labels?: readonly string[];
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly parent?: object;
    readonly blocks?: readonly object[];
    readonly blocked_by?: readonly object[];
    readonly related?: readonly object[];
    readonly created_at: string;
    readonly updated_at: string;
    readonly closed_at?: string;
  }[];
}

function bring(file: string): readonly string[] {
  return ["import", "--merge", "--source-format", "beads", "--input", file];
}

async function all(b: Box): Promise<Listed["issues"]> {
  const everything = ["--status", "all", "--limit", "100000", "--max-bytes", "0"];
  return (await b.json<Listed>("list", ...everything)).issues;
}

async function lastEvent(b: Box): Promise<number> {
  const { events } = await b.json<{ events: readonly { event_id: number }[] }>(
    "events",
    "--limit",
    "1000",
  );
  return events.at(-1)?.event_id ?? 0;
}

describe("importing a large export", () => {
  test("creates every issue, and changes nothing when it is repeated", async () => {
    const b = box();
    const file = largeExport();
    const counted = countExport(readFileSync(file.path, "utf8"));
    const tombstones = counted.statuses["tombstone"] ?? 0;
    await b.svc("init", "--project", "old");

    const first = await b.json<Outcome>(...bring(file.path));
    expect(first).toMatchObject({
      changed: true,
      account: { kept: counted.kept, tombstones },
      result: {
        created: counted.kept,
        updated: 0,
        unchanged: 0,
        comments: counted.comments,
        links: counted.parent + counted.blocks + counted.related,
        errors: [],
        reasons: {},
      },
    });

    const issues = await all(b);
    const sum = (of: (issue: Listed["issues"][number]) => number): number =>
      issues.reduce((total, issue) => total + of(issue), 0);
    expect(issues).toHaveLength(counted.kept);
    expect(issues.filter((issue) => issue.status === "closed")).toHaveLength(
      counted.statuses["closed"] ?? 0,
    );
    expect(issues.filter((issue) => issue.labels?.includes("status:hooked"))).toHaveLength(
      counted.statuses["hooked"] ?? 0,
    );
    expect(sum((issue) => (issue.parent === undefined ? 0 : 1))).toBe(counted.parent);
    expect(sum((issue) => issue.blocks?.length ?? 0)).toBe(counted.blocks);
    expect(sum((issue) => issue.blocked_by?.length ?? 0)).toBe(counted.blocks);
    expect(sum((issue) => issue.related?.length ?? 0)).toBe(2 * counted.related);

    const before = await b.svc("events", "--after", "0", "--limit", "1000", "--json");
    const second = await b.json<Outcome>(...bring(file.path));
    expect(second).toMatchObject({
      changed: false,
      result: {
        created: 0,
        updated: 0,
        unchanged: counted.kept,
        comments: 0,
        links: 0,
        errors: [],
        reasons: {},
      },
    });
    expect(await all(b)).toEqual(issues);
    expect((await b.svc("events", "--after", "0", "--limit", "1000", "--json")).stdout).toBe(
      before.stdout,
    );
    expect((await b.svc("doctor")).code).toBe(0);
    const human = await b.svc(...bring(file.path));
    expect(human.stdout).toContain(
      `Nothing changed in project old; already there: ${counted.kept.toLocaleString("en")} issues.`,
    );
  }, 120_000);
});

describe("importing a small export", () => {
  test("keeps texts, people, dates and comments", async () => {
    const b = box();
    await b.svc("init", "--project", "p");
    await b.svc(...bring(SMALL));
    const issues = await all(b);
    const parser = issues.find((issue) => issue.metadata["beads.id"] === "ab-2");
    expect(parser).toMatchObject({
      title: "Write the parser",
      status: "closed",
      created_at: "2025-03-01T11:00:00.000Z",
      updated_at: "2025-03-05T11:00:00.000Z",
      closed_at: "2025-03-04T11:00:00.000Z",
      metadata: { "beads.close_reason": "Merged" },
    });
    const shown = await b.json<{ comments: readonly object[]; links: readonly object[] }>(
      "show",
      parser?.short_id ?? "",
    );
    expect(shown.comments).toMatchObject([
      { author: "cid", body: "Half done", created_at: "2025-03-02T09:00:00.000Z" },
    ]);
    expect(shown.links).toContainEqual(
      expect.objectContaining({
        type: "parent",
        author: "bea",
        created_at: "2025-03-01T12:00:00.000Z",
      }),
    );
    const ready = await b.json<Listed>("ready", "--limit", "0");
    expect(ready.issues.map((issue) => issue.metadata["beads.id"])).not.toContain("ab-4");
  });

  test("a later export brings its changes, and fields that were also changed in svc are listed as conflicts", async () => {
    const b = box();
    await b.svc("init", "--project", "p");
    await b.svc(...bring(SMALL));
    const mine = (await all(b)).find((issue) => issue.metadata["beads.id"] === "ab-3");
    await b.svc("edit", mine?.short_id ?? "", "--title", "Mine now");
    const later = join(b.folder, "later.jsonl");
    const text = readFileSync(SMALL, "utf8")
      .replace('"title":"Ship the first release"', '"title":"Ship it"')
      .replace('"updated_at":"2025-03-02T10:00:00Z"', '"updated_at":"2025-06-01T10:00:00Z"')
      .replace('"title":"Test the parser"', '"title":"Theirs"');
    writeFileSync(
      later,
      `${text}{"id":"ab-10","title":"New","created_at":"2025-06-01T10:00:00Z"}\n`,
    );
    const { code, stdout } = await b.svc(...bring(later), "--json");
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({
      changed: true,
      result: {
        created: 1,
        updated: 1,
        conflicts: [{ external_id: "ab-3", field: "title" }],
      },
    });
    const titles = (await all(b)).map((issue) => issue.title);
    expect(titles).toEqual(expect.arrayContaining(["Ship it", "Mine now", "New"]));
  });

  test("an export with a broken line is refused with the number of the line, and nothing is written", async () => {
    const b = box();
    await b.svc("init", "--project", "p");
    const before = await lastEvent(b);
    const broken = join(b.folder, "broken.jsonl");
    writeFileSync(broken, `${readFileSync(SMALL, "utf8")}{"id":\n`);
    const { code, stdout, stderr } = await b.svc(...bring(broken));
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(/line 10: .*nothing was written/);
    expect(await lastEvent(b)).toBe(before);
    expect(await all(b)).toEqual([]);
  });
});

describe("the neutral import format", () => {
  const RECORD = { id: "P-1", title: "T", created_at: "2026-01-01T00:00:00Z", status: "Done" };
  const WORDS = ["import", "--merge", "--source-format", "neutral", "--input", "n.jsonl"];

  test("is imported by the rules of a mapping file, in TOML or JSON, and issues are found by their old ids", async () => {
    const b = box();
    await b.svc("init", "--project", "p");
    writeFileSync(join(b.work, "n.jsonl"), JSON.stringify(RECORD));
    writeFileSync(join(b.work, "map.toml"), '[statuses]\nDone = "wontfix"\n');
    writeFileSync(join(b.work, "map.json"), '{"statuses": {"Done": "wontfix"}}');
    const refused = await b.svc(...WORDS);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('line 1: status "Done" has no meaning: write open or closed');
    expect(await all(b)).toEqual([]);
    const first = await b.json<Outcome>(...WORDS, "--map", "map.toml");
    expect(first).toMatchObject({ result: { created: 1 }, account: { unmapped: { types: [] } } });
    expect((await b.json<Outcome>(...WORDS, "--map", "map.json")).changed).toBe(false);
    const { issue } = await b.json<{ issue: object }>("show", "P-1");
    expect(issue).toMatchObject({ status: "closed", closed_reason: "wontfix" });
  });

  test("keeps the issues of two trackers with the same ids apart by the names of the trackers", async () => {
    const b = box();
    await b.svc("init", "--project", "p");
    for (const name of ["jira", "old.wiki"]) {
      writeFileSync(
        join(b.work, "n.jsonl"),
        JSON.stringify({ ...RECORD, status: "open", title: name }),
      );
      const { result } = await b.json<Outcome>(...WORDS, "--source-name", name);
      expect(result).toMatchObject({ created: 1, updated: 0 });
    }
    expect((await all(b)).map(({ title }) => title).toSorted()).toEqual(["jira", "old.wiki"]);
    const { code, stderr } = await b.svc(...WORDS, "--source-name", "a b");
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("is no name") });
  });

  test.each([
    ["that is not there", "nowhere.toml", "nowhere.toml is not there"],
    ["that is no TOML", "bad.toml", "is not valid TOML (line 1, column"],
    ["with a wrong rule", "wrong.json", "wrong.json: statuses.Done is none of open, closed"],
  ])("refuses a mapping file %s", async (_, name, message) => {
    const b = box();
    await b.svc("init", "--project", "p");
    writeFileSync(join(b.work, "n.jsonl"), JSON.stringify(RECORD));
    writeFileSync(join(b.work, "bad.toml"), "[statuses");
    writeFileSync(join(b.work, "wrong.json"), '{"statuses": {"Done": "shut"}}');
    const { code, stderr } = await b.svc(...WORDS, "--map", name);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(message) });
    expect(await all(b)).toEqual([]);
  });
});

describe("the import command", () => {
  test.each<[string, number, readonly string[]]>([
    [
      "a file that is not there",
      3,
      ["--merge", "--source-format", "beads", "--input", "nowhere.jsonl"],
    ],
    ["a folder", 3, ["--merge", "--source-format", "beads", "--input", "."]],
    ["beads without --merge", 2, ["--source-format", "beads", "--input", SMALL]],
    [
      "beads with a target",
      2,
      ["--merge", "--source-format", "beads", "--input", SMALL, "--target", "x.db"],
    ],
    ["beads with force", 2, ["--merge", "--force", "--source-format", "beads", "--input", SMALL]],
    ["merging by force", 2, ["--merge", "--force", "--input", SMALL]],
    ["an unknown format", 2, ["--source-format", "jira", "--input", SMALL]],
    ["a mapping file for an export of svc", 2, ["--input", SMALL, "--map", "map.toml"]],
    ["no input", 2, []],
    ["a beads file as an export of svc", 3, ["--input", SMALL]],
  ])("refuses %s", async (_, code, words) => {
    const run = await box().svc("import", ...words);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code, stdout: "" });
    expect(run.stderr).toMatch(/^svc: /);
  });

  test("draws no progress bar without a terminal", async () => {
    const b = box();
    await b.svc("init", "--project", "p");
    const { stderr } = await b.svc(...bring(SMALL));
    expect(stderr).toBe("");
  });

  test("gives an agent the counts in one line, and the command that undoes the import", async () => {
    const b = box();
    await b.svc("init", "--project", "p");
    const { stdout } = await b.svc(...bring(SMALL), "--agent");
    const [, uid = ""] = /batch=([0-9A-Z]{26}) /.exec(stdout) ?? [];
    expect(stdout.replaceAll(uid, "UID")).toBe(
      "OK import source=beads project=p batch=UID created=5 updated=0 unchanged=0 deleted=0 comments=1 links=5\nUndo: svc import undo UID --project p\n",
    );
  });
});
