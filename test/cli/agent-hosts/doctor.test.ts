import { describe, expect, test } from "vitest";
import type { HostName } from "../../../src/cli/agent-hosts/hosts.ts";
import { type CommandDaemon, hostChecks } from "../../../src/cli/agent-hosts/judge.ts";
import { secretNames, withoutSecrets } from "../../../src/cli/agent-hosts/secrets.ts";
import type { ServerAnswers, Trial } from "../../../src/cli/agent-hosts/trial.ts";
import { folderWith } from "../../config/folder.ts";
import { runCommand } from "../harness.ts";

const WORK = ["search", "show", "next", "create", "comment", "claim", "close"];
const underscores = WORK.map((name) => `svc_${name}`);
const both = { tool: "svc_next", hasText: true, hasStructure: true };
const seen: ServerAnswers = {
  server: "svc 1.2.3",
  protocol: "2025-11-25",
  tools: underscores,
  answer: both,
  instance: "A",
  project: "web",
};
const HERE: CommandDaemon = { kind: "asked", instance: "A", name: "the daemon of ann" };

function verdicts(client: HostName, trial: Trial, here: CommandDaemon = HERE) {
  const install = `svc mcp install --client ${client}`;
  const host = { client, title: client, scope: "project" as const, install };
  return Object.fromEntries(hostChecks(host, trial, here).map((check) => [check.id, check]));
}

const LOADERS = { ...seen, tools: ["svc.load_issue_discovery"] };
const DOTS = { ...seen, tools: WORK.map((name) => `svc.${name}`) };
const TEXT = { ...seen, answer: { ...both, hasStructure: false } };
const STRUCTURE = { ...seen, answer: { ...both, hasText: false } };

describe("the verdict of svc mcp doctor on an agent host", () => {
  test.each([
    ["codex", seen, "ok", "ok", "ok"],
    ["codex", LOADERS, "failed", "warning", "ok"],
    ["codex", STRUCTURE, "ok", "ok", "ok"],
    ["claude-code", LOADERS, "warning", "warning", "ok"],
    ["gemini", DOTS, "ok", "ok", "ok"],
    ["gemini", STRUCTURE, "ok", "ok", "failed"],
    ["opencode", DOTS, "ok", "warning", "ok"],
    ["zed", TEXT, "ok", "ok", "ok"],
    ["zed", seen, "ok", "ok", "warning"],
    ["zed", LOADERS, "warning", "warning", "warning"],
  ] as const)(
    "for a trial of $0 (case %#) is $2 for its tools, $3 for their names and $4 for the answers",
    (client, trial, tools, names, answers) => {
      const found = verdicts(client, trial);
      expect(["sees.tools", "sees.names", "sees.answers"].map((id) => found[id]?.status)).toEqual([
        tools,
        names,
        answers,
      ]);
      for (const { status, fix } of Object.values(found))
        expect(fix === undefined).toBe(status === "ok");
    },
  );

  test("says that the host was not tried, or with which version it was tried", () => {
    for (const id of ["sees.tools", "sees.answers"]) {
      expect(verdicts("zed", TEXT)[id]?.summary).toContain("was not tried");
      expect(verdicts("codex", seen)[id]?.summary).toMatch(/tried \d/);
    }
  });

  test("includes in its remedy the flags that the host needs", () => {
    expect(verdicts("codex", LOADERS)["sees.tools"]?.fix).toMatch(
      /^svc mcp install --client codex --force writes --load \S+ --compact --tool-names underscore/,
    );
  });
});

describe("the verdict of svc mcp doctor on the daemon that a server uses", () => {
  test.each<[CommandDaemon, string, string]>([
    [HERE, "ok", "asks the daemon of ann, as svc here; project web"],
    [{ ...HERE, instance: "B" }, "failed", "asks another daemon than svc here"],
    [{ kind: "none", name: "the daemon of ann" }, "failed", "where no daemon runs"],
    [{ kind: "unknown", why: "it does not answer" }, "skipped", "it does not answer"],
  ])("depends on which daemon svc itself uses: %j", (here, status, summary) => {
    expect(verdicts("codex", seen, here)["daemon"]).toMatchObject({
      status,
      summary: expect.stringContaining(summary),
    });
  });
});

test("svc mcp doctor reports a call that fails or gives an empty answer, and a server that is not svc", () => {
  const failing = { ...seen, answer: { ...both, fault: "410 gone" } };
  expect(verdicts("codex", failing)["call"]).toMatchObject({
    status: "failed",
    summary: "svc_next failed: 410 gone",
  });
  const empty = { ...seen, answer: { ...both, hasText: false, hasStructure: false } };
  expect(verdicts("codex", empty)["call"]?.status).toBe("failed");
  const { answer: _none, ...other } = { ...seen, server: "else 1" };
  expect(verdicts("codex", other)).toMatchObject({
    start: { status: "ok" },
    tools: { status: "failed", fix: expect.stringContaining("--force") },
  });
});

test("svc mcp doctor shows a server that does not start with the first lines of its stderr", () => {
  const errors = Array.from({ length: 9 }, (_, at) => `line ${at}\n\n`).join("");
  const { start } = verdicts("codex", { kind: "ended", fault: "the server ended", errors });
  expect(start?.summary).toBe(
    "the server ended, so codex sees no tools; stderr: line 0 / line 1 / line 2 / line 3 / line 4",
  );
});

test.each([
  ["Bearer abcdefgh-ijk failed", "Bearer <hidden> failed"],
  ["postgres://ann:pa55@db/x", "postgres://ann:<hidden>@db/x"],
  ["--token=12345678901", "--token=<hidden>"],
  [`svc_${"a".repeat(43)}`, "<hidden>"],
  ["said of-the-team, and short", "said <TEAM>, and short"],
  ["of ann, by svc_audit_closes", "of ann, by svc_audit_closes"],
])("svc mcp doctor hides the secrets of a text: %s", (text, shown) => {
  const env = { TEAM: "of-the-team", MY_TOKEN: "of", SVC_AUTHOR: "ann" };
  const names = secretNames(env, ["TEAM"]);
  expect(names).toEqual(["TEAM", "MY_TOKEN"]);
  expect(withoutSecrets(text, env, names)).toBe(shown);
});

describe("a file without a server", () => {
  function place(files: Readonly<Record<string, string>> = {}) {
    const home = folderWith();
    const cwd = folderWith({ ".git/HEAD": "", ...files });
    const env = { PATH: process.env["PATH"], HOME: home };
    return async (...words: string[]) =>
      await runCommand(["mcp", "doctor", ...words], { cwd, env });
  }

  test("is a fault only if its host was named in the command, and then the command that installs the server is shown", async () => {
    const run = place();
    expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining("svc mcp install") });
    const named = await run("--client", "codex", "--client", "zed", "--json");
    expect(named.code).toBe(1);
    expect(JSON.parse(named.out).hosts).toMatchObject([
      {
        client: "codex",
        command: null,
        checks: [{ fix: "svc mcp install --client codex adds one" }],
      },
      { client: "zed", checks: [{ status: "failed" }] },
    ]);
    expect((await run("--client", "vscode", "--scope", "user")).code).toBe(2);
  });

  test("is reported if it is broken and mentions svc, or if its entry starts no program", async () => {
    const run = place({
      ".mcp.json": '{"mcpServers": {"svc": ',
      ".cursor/mcp.json": "{ broken",
      ".vscode/mcp.json": '{"servers": {"svc": {"url": "http://127.0.0.1:1"}}}',
    });
    const { code, out } = await run();
    expect(code).toBe(1);
    expect(out).toContain("not valid JSON");
    expect(out).toContain("starts no program");
    expect(out).not.toContain("cursor");
  });
});
