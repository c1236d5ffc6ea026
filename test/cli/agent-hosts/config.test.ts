import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { HOST_NAMES, HOSTS, scopesOf } from "../../../src/cli/agent-hosts/hosts.ts";
import { folderWith } from "../../config/folder.ts";
import { runCommand } from "../harness.ts";

const SECRET = "the-bearer-of-ann";
const TEAM = '[[daemon]]\nname = "team"\nurl = "https://t.example.com"\ntoken_env = "TEAM_TOKEN"\n';
const LOAD = ["--load", "issue_discovery,issue_mutation,issue_lifecycle", "--compact"];
const UNDERSCORE = ["--tool-names", "underscore"];
/** The arguments for a host that does not list tools again and shows dots as underscores. */
const SERVE = ["mcp", "serve", ...LOAD, ...UNDERSCORE];
/** The arguments for a host that was not tried. */
const UNTRIED = [...SERVE, "--content", "text"];
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  "claude-code": SERVE,
  codex: SERVE,
  gemini: ["mcp", "serve", ...LOAD],
  opencode: SERVE,
};

function place() {
  const home = folderWith({ ".svc/config.toml": TEAM });
  const work = folderWith({ ".svc.toml": 'version = 1\n[project]\nname = "web"\n', "src/a": "" });
  const run = async (words: readonly string[], env: Record<string, string> = {}) =>
    await runCommand(["mcp", "config", ...words], {
      cwd: join(work, "src"),
      env: { PATH: process.env["PATH"], HOME: home, ...env },
    });
  const entry = async (client: string, ...words: string[]) => {
    const { out, err, code } = await run(["--client", client, ...words, "--json"]);
    expect([err, code]).toEqual(["", 0]);
    return JSON.parse(out);
  };
  return { home, work, run, entry };
}

describe("svc mcp config", () => {
  test("prints the form that most hosts read if no host is named", async () => {
    const { out, err } = await place().run(["--as", "claude-1", "--daemon", "team"]);
    expect(JSON.parse(out)).toEqual({
      mcpServers: {
        svc: { command: "svc", args: [...UNTRIED, "--daemon", "team", "--as", "claude-1"] },
      },
    });
    expect(err).toContain("TEAM_TOKEN");
  });

  test.each([
    [
      "claude-code",
      ".mcp.json",
      { mcpServers: { svc: { type: "stdio", command: "svc", args: SERVE } } },
    ],
    [
      "cursor",
      ".cursor/mcp.json",
      {
        mcpServers: {
          svc: {
            type: "stdio",
            command: "svc",
            args: [...UNTRIED, "--workspace", "${workspaceFolder}"],
          },
        },
      },
    ],
    [
      "gemini",
      ".gemini/settings.json",
      { mcpServers: { svc: { command: "svc", args: FLAGS["gemini"] } } },
    ],
    [
      "opencode",
      "opencode.json",
      {
        $schema: "https://opencode.ai/config.json",
        mcp: { svc: { type: "local", command: ["svc", ...SERVE], enabled: true } },
      },
    ],
    [
      "vscode",
      ".vscode/mcp.json",
      {
        servers: {
          svc: {
            type: "stdio",
            command: "svc",
            args: [...UNTRIED, "--workspace", "${workspaceFolder}"],
          },
        },
      },
    ],
  ])(
    "prints for %s the file in the workspace and the text that belongs there",
    async (client, file, document) => {
      const { work, entry } = place();
      const found = await entry(client);
      expect(found).toMatchObject({
        client,
        scope: "project",
        path: join(work, file),
        format: "json",
      });
      expect(JSON.parse(found.text)).toEqual(document);
    },
  );

  test("prints TOML for Codex that parses back to the same values", async () => {
    const { home, entry } = place();
    const asked = ["--scope", "user", "--as", 'an "odd"\\name\u009b', "--command", "/opt/my svc"];
    const { path, text } = await entry("codex", ...asked);
    expect(path).toBe(join(home, ".codex/config.toml"));
    expect(parse(text)).toEqual({
      mcp_servers: {
        svc: {
          command: "/opt/my svc",
          args: [...SERVE, "--as", 'an "odd"\\name\u009b'],
          required: true,
          startup_timeout_sec: 60,
        },
      },
    });
    expect(text).not.toContain("\u009b");
  });

  test("makes Codex wait for the server in a user's own file, but not in the file of a project", async () => {
    const { entry } = place();
    const waits = async (scope: string) => {
      const { text } = await entry("codex", "--scope", scope);
      const { svc } = parse(text)["mcp_servers"] as { readonly svc: object };
      return "required" in svc && "startup_timeout_sec" in svc;
    };
    expect([await waits("user"), await waits("project")]).toEqual([true, false]);
  });

  test.each(
    HOST_NAMES.filter((name) => name !== "claude-desktop").flatMap((name) =>
      scopesOf(HOSTS[name]).map((scope) => [name, scope]),
    ),
  )(
    "gives the host %s in scope %s every flag, and only the name of the token's variable",
    async (client, scope) => {
      const { run } = place();
      const asked = ["--client", client, "--scope", scope, "--projects", "web, api", "--as", "-x"];
      const { out } = await run([...asked, "--json"], { SVC_AUTH_TOKEN: SECRET });
      const found = JSON.parse(out);
      expect(found.args).toEqual([
        ...(FLAGS[client] ?? UNTRIED),
        "--projects",
        "web,api",
        "--as=-x",
      ]);
      expect(found.token_env).toBe("SVC_AUTH_TOKEN");
      expect(out).not.toContain(SECRET);
      const named = found.text.includes("SVC_AUTH_TOKEN");
      expect(named).toBe(["codex", "cursor", "gemini"].includes(client));
    },
  );

  test("uses --workspace as the server's folder in the user's file", async () => {
    const { work, entry } = place();
    const { args } = await entry("zed", "--workspace", "..");
    expect(args).toEqual([...UNTRIED, "--workspace", work]);
  });

  test.each([
    [["--client", "emacs"], 2, "--client"],
    [["--client", "zed"], 2, "name what it reaches"],
    [["--client", "cursor", "--scope", "user"], 2, "name what it reaches"],
    [["--client", "zed", "--scope", "project", "--all-projects"], 2, "use --scope user"],
    [["--client", "vscode", "--scope", "user"], 2, "use --scope project"],
    [["--projects", "web,"], 2, "empty name"],
    [["--projects", "web", "--all-projects"], 2, "all-projects"],
    [["--daemon", "nowhere"], 3, "names no daemon"],
    [["--as", "@me"], 3, "nobody can be named @me"],
  ])("refuses %j", async (words, code, said) => {
    const ran = await place().run(words);
    expect(ran).toMatchObject({ code, out: "", err: expect.stringContaining(said) });
  });
});
