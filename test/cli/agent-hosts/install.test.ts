import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { HOST_NAMES, HOSTS, scopesOf } from "../../../src/cli/agent-hosts/hosts.ts";
import { withJsonValue } from "../../../src/cli/agent-hosts/json-entry.ts";
import { folderWith } from "../../config/folder.ts";
import { runCommand } from "../harness.ts";

const SECRET = "the-bearer-of-ann";
const ARGS = [
  ...["mcp", "serve", "--load", "issue_discovery,issue_mutation,issue_lifecycle", "--compact"],
  ...["--tool-names", "underscore"],
];
const ENTRY = { type: "stdio", command: "svc", args: ARGS };
const TOML_ARGS = `args = [${ARGS.map((word) => JSON.stringify(word)).join(", ")}]`;

function place(files: Readonly<Record<string, string>> = {}) {
  const home = folderWith();
  const work = folderWith({ ".git/HEAD": "", ...files });
  const run = async (...words: string[]) =>
    await runCommand(["mcp", "install", ...words], {
      cwd: work,
      env: { PATH: process.env["PATH"], HOME: home, SVC_AUTH_TOKEN: SECRET },
    });
  const path = (file: string) => join(work, file);
  return { home, work, run, path, text: (file: string) => readFileSync(path(file), "utf8") };
}

const claude = ["--client", "claude-code"];

describe("svc mcp install", () => {
  test.each(
    HOST_NAMES.filter((name) => name !== "claude-desktop").flatMap((name) =>
      scopesOf(HOSTS[name]).map((scope) => [name, scope] as const),
    ),
  )(
    "writes a new file for %s in scope %s, and changes nothing the second time",
    async (client, scope) => {
      const { run } = place();
      const asked = ["--client", client, "--scope", scope, "--all-projects", "--as", "a-1"];
      const { out } = await run(...asked, "--json");
      const { path, action } = JSON.parse(out);
      expect(action).toBe("created");
      const text = readFileSync(path, "utf8");
      const document = client === "codex" ? parse(text) : JSON.parse(text);
      expect(document[HOSTS[client].servers].svc).toBeDefined();
      for (const word of ["serve", "--all-projects", "--as", "a-1"])
        expect(text).toContain(`"${word}"`);
      expect(text).not.toContain(SECRET);
      expect(statSync(path).mode & 0o777).toBe(scope === "user" ? 0o600 : 0o666 & ~process.umask());
      const before = statSync(path);
      expect((await run(...asked)).out).toBe(`svc is in ${path} already\n`);
      expect(statSync(path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    },
  );

  test("keeps every other character of a JSON file, and its mode", async () => {
    const before =
      '{\r\n\t"n": 12345678901234567890,  "a":[1,\t{"x":"}]\\""}],\r\n\t"mcpServers": {\r\n\t\t"other": { "env": {"K":"v"} }\r\n\t}\r\n}\r\n';
    const { run, path, text } = place({ ".mcp.json": before });
    chmodSync(path(".mcp.json"), 0o640);
    expect((await run(...claude)).out).toBe(`added svc to ${path(".mcp.json")}\n`);
    const at = before.indexOf("\r\n\t}\r\n}");
    expect(
      text(".mcp.json").startsWith(`${before.slice(0, at)},\r\n\t\t"svc": {\r\n\t\t\t"type"`),
    ).toBe(true);
    expect(text(".mcp.json").endsWith(before.slice(at))).toBe(true);
    expect(JSON.parse(text(".mcp.json")).mcpServers.svc).toEqual(ENTRY);
    expect(statSync(path(".mcp.json")).mode & 0o777).toBe(0o640);
    expect(readdirSync(path(".")).toSorted()).toEqual([".git", ".mcp.json"]);
  });

  const SVC = `"svc": {\n      "type": "stdio",`;
  test.each([
    [
      "comments, a comment behind the last member, and a trailing comma",
      '{\n  // mine\n  "mcpServers": {\n    "a": {}, // note\n    /* end */\n  },\n}\n',
      '"a": {}, // note\n    /* end */\n    "svc": {',
    ],
    [
      "no trailing comma where there was none",
      '{\n  "mcpServers": {\n    "a": {} // note\n  }\n}\n',
      `"a": {}, // note\n    ${SVC}`,
    ],
    [
      "an empty object with a comment",
      '{\n  "mcpServers": {\n    // none\n  }\n}\n',
      `// none\n    ${SVC}`,
    ],
    [
      "an object on one line",
      '{"mcpServers": {"a": {}}, "z": 1}',
      '{"a": {}, "svc": {"type":"stdio"',
    ],
    ["the byte order mark", '\uFEFF{\n  "mcpServers": {}\n}\n', `{\n    ${SVC}`],
  ])("keeps this in a JSON file: %s", async (_what, before, found) => {
    const { run, path, text } = place({ ".mcp.json": before });
    expect((await run(...claude)).code).toBe(0);
    const after = text(".mcp.json");
    expect(after).toContain(found);
    expect(after.startsWith("\uFEFF")).toBe(before.startsWith("\uFEFF"));
    expect((await run(...claude)).out).toContain("already");
    for (const comment of before.match(/\/\/ \w+|\/\* \w+ \*\//g) ?? [])
      expect(after).toContain(comment);
    expect((await run(...claude, "--force", "--as", "b")).out).toBe(
      `replaced svc in ${path(".mcp.json")}\n`,
    );
    expect(text(".mcp.json").split("svc").length).toBe(after.split("svc").length);
  });

  test("keeps the byte order mark of a TOML file", async () => {
    const { run, text } = place({ ".codex/config.toml": '\uFEFFmodel = "o"\n' });
    await run("--client", "codex");
    expect(text(".codex/config.toml").startsWith('\uFEFFmodel = "o"\n\n[mcp_servers.svc]\n')).toBe(
      true,
    );
  });

  test("keeps the comments and tables of a TOML file, even when it replaces its own entry", async () => {
    const before =
      'model = "o" # mine\n\n[mcp_servers.svc]\n# why\ncommand = "old"\n[mcp_servers.svc.env]\nA = "1"\n\n# next\n[mcp_servers.docs]\ncommand = "docs" # stays\n';
    const { run, text, path } = place({ ".codex/config.toml": before });
    const file = ".codex/config.toml";
    expect(await run("--client", "codex")).toMatchObject({
      code: 5,
      out: "",
      err: expect.stringContaining("--force"),
    });
    expect(text(file)).toBe(before);
    expect((await run("--client", "codex", "--force")).out).toBe(`replaced svc in ${path(file)}\n`);
    expect(text(file)).toBe(
      `model = "o" # mine\n\n[mcp_servers.svc]\ncommand = "svc"\n${TOML_ARGS}\nenv_vars = ["SVC_AUTH_TOKEN"]\n# why\n\n# next\n[mcp_servers.docs]\ncommand = "docs" # stays\n`,
    );
    writeFileSync(path(file), '# only this\r\n[mcp_servers.docs]\r\ncommand = "d"');
    await run("--client", "codex");
    expect(text(file)).toBe(
      `# only this\r\n[mcp_servers.docs]\r\ncommand = "d"\r\n\r\n[mcp_servers.svc]\r\ncommand = "svc"\r\n${TOML_ARGS}\r\nenv_vars = ["SVC_AUTH_TOKEN"]\r\n`,
    );
  });

  test("keeps an entry that starts the same server with more settings, and replaces others only with --force", async () => {
    const own = { ...ENTRY, timeout: 5 };
    const other = { command: "else", env: { KEY: "hidden" } };
    const same = place({ ".mcp.json": JSON.stringify({ mcpServers: { svc: own } }) });
    expect((await same.run(...claude)).out).toContain("already");
    const { run, text } = place({
      ".mcp.json": JSON.stringify({ mcpServers: { svc: other }, z: 1 }),
    });
    const refused = await run(...claude);
    expect(refused).toMatchObject({ code: 5, out: "", err: expect.stringContaining("--force") });
    expect(refused.err).not.toContain("hidden");
    const shown = await run(...claude, "--force", "--dry-run");
    expect([shown.code, JSON.parse(text(".mcp.json")).mcpServers.svc]).toEqual([0, other]);
    expect(shown.out).toMatch(/^would replace svc in .*:\n\{/);
    expect((await run(...claude, "--force", "--json")).out).toContain('"action":"replaced"');
    expect(JSON.parse(text(".mcp.json"))).toEqual({ mcpServers: { svc: ENTRY }, z: 1 });
  });

  test("shows the change with --dry-run and makes none", async () => {
    const { run, path } = place();
    const { out } = await run("--client", "vscode", "--dry-run");
    expect(out.startsWith(`would create ${path(".vscode/mcp.json")}:\n{`)).toBe(true);
    expect(existsSync(path(".vscode"))).toBe(false);
  });

  test.each([
    ["claude-code", ".mcp.json", '{\n  "a": 1\n  "b": 2 }', "is not valid JSON (line 3)"],
    ["claude-code", ".mcp.json", '{"mcpServers": {"svc": {"command": "d" /* why */}}}', "as it is"],
    ["claude-code", ".mcp.json", "[]", "is no JSON object"],
    ["opencode", "opencode.json", '{"mcp": {"servers": {}}}', "has its servers in mcp.servers"],
    ["claude-code", ".mcp.json", '{"mcpServers": [1]}', "that is no object"],
    [
      "codex",
      ".codex/config.toml",
      'mcp_servers = { docs = { command = "d" } }\n',
      "as it is written",
    ],
    ["codex", ".codex/config.toml", '[mcp_servers]\nsvc.command = "d"\n', "as it is written"],
    ["codex", ".codex/config.toml", '[mcp_servers.svc]\ncommand = "d" # why\n', "as it is written"],
    ["codex", ".codex/config.toml", 'a = "\n', "is not valid TOML"],
  ])(
    "refuses, for the host %s, to change a file %s that it could not preserve: %j",
    async (client, file, before, said) => {
      const { run, text } = place({ [file]: before });
      const { code, out, err } = await run("--client", client, "--force");
      expect([code, out]).toEqual([3, ""]);
      expect(err).toContain(said);
      expect(text(file)).toBe(before);
      if (!/valid|JSON/.test(said)) expect(err).toContain('"serve"');
    },
  );

  test("follows no symbolic link, and leaves the file behind it unchanged", async () => {
    const elsewhere = folderWith({ "mcp.json": "{}\n", profile: "{}\n" });
    const { run, path } = place();
    symlinkSync(join(elsewhere, "profile"), path(".mcp.json"));
    symlinkSync(elsewhere, path(".cursor"));
    const refused = await run(...claude, "--json");
    expect(refused).toMatchObject({ code: 3, out: "" });
    expect(JSON.parse(refused.err).error).toMatchObject({
      message: expect.stringContaining("symbolic link"),
      data: { text: expect.stringContaining('"serve"') },
    });
    expect((await run("--client", "cursor")).err).toContain("out of the workspace");
    expect(readFileSync(join(elsewhere, "profile"), "utf8")).toBe("{}\n");
    expect(readFileSync(join(elsewhere, "mcp.json"), "utf8")).toBe("{}\n");
    expect(readdirSync(elsewhere)).toHaveLength(2);
    expect(lstatSync(path(".mcp.json")).isSymbolicLink()).toBe(true);
  });

  test("refuses a folder outside a workspace, a folder in place of the file, and a missing --client", async () => {
    const outside = folderWith();
    const env = { PATH: process.env["PATH"], HOME: outside };
    const ran = await runCommand(["mcp", "install", ...claude], { cwd: outside, env });
    expect(ran).toMatchObject({ code: 3, err: expect.stringContaining("no workspace") });
    expect(readdirSync(outside)).toEqual([]);
    const { run, path } = place();
    mkdirSync(path(".mcp.json"));
    expect(await run(...claude)).toMatchObject({
      code: 3,
      err: expect.stringContaining("no file"),
    });
    expect((await run()).code).toBe(2);
  });
});

test("a value put into any JSON object is present afterwards, and the rest is unchanged", () => {
  const names = fc.constantFrom("servers", "svc", "a", '"', "}", "\u2028");
  const objects = fc.dictionary(names, fc.jsonValue());
  fc.assert(
    fc.property(
      objects,
      objects,
      fc.boolean(),
      fc.constantFrom(0, 1, "\t"),
      (root, inner, nests, space) => {
        const { servers: _other, ...others } = root;
        const before = nests ? { servers: inner, ...others } : others;
        const text = withJsonValue(
          JSON.stringify(before, null, space),
          ["servers", "svc"],
          [1, { b: "x" }],
        );
        const known = nests ? inner : {};
        const wanted = { ...before, servers: { ...known, svc: [1, { b: "x" }] } };
        expect(JSON.parse(text ?? "")).toEqual(JSON.parse(JSON.stringify(wanted)));
      },
    ),
  );
});
