import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

/** A world whose editor is this script; the script gets the file as `$1`. */
async function world(script: string) {
  const w = await projectWorld();
  const path = join(w.work, "editor.sh");
  const seen = join(w.work, "seen");
  const place = join(w.work, "place");
  writeFileSync(path, `#!/bin/sh\ncp "$1" '${seen}'\necho "$1" > '${place}'\n${script}\n`);
  chmodSync(path, 0o700);
  const env = { EDITOR: path, NO_COLOR: "1" };
  return {
    ...w,
    /** Runs a command as a person at a terminal would. */
    typed: async (...words: string[]) => await w.run(words, { env, typed: "", terminal: 80 }),
    env,
    seen: () => readFileSync(seen, "utf8"),
    wasOpened: () => existsSync(seen),
    place: () => readFileSync(place, "utf8").trim(),
    shown: async (ref: string) => JSON.parse(await w.ok(["show", ref, "--json"])),
    count: async () => JSON.parse(await w.ok(["list", "--json"])).issues.length as number,
  };
}

const write = (text: string) => `printf '${text}' > "$1"`;

describe("a command that opens an editor, since it got no text at a terminal", () => {
  test("creates an issue from the first line and the rest of the edited file", async () => {
    const w = await world(write("The title\\n\\n# A heading\\n\\ntext\\n\\n"));
    const made = await w.typed("create", "--label", "bug");
    expect(made).toMatchObject({ err: "", code: 0 });
    expect(w.seen()).toMatch(/^\n\n<!-- svc: The first line is the title.* left out\. -->\n$/);
    const { issue, labels } = await w.shown(made.out.split(" ")[0] ?? "");
    expect(issue).toMatchObject({ title: "The title", body: "# A heading\n\ntext" });
    expect(JSON.stringify(labels)).toContain("bug");
    expect(existsSync(dirname(w.place()))).toBe(false);
  });

  test("makes the file readable by its owner alone, and leaves out the text after the marker line", async () => {
    const w = await world(`stat -c %a "$1" "$(dirname "$1")" > "$1.mode"
      cp "$1.mode" "$(dirname "$0")/modes"
      { echo "Kept title"; cat "$1"; } > "$1.new" && mv "$1.new" "$1"`);
    const made = await w.typed("create");
    expect(made.out).toContain("Kept title");
    expect(readFileSync(join(w.work, "modes"), "utf8")).toBe("600\n700\n");
    expect((await w.shown(made.out.split(" ")[0] ?? "")).issue.body).toBe("");
  });

  test("edits title and text, and sends only what was changed", async () => {
    const w = await world(`sed -i 's/old/new/' "$1"`);
    const id = await w.issue("a title", "--body", "old text\nsecond\n");
    expect((await w.typed("edit", id)).code).toBe(0);
    expect(w.seen()).toMatch(/^a title\n\nold text\nsecond\n\n\n<!-- svc:/);
    expect((await w.shown(id)).issue).toMatchObject({ title: "a title", body: "new text\nsecond" });
    const log = await w.ok(["log", id, "--json"]);
    expect(JSON.parse(log).events.at(-1).payload).not.toHaveProperty("title");
  });

  test("adds the comment that was typed", async () => {
    const w = await world(write("found it\\n"));
    const id = await w.issue("a title");
    expect((await w.typed("comment", id)).code).toBe(0);
    expect(w.seen()).toContain("a title");
    expect((await w.shown(id)).comments[0].body).toBe("found it");
  });
});

describe("what a command writes after its editor has closed", () => {
  test.each([
    ["the text is empty", "true", "the text is empty: nothing was written", 3],
    ["the file is empty", write(""), "the text is empty: nothing was written", 3],
    ["the editor fails", `${write("typed")}; exit 3`, "failed (exit code 3): nothing", 1],
    ["the editor is killed", `${write("typed")}; kill -9 $$`, "failed (killed by SIGKILL)", 1],
    ["the file is gone", 'rm "$1"', "failed (it left no file): nothing was written", 1],
  ])("nothing is written if %s", async (_, script, message, code) => {
    const w = await world(script);
    const id = await w.issue("a title");
    for (const words of [["create"], ["comment", id]]) {
      const { out, err, code: exit } = await w.typed(...words);
      expect([out, exit]).toEqual(["", code]);
      expect(err).toContain(message);
      // Text that was typed before the editor failed is kept.
      const isKept = script.includes("typed");
      expect(existsSync(w.place())).toBe(isKept);
      if (isKept) expect(err).toContain(`your text is kept in ${w.place()}`);
    }
    expect(await w.count()).toBe(1);
    expect((await w.shown(id)).comments).toEqual([]);
  });

  test("nothing is written if the text is not UTF-8, and the file is kept", async () => {
    const w = await world(write("Caf\\351\\n"));
    const id = await w.issue("a title", "--body", "Café");
    for (const words of [["create"], ["edit", id], ["comment", id]]) {
      const { out, err, code } = await w.typed(...words);
      expect([out, code], words.join(" ")).toEqual(["", 3]);
      expect(err).toContain("svc: the text is not UTF-8: nothing was written");
      expect(err).toContain(`your text is kept in ${w.place()}`);
      expect(readFileSync(w.place())).toEqual(Buffer.from("Caf\xe9\n", "latin1"));
    }
    expect(await w.count()).toBe(1);
    expect((await w.shown(id)).issue).toMatchObject({ title: "a title", body: "Café" });
  });

  test("nothing is written if a text with Windows line ends is unchanged", async () => {
    const w = await world("true");
    const id = await w.issue("a title", "--body", "one\r\n\r\ntwo\r\n");
    const same = await w.typed("edit", id);
    expect(same.err).toContain("the text is as it was: nothing was written");
    expect((await w.shown(id)).issue.body).toBe("one\r\n\r\ntwo\r\n");
  });

  test("a text with Windows line ends is not written if only the title was changed", async () => {
    const w = await world(`sed -i '1s/a title/a new title/' "$1"`);
    const id = await w.issue("a title", "--body", "one\r\n\r\ntwo\r\n");
    expect((await w.typed("edit", id)).code).toBe(0);
    const { title, body } = (await w.shown(id)).issue;
    expect({ title, body }).toEqual({ title: "a new title", body: "one\r\n\r\ntwo\r\n" });
  });

  test("nothing is written if the text is unchanged", async () => {
    const w = await world("true");
    const id = await w.issue("a title", "--body", "text");
    const same = await w.typed("edit", id);
    expect(same.err).toContain("the text is as it was: nothing was written");
    expect([same.code, (await w.shown(id)).issue.revision]).toEqual([3, 1]);
  });

  test("nothing is written if the editor does not exist, and the error says which setting names it", async () => {
    const w = await world("true");
    const env = { VISUAL: "/nowhere/editor --wait", EDITOR: "true" };
    const refused = await w.run(["create"], { env, typed: "", terminal: 80 });
    expect(refused.err).toContain("the editor /nowhere/editor failed");
    expect(refused.err).toContain("VISUAL or EDITOR names the editor; --body-file -");
    expect(refused.code).toBe(1);
  });

  test.each([
    ["a pipe", 'rm "$1"; mkfifo "$1"', "what it left is no file"],
    ["a folder", 'rm "$1"; mkdir "$1"', "what it left is no file"],
    ["a device without end", 'rm "$1"; ln -s /dev/zero "$1"', "what it left is no file"],
    ["a gigabyte", 'truncate -s 1G "$1"', "the text has more than 1048576 bytes"],
  ])(
    "nothing is written, and svc does not wait, if the editor leaves %s in place of the text",
    async (_, script, why) => {
      const w = await world(script);
      const refused = await w.typed("create");
      expect(refused).toMatchObject({ out: "", code: 1 });
      expect(refused.err).toContain(`failed (${why}): nothing was written`);
      expect(refused.err).toContain(`your text is kept in ${w.place()}`);
      expect(await w.count()).toBe(0);
      rmSync(dirname(w.place()), { recursive: true });
    },
  );

  test("nothing is written if the issue is missing, and no editor opens", async () => {
    const w = await world("true");
    for (const words of [
      ["edit", "zzzz"],
      ["comment", "zzzz"],
    ])
      expect((await w.typed(...words)).code).toBe(4);
    expect(w.wasOpened()).toBe(false);
  });

  test("nothing is written if the daemon refuses the text, which is kept in a file that only its owner can read", async () => {
    const w = await world(write("Crash when the file is empty\\n\\nmy long text\\n"));
    await w.issue("Crash when the file is empty", "--body", "my long text");
    const refused = await w.typed("create");
    expect(refused.code).toBe(5);
    expect(refused.err).toContain(`your text is kept in ${w.place()}`);
    expect(readFileSync(w.place(), "utf8")).toContain("my long text");
    expect(statSync(w.place()).mode & 0o777).toBe(0o600);
  });
});

describe("a command without a person at a terminal", () => {
  test.each([
    ["standard input is a pipe", { terminal: 80 }, []],
    ["standard output is a pipe", { typed: "" }, []],
    ["a program asks", { typed: "", terminal: 80 }, ["--json"]],
    ["an agent asks", { typed: "", terminal: 80 }, ["--agent"]],
  ])("no editor opens if %s", async (_, options, more) => {
    const w = await world("true");
    const id = await w.issue("a title");
    for (const [words, code] of [
      [["create"], 2],
      [["comment", id], 2],
      [["edit", id], 3],
    ] as const) {
      const refused = await w.run([...words, ...more], { env: w.env, ...options });
      expect([refused.out, refused.code], words.join(" ")).toEqual(["", code]);
      expect(refused.err).toContain("--body-file -");
    }
    expect(w.wasOpened()).toBe(false);
  });
});
