import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { editEntry } from "../../src/config/edit.ts";
import { openReplacement } from "../../src/config/replacement-file.ts";
import { parseToml } from "../../src/config/toml.ts";
import { folderWith } from "./folder.ts";

const TABLE = "tui.views";

async function edited(text: string | undefined, key: string, value: string | undefined) {
  const home = folderWith(text === undefined ? {} : { "config.toml": text });
  const path = join(home, "config.toml");
  await editEntry(path, { table: TABLE, key, value });
  return { path, text: readFileSync(path, "utf8") };
}

const FILE = `# mine
timezone = "Europe/Paris" # where I am

[tui.views] # what I look at
Urgent = "p<=1"  # first
"Old ones" = "status:closed"

[tui]
mouse = true

[[daemon]]
name = "here"
local = true
`;

describe("an entry of config.toml", () => {
  test("is added after the other entries of its table, and every other line is unchanged", async () => {
    const { text } = await edited(FILE, "Mine", "owner:ana");
    expect(text).toBe(FILE.replace('"status:closed"\n', '"status:closed"\nMine = "owner:ana"\n'));
  });

  test.each([
    ["Urgent", 'Urgent = "p<=1"  # first\n', 'Urgent = "new"\n'],
    ["Old ones", '"Old ones" = "status:closed"\n', '"Old ones" = "new"\n'],
  ])("named %s is replaced in place, and can be removed", async (key, line, fresh) => {
    expect((await edited(FILE, key, "new")).text).toBe(FILE.replace(line, fresh));
    expect((await edited(FILE, key, undefined)).text).toBe(FILE.replace(line, ""));
  });

  test.each([
    ["a file that is not there", undefined, '[tui.views]\nMine = "x"\n'],
    ["an empty file", "", '[tui.views]\nMine = "x"\n'],
    [
      "a file without the table",
      "[tui]\nmouse = true\n",
      '[tui]\nmouse = true\n\n[tui.views]\nMine = "x"\n',
    ],
    [
      "a last line without an end",
      'timezone = "UTC"',
      'timezone = "UTC"\n\n[tui.views]\nMine = "x"\n',
    ],
  ])("creates its table in %s", async (_what, before, after) => {
    expect((await edited(before, "Mine", "x")).text).toBe(after);
  });

  test("is written so that only the owner can read the file, and a symbolic link stays a link", async () => {
    const home = folderWith({ "dotfiles/config.toml": FILE });
    const path = join(home, "config.toml");
    symlinkSync(join(home, "dotfiles", "config.toml"), path);
    await editEntry(path, { table: TABLE, key: "Mine", value: "x" });
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, "utf8")).toContain('Mine = "x"');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["an inline table", '[tui]\nviews = { Urgent = "p<=1" }\n'],
    ["a text that looks like the table", 'timezone = """\n[tui.views]\n"""\n'],
    ["a value over several lines", '[tui.views]\nMine = """\nowner:ana\n"""\n'],
  ])("is refused in %s with advice, and the file stays unchanged", async (_what, before) => {
    const home = folderWith({ "config.toml": before });
    const path = join(home, "config.toml");
    await expect(editEntry(path, { table: TABLE, key: "Mine", value: "x" })).rejects.toMatchObject({
      message: expect.stringContaining("cannot be changed by svc"),
      hint: 'do it there: Mine = "x" below [tui.views]',
    });
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  test("an entry of any name and value is read as it was written, and is removed without a trace", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1 }).filter((key) => key !== "__proto__"),
        fc.string({ unit: "grapheme" }),
        async (key, value) => {
          const { path, text } = await edited(FILE, key, value);
          const { tui } = await parseToml(text, path);
          const { views } = tui as { views: Record<string, string> };
          expect(views[key]).toBe(value);
          await editEntry(path, { table: TABLE, key, value: undefined });
          if (key !== "Urgent" && key !== "Old ones") expect(readFileSync(path, "utf8")).toBe(FILE);
        },
      ),
      { numRuns: 50, examples: [["del \u007f", "del \u007f"]] },
    );
  });
});

const edit = join(import.meta.dirname, "..", "..", "src", "config", "edit.ts");

describe("a new file that cannot replace config.toml", () => {
  test("leaves config.toml unchanged on a full disk, and is not left beside it", async () => {
    const text = `${FILE}# ${"x".repeat(4000)}\n`;
    const home = folderWith({ "config.toml": text });
    const path = join(home, "config.toml");
    const script = `const { editEntry } = await import(${JSON.stringify(edit)});
      const entry = { table: "tui.views", key: "Mine", value: "x" };
      await editEntry(${JSON.stringify(path)}, entry).catch(({ message }) => console.log(message));`;
    // A limit on the length of files has the same effect as a full disk: the write fails in the middle of the text.
    const child = spawn(
      "sh",
      ["-c", 'trap "" XFSZ; ulimit -f 1; exec "$@"', "sh", process.execPath].concat([
        "--input-type=module",
        "-e",
        script,
      ]),
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    let said = "";
    child.stdout.on("data", (piece) => (said += piece));
    await once(child, "close");
    expect(said).toBe(`${path} cannot be written\n`);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(readdirSync(home)).toEqual(["config.toml"]);
  });

  test("is removed if a folder has taken the name config.toml meanwhile", async () => {
    const home = folderWith({});
    const path = join(home, "config.toml");
    const draft = await openReplacement(path, systemClock);
    mkdirSync(path);
    expect(() => draft.put("mine")).toThrow("cannot be written");
    draft.drop();
    expect(readdirSync(home)).toEqual(["config.toml"]);
  });

  test("is named in the advice of the error if svc cannot remove it", async () => {
    const home = folderWith({ "config.toml": FILE });
    const path = join(home, "config.toml");
    mkdirSync(`${path}.new`);
    utimesSync(`${path}.new`, 0, 0);
    await expect(editEntry(path, { table: TABLE, key: "Mine", value: "x" })).rejects.toMatchObject({
      message: `${path} cannot be written`,
      hint: `remove ${path}.new`,
    });
  });
});

describe("two writers that save at the same moment", () => {
  const names = Array.from({ length: 20 }, (_none, at) => `v${at}`);

  async function viewsIn(home: string): Promise<readonly string[]> {
    const path = join(home, "config.toml");
    const { tui } = await parseToml(readFileSync(path, "utf8"), path);
    return Object.keys((tui as { views: object }).views);
  }

  test("lose nothing of each other's entries", async () => {
    const home = folderWith({ "config.toml": FILE });
    const path = join(home, "config.toml");
    await Promise.all(names.map(async (key) => editEntry(path, { table: TABLE, key, value: "x" })));
    expect(new Set(await viewsIn(home))).toEqual(new Set(["Urgent", "Old ones", ...names]));
    expect(readdirSync(home)).toEqual(["config.toml"]);
  });

  test("lose no entries if they are separate processes", async () => {
    const home = folderWith({});
    const script = `const { editEntry } = await import(${JSON.stringify(edit)});
      for (const name of ${JSON.stringify(names)}) {
        const entry = { table: "tui.views", key: process.argv[1] + name, value: "x" };
        await editEntry(${JSON.stringify(join(home, "config.toml"))}, entry);
      }`;
    const children = ["a", "b"].map((prefix) =>
      spawn(process.execPath, ["--input-type=module", "-e", script, prefix], { stdio: "inherit" }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual([0, 0]);
    expect(await viewsIn(home)).toHaveLength(40);
  });

  test("wait for each other, but not for a writer that was killed", async () => {
    const home = folderWith({ "config.toml": FILE });
    const path = join(home, "config.toml");
    const draft = `${path}.new`;
    writeFileSync(draft, "half of it");
    const [now, started] = [systemClock.nowMs(), statSync(draft).mtimeMs / 1000];
    let waited = 0;
    const waiting = {
      ...systemClock,
      sleep: async () => {
        waited += 1;
        if (waited === 3) rmSync(draft);
      },
    };
    await editEntry(path, { table: TABLE, key: "Mine", value: "x" }, waiting);
    expect(waited).toBe(3);

    const never = { ...systemClock, sleep: async () => expect.fail("nobody is there") };
    for (const [key, seconds] of [
      ["Other", -5.1],
      ["Third", 5.1],
    ] as const) {
      writeFileSync(draft, "half of it");
      utimesSync(draft, started, now / 1000 + seconds);
      await editEntry(path, { table: TABLE, key, value: "x" }, never);
    }
    expect(await viewsIn(home)).toEqual(["Urgent", "Old ones", "Mine", "Other", "Third"]);
  });

  test("do not publish a new file that another writer has replaced in the meantime", async () => {
    const home = folderWith({ "config.toml": FILE });
    const path = join(home, "config.toml");
    const mine = await openReplacement(path, systemClock);
    rmSync(`${path}.new`);
    const theirs = await openReplacement(path, systemClock);
    expect(() => mine.put("mine")).toThrow(/changed by somebody else/);
    expect(readFileSync(path, "utf8")).toBe(FILE);
    theirs.put("theirs");
    expect(readFileSync(path, "utf8")).toBe("theirs");
  });
});
