import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SourceFormat } from "../../src/domain/imports/formats.ts";
import { readSource } from "../../src/sources/formats.ts";
import { scratch } from "../archive/targets.ts";
import { type Tree, writeTree } from "./markdown-trees.ts";

const THEN = "2026-01-02T03:04:05Z";
const LATER = "2026-02-03T04:05:06Z";
const UUID = "5b7d9c1e-2f4a-4c6b-8d0e-111111111111";

/** One issue in each format that is a file, by its title and the time of its creation. */
const RECORDS = {
  beads: (title, created) =>
    JSON.stringify({ id: "b-1", title, created_at: created, updated_at: LATER }),
  neutral: (title, created) =>
    JSON.stringify({ id: "b-1", title, created_at: created, updated_at: LATER, status: "open" }),
  taskwarrior: (title, created) =>
    JSON.stringify({
      uuid: UUID,
      description: title,
      status: "pending",
      entry: created.replaceAll(/[-:]/g, ""),
    }),
  github: (title, created) =>
    JSON.stringify({
      number: 7,
      title,
      state: "open",
      labels: [],
      created_at: created,
      updated_at: LATER,
      html_url: "https://github.com/ann/tool/issues/7",
    }),
} as const satisfies Partial<Record<SourceFormat, (title: string, created: string) => string>>;

type FileFormat = keyof typeof RECORDS;
const FILES = Object.keys(RECORDS) as readonly FileFormat[];
const FOLDERS: readonly SourceFormat[] = ["markdown", "backlog", "tbd"];

async function sourceFile(text: string): Promise<string> {
  const path = join(await scratch(), "source");
  writeFileSync(path, text);
  return path;
}

async function read(format: SourceFormat, path: string, complete = false) {
  return await readSource(format, path, { complete });
}

describe.each(FILES)("an export file of %s", (format) => {
  test.each([
    ["another title", "Mow the lawn", THEN],
    ["another time of creation", "Paint the fence", "2026-01-03T03:04:05Z"],
  ])(
    "an export with two issues of one id, of which one has %s, is refused",
    async (_what, title, created) => {
      const record = RECORDS[format];
      const path = await sourceFile(
        `${record("Paint the fence", THEN)}\n${record(title, created)}\n`,
      );
      await expect(read(format, path)).rejects.toMatchObject({
        code: "validation",
        message: expect.stringMatching(/two issues have the id .+: "Paint the fence" of .+ and "/),
      });
    },
  );

  test("an export with two copies of one issue has one issue", async () => {
    const record = RECORDS[format]("Paint the fence", THEN);
    expect((await read(format, await sourceFile(`${record}\n${record}\n`))).count).toBe(1);
  });

  test("an export without an issue is refused with --complete, and only then", async () => {
    const path = await sourceFile("");
    await expect(read(format, path, true)).rejects.toMatchObject({
      code: "validation",
      message: expect.stringContaining("--complete would delete all"),
    });
    expect((await read(format, path)).count).toBe(0);
  });

  test("an export with git conflict markers is refused as an unfinished merge", async () => {
    const [ours, theirs] = ["Ours", "Theirs"].map((title) => RECORDS[format](title, THEN));
    const text = `<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> branch\n`;
    await expect(read(format, await sourceFile(text))).rejects.toMatchObject({
      message: "line 1: a mark of an unfinished git merge; nothing was written",
      hint: expect.stringContaining("git status"),
    });
  });
});

const ID_FILE = "mappings/ids.yml";

/** A folder of the format with these files of issues. */
async function folderOf(format: SourceFormat, files: Tree): Promise<string> {
  const place = { markdown: "", backlog: "tasks/", tbd: "issues/" }[format as "tbd"];
  const named = Object.entries(files).map(([name, text]) => [`${place}${name}`, text]);
  const more =
    format === "tbd" ? { [ID_FILE]: "aa: x1\n", "config.yml": "display:\n  id_prefix: p\n" } : {};
  return writeTree(await scratch(), { ...Object.fromEntries(named), ...more });
}

describe.each(FOLDERS)("a folder of %s", (format) => {
  const good = (id: string) => `---\nid: ${id}\ntitle: T\nstatus: open\n---\nText\n`;

  test("a folder with several damaged files is refused with all their names", async () => {
    const path = await folderOf(format, {
      "a.md": "---\nid: t-1\ntitle: Fix: the thing\n---\n",
      "b.md": good("t-2"),
      "c.md": "---\nid: t-3\ntitle: [P1] paint\n---\n",
      "d.md": "---\nid: t-4\n",
    });
    await expect(read(format, path)).rejects.toMatchObject({
      code: "validation",
      message: expect.stringMatching(
        /^3 faults were found; nothing was written\n.*a\.md, line 3: .*\n.*c\.md, line 3: .*\n.*d\.md, line 1: /,
      ),
      data: { count: 3 },
    });
  });

  test("a refusal of a folder names the first twenty damaged files and counts the others", async () => {
    const files = Array.from({ length: 22 }, (_, at) => [`f${at + 10}.md`, "---\nid: x\n"]);
    const refused = read(format, await folderOf(format, Object.fromEntries(files)));
    await expect(refused).rejects.toMatchObject({
      message: expect.stringMatching(/f29\.md.*\n {2}and 2 more$/s),
      data: { count: 22 },
    });
  });

  test("a folder with git conflict markers in a file is refused as an unfinished merge", async () => {
    const conflict = "<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> branch\n";
    for (const text of [`---\nid: t-1\n${conflict}---\n`, `${conflict}${good("t-1")}`]) {
      const path = await folderOf(format, { "a.md": text });
      await expect(read(format, path)).rejects.toMatchObject({
        message: expect.stringContaining("a mark of an unfinished git merge"),
      });
    }
  });

  test("a folder with two issues of one id is refused with the names of both files", async () => {
    const path = await folderOf(format, {
      "a.md": good("t-1"),
      "b.md": good("t-1").replace("title: T", "title: Another"),
    });
    await expect(read(format, path)).rejects.toMatchObject({
      message: expect.stringMatching(/b\.md: it has the id .*a\.md has/),
    });
  });
});
