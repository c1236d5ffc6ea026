import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { markdownProse } from "../../src/cli/render/markdown.ts";
import { programProse } from "../../src/cli/render/markdown-program.ts";
import { paintFor } from "../../src/cli/render/palette.ts";
import { projectWorld } from "./harness.ts";

const named = markdownProse((tone, text) => `<${tone}:${text}>`);
const colourless = markdownProse(paintFor("none"));

describe("markdown on a terminal", () => {
  test.each([
    ["# A *b* `c`", "<strong:A b c>"],
    ["###### six ##", "<strong:six>"],
    ["####### seven", "####### seven"],
    ["#5 is no heading", "#5 is no heading"],
    ["- one\n  * two\n10) ten", "• one\n  • two\n10) ten"],
    ["-no item", "-no item"],
    ["- [x] done", "• [x] done"],
    ["a **b** c __d__ *e* _f_", "a <strong:b> c <strong:d> <emphasis:e> <emphasis:f>"],
    ["snake_case_name 2 * 3 * 4 ** 5", "snake_case_name 2 * 3 * 4 ** 5"],
    ["`*x*` and ``a`b``", "<faint:*x*> and <faint:a`b>"],
    [String.raw`\*x\*`, "*x*"],
    ["see [the **docs**](https://x.example/a_b_c)", "see the docs (https://x.example/a_b_c)"],
    ["<https://x.example> [https://y](https://y)", "https://x.example https://y"],
    ["[ ] and (x)", "[ ] and (x)"],
    ["```ts\n# x **y**\n```\n*z*", "    <faint:# x **y**>\n<emphasis:z>"],
    ["~~~\n```\n~~~~\nafter", "    <faint:```>\nafter"],
    ["```\nnever closed", "    <faint:never closed>"],
    ["a\n\n    x = *p", "a\n\n    <faint:x = *p>"],
    ["- a\n\n    more *of* it", "• a\n\n    more <emphasis:of> it"],
    ["> said", "│ said"],
    ["| a | *b* |", "| a | *b* |"],
    ["---", `<faint:${"─".repeat(40)}>`],
    ["\u001b[31m**red**", "<strong:red>"],
    ["two\r\nlines\n\n", "two\nlines"],
  ])("%j is shown as %j", (text, lines) => expect(named(text, undefined)).toBe(lines));

  test.each([["# A *b*"], ["a **b** `c` _d_"]])("%j keeps its markup without colours", (text) =>
    expect(colourless(text, 80)).toBe(text),
  );

  test("lines break between words, and list items are indented", () => {
    expect(colourless("- aa bb cc\n\ndd ee ff gg", 8)).toBe("• aa bb\n  cc\n\ndd ee ff\ngg");
  });

  test("no text takes long to render", () => {
    for (const piece of ["[", "*a ", "**a", "_a ", "`` ` ", "[a](", "- ", "<https:"]) {
      const text = piece.repeat(100_000);
      expect(named(text, undefined).length).toBeGreaterThan(0);
    }
  }, 20_000);
});

const node = (script: string): readonly string[] => [process.execPath, "-e", script];
const UPPER = `process.stdin.on("data", (d) => process.stdout.write(String(d).toUpperCase()))`;

async function withProgram(argv: readonly string[], limitMs?: number) {
  let err = "";
  const stderr = {
    write: (text: string) => {
      err += text;
    },
    isTerminal: false,
    columns: undefined,
    onClosed: () => undefined,
  };
  const prose = await programProse({
    argv,
    context: { env: {}, cwd: import.meta.dirname, stderr },
    fallback: (text) => `ours: ${text}`,
    ...(limitMs === undefined ? {} : { limitMs }),
  });
  return { prose, err: () => err };
}

describe("the user's own renderer", () => {
  test("gets the text on stdin, the width, and its arguments unchanged", async () => {
    const echo = node(
      `process.stdin.on("data", (d) => console.log(process.argv[1], process.env.COLUMNS, JSON.stringify(String(d))))`,
    );
    const { prose, err } = await withProgram([...echo, "$HOME; `id` *"]);
    expect(prose("a\u001b[31m\n\n", 72)).toBe('$HOME; `id` * 72 "a\\n"');
    expect(err()).toBe("");
  });

  test.each([
    [["/no/such/program"], "it was not found"],
    [node("console.error('no theme'); process.exit(3)"), "it ended with 3: no theme"],
    [node("console.log()"), "it printed nothing"],
    [node("process.kill(process.pid, 'SIGTERM')"), "it got SIGTERM"],
  ])("whose command is %j fails, and svc reports this once", async (argv, why) => {
    const { prose, err } = await withProgram(argv);
    expect([prose("a", 80), prose("b", 80)]).toEqual(["ours: a", "ours: b"]);
    expect(err()).toBe(
      `svc: warning: markdown_renderer ${JSON.stringify(argv[0])}: ${why}; svc renders the text itself\n`,
    );
  });

  test("is terminated if it does not end", async () => {
    const { prose, err } = await withProgram(node("setInterval(() => {}, 1e9)"), 50);
    expect(prose("a", 80)).toBe("ours: a");
    expect(err()).toContain("it took longer than 0.05s");
  });
});

describe("svc show --render", () => {
  async function written() {
    const w = await projectWorld();
    const id = await w.issue("a", "--body", "# Why\n\nsome *text*");
    await w.ok(["comment", id, "-m", "- first\n- second"]);
    return { ...w, id };
  }

  test("renders body and comments on a terminal", async () => {
    const w = await written();
    const out = await w.ok(["show", w.id, "--render"], { terminal: 80 });
    expect(out).toContain("\n\u001b[1mWhy\u001b[0m\n\nsome \u001b[3mtext\u001b[0m\n");
    expect(out).toContain("ann:\n  • first\n  • second\n");
    expect(await w.ok(["show", w.id], { terminal: 80 })).toContain("\n# Why\n");
  });

  test("does not change output to a pipe, JSON or agent output", async () => {
    const w = await written();
    expect(await w.ok(["show", w.id, "--render"])).toBe(await w.ok(["show", w.id]));
    for (const mode of ["--json", "--agent"]) {
      const plain = await w.ok(["show", w.id, mode], { terminal: 80 });
      expect(await w.ok(["show", w.id, mode, "--render"], { terminal: 80 })).toBe(plain);
    }
  });

  test("runs the program of [display] markdown_renderer, and says when it fails", async () => {
    const w = await written();
    const set = (argv: readonly string[]): void =>
      writeFileSync(
        join(w.home, "config.toml"),
        `[display]\nmarkdown_renderer = ${JSON.stringify(argv)}\n`,
      );
    set(node(UPPER));
    const out = await w.ok(["show", w.id, "--render"], { terminal: 80 });
    expect(out).toContain("\n# WHY\n\nSOME *TEXT*\n");
    expect(out).toContain("ann:\n  - FIRST\n  - SECOND\n");
    set(["/no/such/program"]);
    const { out: ours, err } = await w.run(["show", w.id, "--render"], { terminal: 80 });
    expect(ours).toContain("• first");
    expect(err).toContain("it was not found");
  });
});
