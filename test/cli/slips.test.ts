import { describe, expect, test } from "vitest";
import { parseFailure } from "../../src/cli/failure/parse-failure.ts";
import { commandFiles, projectWorld, runCommand } from "./harness.ts";

describe("a title that looks like a flag", () => {
  test.each([
    [
      ["create", "--help-me"],
      "unknown flag --help-me",
      '"--help-me" is the title, put -- before it',
    ],
    [
      ["create", "-5 degrees"],
      "unknown flag -5 degrees",
      '"-5 degrees" is the title, put -- before it',
    ],
    [["create", "-x"], "unknown flag -x", "put -- before it"],
    [["create", "--forcenew", "a"], "unknown flag --forcenew", "did you mean --force-new?"],
    [["create", "a", "--lable=x"], "unknown flag --lable", "did you mean --label?"],
  ])("in the command line %j creates nothing", async (words, problem, hint) => {
    const w = await projectWorld();
    const { err, code } = await w.refused(words);
    expect(err).toContain(`svc: ${problem}\n`);
    expect(err).toContain(hint);
    expect(code).toBe(2);
    expect(await w.ok(["list", "--agent"])).toBe("OK list count=0\n");
  });

  test.each([["--help"], ["-h"], ["-5"], ["--json"], ["--"]])(
    "the title %s is accepted after --",
    async (title) => {
      const w = await projectWorld();
      await w.ok(["create", "--", title]);
      expect(JSON.parse(await w.ok(["list", "--json"])).issues[0].title).toBe(title);
    },
  );
});

describe("a typing mistake is reported in one line, with advice", () => {
  test.each([
    [
      ["create", "two", "words"],
      'unexpected argument "words"',
      "put a title of several words in quotes",
    ],
    [["why", "a", "b"], 'unexpected argument "b"', "it takes only <ref>"],
    [["labels", "a"], 'unexpected argument "a"', "it takes no arguments"],
    [["show"], "missing <ref>", "--help shows how the command is used"],
    [["label", "add"], "missing <ref> <label>", "--help shows how the command is used"],
    [["label", "add", "abc4"], "missing <label>", "--help shows how the command is used"],
    [["label", "rm", "abc4"], "missing <label>", "--help shows how the command is used"],
    [["assign"], "missing <ref> <owner>", "--help shows how the command is used"],
    [["list", "--limit"], "flag --limit expects a value", undefined],
    [["list", "--limit", "many"], "--limit: expected an integer but received: many", undefined],
    [
      ["list", "--limit", "1", "--limit", "2"],
      "flag --limit can only be specified once",
      undefined,
    ],
    [["list", "--status", "done"], '--status: "done" is none of open, closed, all', undefined],
    [
      ["list", "--owner", "a", "--unowned"],
      "--owner and --unowned cannot be used together",
      undefined,
    ],
    [
      ["create", "x", "--body", "a\nb", "--body-file", "f"],
      "--body and --body-file cannot be used together",
      undefined,
    ],
    [["events", "--last-event-id", "3"], "--last-event-id needs --tail", undefined],
    [["events", "--tail", "--limit", "3"], "--limit and --tail cannot be used together", undefined],
  ])("the mistake in the command line %j is reported in one line", async (words, problem, hint) => {
    const { out, err, code } = await runCommand(words);
    expect(out).toBe("");
    expect(err).toBe(hint === undefined ? `svc: ${problem}\n` : `svc: ${problem}\nhint: ${hint}\n`);
    expect(code).toBe(2);
  });

  test("an error that is not about the command line stays unchanged", async () => {
    const expected = { id: "list", argv: [], flags: {}, args: [] };
    expect(await parseFailure(new Error("other"), expected)).toBeUndefined();
  });
});

describe("every command", () => {
  const own = [...commandFiles()].filter(([id]) => !id.startsWith("autocomplete"));

  test.each(own)("%s reads no argument from stdin", async (_id, file) => {
    const { default: Command } = await import(file);
    for (const arg of Object.values<{ ignoreStdin?: boolean }>(Command.args ?? {})) {
      expect(arg.ignoreStdin).toBe(true);
    }
  });

  test.each(own)(
    "%s has a description that begins in lower case, and an example",
    async (id, file) => {
      const { default: Command } = await import(file);
      expect(Command.summary).toMatch(/^[a-z].*[^.]$/);
      expect(Command.summary.length).toBeLessThanOrEqual(72);
      expect(Command.examples.length).toBeGreaterThan(0);
      const shown: readonly string[] = Command.examples.map(
        ({ command }: { command: string }) => command,
      );
      expect(shown.join("\n")).toContain(`svc ${id.replaceAll(":", " ")}`);
      const flags: Record<string, { summary?: string; hidden?: boolean }> = { ...Command.flags };
      for (const [name, { summary, hidden }] of Object.entries(flags)) {
        if (hidden !== true) expect(summary, `--${name}`).toMatch(/^\S.*[^.]$/);
      }
    },
  );

  test.each(own)("%s refuses an unknown flag before it does anything", async (id) => {
    const { out, err, code } = await runCommand([...id.split(":"), "--no-such-thing"]);
    expect(out).toBe("");
    expect(err).toMatch(/^svc: unknown flag --no-such-thing\n/);
    expect(code).toBe(2);
  });
});

test("a backup to standard output is refused, and creates no file named -", async () => {
  const w = await projectWorld();
  const { err } = await w.refused(["backup", "--output", "-"]);
  expect(err).toContain("cannot be read back");
  expect(err).toContain("svc export");
  expect(w.has("-")).toBe(false);
});
