import { describe, expect, test } from "vitest";
import { chooseMode } from "../../../src/cli/output/mode.ts";
import { withVersion } from "../../../src/cli/output/output.ts";
import { cliWorld, projectWorld, runCommand } from "../harness.ts";

describe("the mode of output", () => {
  test.each([
    [[], "human", undefined],
    [["--json"], "json", undefined],
    [["--agent"], "agent", undefined],
    [["--format", "json"], "json", undefined],
    [["--format=agent"], "agent", undefined],
    [["--json", "--json", "--format", "json"], "json", undefined],
    [["--json", "--agent"], "human", "conflicting output modes"],
    [["--json", "--format", "human"], "human", "conflicting output modes"],
    [
      ["--format", "yaml"],
      "human",
      'unsupported output format "yaml": use one of human, json, agent',
    ],
    [
      ["--format", "yaml", "--json"],
      "human",
      'unsupported output format "yaml": use one of human, json, agent',
    ],
    [
      ["--format", "yaml", "--json", "--agent"],
      "human",
      'unsupported output format "yaml": use one of human, json, agent',
    ],
    [["--format"], "human", undefined],
    [["--format", "--json"], "json", undefined],
    [["--", "--json"], "human", undefined],
  ])("the mode of output for %j is %s", (argv, mode, problem) => {
    expect(chooseMode(argv)).toEqual(problem === undefined ? { mode } : { mode, problem });
  });

  test("a --format value of one command is no output mode of the other commands", () => {
    expect(chooseMode(["--format", "contract"], ["contract"])).toEqual({ mode: "human" });
    expect(chooseMode(["--format", "contract"]).problem).toContain("unsupported");
  });
});

describe("an error is shown in the requested mode", () => {
  test.each([
    [["list", "--limt"], "svc: unknown flag --limt\nhint: did you mean --limit?\n"],
    [
      ["list", "--limt", "--agent"],
      "ERR list usage: unknown flag --limt\nHint: did you mean --limit?\nExit-Code: 2\n",
    ],
    [
      ["list", "--limt", "--json"],
      '{"error":{"kind":"usage","message":"unknown flag --limt","exit_code":2,"hint":"did you mean --limit?"}}\n',
    ],
    [["list", "--json", "--agent"], "svc: conflicting output modes\n"],
    [
      ["comment", "edit", "--agent"],
      "ERR edit usage: missing <ref> <comment>\nHint: --help shows how the command is used\nExit-Code: 2\n",
    ],
  ])("the error of the command line %j is shown in the requested mode", async (words, err) => {
    expect(await runCommand(words)).toEqual({ out: "", err, code: 2 });
  });

  test("an error is shown even with -q", async () => {
    const { err, code } = await runCommand(["list", "--limt", "--agent", "-q"]);
    expect(err).toMatch(/^ERR list usage: /);
    expect(code).toBe(2);
  });
});

describe("JSON output", () => {
  test.each([
    ["{}", '{"svc_api_version":1}'],
    ['{"a":1}', '{"svc_api_version":1,"a":1}'],
    ['{ "a":1.0 }\n', '{"svc_api_version":1,"a":1.0 }'],
  ])("for the daemon's answer %s is %s", (given, out) => expect(withVersion(given)).toBe(out));

  test.each(["[]", "null", '"text"', "", '{"svc_api_version":2}'])(
    "%j as the daemon's answer is reported as a bug of the daemon",
    (given) => {
      expect(() => withVersion(given)).toThrow("the daemon's answer");
    },
  );

  test("is a single line that starts with the version, with -q or without", async () => {
    const w = await projectWorld();
    const id = await w.issue("a");
    const out = await w.ok(["show", id, "--json"]);
    expect(out.split("\n")).toEqual([out.trimEnd(), ""]);
    expect(out).toMatch(/^\{"svc_api_version":1,"issue":/);
    expect(await w.ok(["show", id, "--json", "-q"])).toBe(out);
  });

  test("contains the daemon's answer unchanged", async () => {
    const w = await projectWorld();
    await w.issue("a", "--meta", "n=1");
    const { issues } = JSON.parse(await w.ok(["list", "--json"]));
    const { issue } = JSON.parse(await w.ok(["next", "--json"]));
    expect(issues).toEqual([issue]);
  });
});

describe("the exit code", () => {
  test.each([
    ["the command line is wrong", ["show"], 2, "usage", undefined],
    ["a value is not valid", ["show", "12"], 3, "validation", "validation"],
    [
      "a value is not valid for the daemon",
      ["create", "x", "--priority", "7"],
      3,
      "validation",
      "validation",
    ],
    [
      "a daemon that config.toml does not name",
      ["list", "--daemon", "nowhere"],
      3,
      "validation",
      "validation",
    ],
    ["there is no such issue", ["show", "zzzz"], 4, "not_found", "issue_not_found"],
    [
      "there is no such project",
      ["list", "--project", "nothing"],
      4,
      "not_found",
      "project_not_initialized",
    ],
  ])(
    "the exit code says why a command was refused (%s): %j",
    async (_what, words, exit_code, kind, code) => {
      const w = await projectWorld();
      const refusal = await w.refused([...words, "--json"]);
      expect(refusal.code).toBe(exit_code);
      const { error } = JSON.parse(refusal.err);
      expect(error).toMatchObject({ kind, exit_code });
      expect(error.code).toBe(code);
    },
  );

  test("the exit code of a conflict is 5, and the error keeps its data", async () => {
    const w = await projectWorld();
    const id = await w.issue("taken", "--owner", "bea");
    const { err, code } = await w.refused(["claim", id, "--json"]);
    expect(code).toBe(5);
    expect(JSON.parse(err).error).toMatchObject({
      kind: "conflict",
      code: "already_claimed",
      data: { current_owner: "bea" },
    });
  });

  test("the exit code of a stale revision is 6, and the error names the present revision", async () => {
    const w = await projectWorld();
    const id = await w.issue("a");
    const words = [
      "close",
      id,
      "--wontfix",
      "-m",
      "nobody reads the old format any more, so its reader goes away",
      "--if-match",
      "7",
    ];
    const { err, code } = await w.refused(words);
    expect(code).toBe(6);
    expect(err).toMatch(/^svc: revision conflict: /);
  });

  test("the exit code without a daemon is 7, and health starts no daemon", async () => {
    const w = await cliWorld();
    await w.daemon.stop();
    const { err, code } = await w.refused(["health", "--agent"]);
    expect(code).toBe(7);
    expect(err).toMatch(/^ERR health daemon_unavailable: no daemon is running\n/);
  });

  test("the exit code is 0 if a command changes nothing", async () => {
    const w = await projectWorld();
    const id = await w.issue("a", "--label", "x");
    expect(await w.ok(["label", "add", id, "x"])).toContain("no-op");
  });
});

describe("text of others cannot control the terminal", () => {
  const NASTY = "red\u001b[31m \u202eback\u2066 bell\u0007 \u009b2Jgone\u200b";

  test.each([["list"], ["list", "--agent"], ["ready"], ["next"]])(
    "the output of svc $0 (further flag: $1) has no control characters of others' text",
    async (...words) => {
      const w = await projectWorld();
      // svc next does not offer issues that somebody else owns.
      await w.issue(NASTY, ...(words[0] === "next" ? [] : ["--owner", "eve\u001b[2J"]));
      const out = await w.ok(words.filter((word) => word !== undefined));
      expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(out).toContain("red back bell gone");
    },
  );

  test("a line break in a title is shown as \\n, and bodies keep their line breaks", async () => {
    const w = await projectWorld();
    const id = await w.issue("two\nlines", "--body", "first\nsecond\u001b]0;title\u0007\r\nthird");
    const out = await w.ok(["show", id]);
    expect(out).toContain("two\\nlines");
    expect(out).toContain("\nfirst\nsecond\nthird\n");
  });

  test("an error repeats a ref without its control characters", async () => {
    const w = await projectWorld();
    const { err } = await w.refused(["show", "a\u001b[31mb"]);
    expect(err).not.toContain("\u001b");
  });
});

describe("colour", () => {
  const coloured = async (
    terminal: number | undefined,
    env: Record<string, string>,
  ): Promise<boolean> => {
    const w = await projectWorld();
    await w.issue("a", "--priority", "0");
    const out = await w.ok(["list"], terminal === undefined ? { env } : { terminal, env });
    return out.includes("\u001b[");
  };

  test.each([
    [80, {}, true],
    [undefined, {}, false],
    [80, { NO_COLOR: "1" }, false],
    [80, { NO_COLOR: "" }, true],
    [80, { NO_COLOR: "0", SVC_COLOR_MODE: "dark" }, false],
    [80, { SVC_COLOR_MODE: "none" }, false],
    [80, { SVC_COLOR_MODE: "light" }, true],
    [80, { SVC_COLOR_MODE: "purple" }, true],
    [undefined, { SVC_COLOR_MODE: "dark" }, false],
    [80, { TERM: "dumb" }, false],
    [80, { TERM: "vt100" }, false],
    [80, { TERM: "vt100", SVC_COLOR_MODE: "dark" }, true],
  ])(
    "colour is used on a terminal of %s columns with the variables %j: %s",
    async (terminal, env, expected) => {
      expect(await coloured(terminal, env)).toBe(expected);
    },
  );

  test("is never in agent output or JSON", async () => {
    const w = await projectWorld();
    const id = await w.issue("a", "--priority", "0");
    for (const mode of ["--agent", "--json"]) {
      expect(await w.ok(["show", id, mode], { terminal: 80 })).not.toContain("\u001b");
    }
  });
});
