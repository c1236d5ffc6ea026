import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HOST_NAMES, HOSTS, scopesOf } from "../../../src/cli/agent-hosts/hosts.ts";
import { folderWith } from "../../config/folder.ts";
import { runCommand } from "../harness.ts";

function place(files: Readonly<Record<string, string>> = {}) {
  const home = folderWith();
  const work = folderWith({ ".git/HEAD": "", ...files });
  const run = async (...words: string[]) =>
    await runCommand(["mcp", ...words], {
      cwd: work,
      env: { PATH: process.env["PATH"], HOME: home, SVC_SERVER: "https://t.example.com" },
    });
  const path = (file: string) => join(work, file);
  return { run, path, text: (file: string) => readFileSync(path(file), "utf8") };
}

const claude = ["--client", "claude-code"];
const FILE = ".mcp.json";

describe("svc mcp uninstall undoes svc mcp install", () => {
  test.each(
    HOST_NAMES.filter((name) => name !== "claude-desktop").flatMap((name) =>
      scopesOf(HOSTS[name]).map((scope) => [name, scope] as const),
    ),
  )("uninstall removes the file that install created for %s in scope %s", async (client, scope) => {
    const { run } = place();
    const words = ["--client", client, "--scope", scope];
    const { path } = JSON.parse((await run("install", ...words, "--all-projects", "--json")).out);
    expect((await run("uninstall", ...words)).out).toBe(
      `removed ${path}, which had nothing else\n`,
    );
    expect(existsSync(path)).toBe(false);
    expect((await run("uninstall", ...words)).out).toBe(`svc is not in ${path}\n`);
  });

  test.each([
    ["other servers", '{\n  "mcpServers": {\n    "a": { "command": "a" }\n  }\n}\n'],
    ["an object on one line", '{"mcpServers": {"a": {}}, "z": 1}'],
    ["no servers", '{\n\t"theme": "dark"\n}\n'],
    [
      "comments and trailing commas",
      '{\n  // mine\n  "mcpServers": {\n    "a": {}, // note\n    /* end */\n  },\n}\n',
    ],
    ["a comment behind the last server", '{\n  "mcpServers": {\n    "a": {} // note\n  }\n}\n'],
    ["only a comment", '{\n  "mcpServers": {\n    // none yet\n  }\n}\n'],
    [
      "a byte order mark and other line ends",
      '\uFEFF{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n',
    ],
  ])("uninstall restores every byte of a JSON file with %s", async (_what, before) => {
    const { run, path, text } = place({ [FILE]: before });
    await run("install", ...claude);
    expect(text(FILE)).not.toBe(before);
    expect((await run("uninstall", ...claude)).out).toBe(`removed svc from ${path(FILE)}\n`);
    expect(text(FILE)).toBe(before);
  });

  test.each([
    ["other tables", '# mine\n[mcp_servers.docs]\ncommand = "d" # stays\n'],
    ["other line ends", 'model = "o"\r\n'],
    ["a byte order mark", '\uFEFFmodel = "o"\n'],
  ])("uninstall restores every byte of a TOML file with %s", async (_what, before) => {
    const file = ".codex/config.toml";
    const { run, text } = place({ [file]: before });
    await run("install", "--client", "codex");
    expect(text(file)).not.toBe(before);
    await run("uninstall", "--client", "codex");
    expect(text(file)).toBe(before);
  });

  test("uninstall removes an entry wherever it is, together with anything a person has added to it", async () => {
    const svc = '    "svc": { "command": "svc", "args": ["mcp", "serve"], "timeout": 5 },\n';
    const rest = '{\n  "mcpServers": {\n    // of ann\n    "a": {}, // note\n    "b": {}\n  }\n}\n';
    const at = rest.indexOf('    "a"');
    const { run, text } = place({ [FILE]: rest.slice(0, at) + svc + rest.slice(at) });
    await run("uninstall", ...claude);
    expect(text(FILE)).toBe(rest);
  });
});

describe("svc mcp uninstall", () => {
  test("leaves an entry that starts something else, unless --force is given", async () => {
    const other = '{"mcpServers": {"svc": {"command": "else"}}}';
    const { run, text } = place({ [FILE]: other });
    expect(await run("uninstall", ...claude)).toMatchObject({
      code: 5,
      out: "",
      err: expect.stringContaining("--force"),
    });
    expect(text(FILE)).toBe(other);
    await run("uninstall", ...claude, "--force");
    expect(text(FILE)).toBe('{"mcpServers": {}}');
  });

  test("changes several hosts' files, or none if one is refused", async () => {
    const { run, path, text } = place({ ".cursor/mcp.json": "{ broken" });
    await run("install", ...claude);
    const before = text(FILE);
    const both = ["uninstall", ...claude, "--client", "cursor"];
    const refused = await run(...both);
    expect(refused).toMatchObject({
      code: 3,
      err: expect.stringContaining("not valid JSON (line 1)"),
    });
    expect([text(FILE), text(".cursor/mcp.json")]).toEqual([before, "{ broken"]);
    writeFileSync(path(".cursor/mcp.json"), "{}\n");
    const dry = JSON.parse((await run(...both, "--dry-run", "--json")).out);
    expect(text(FILE)).toBe(before);
    const { hosts } = JSON.parse((await run(...both, "--json")).out);
    expect(hosts).toEqual(dry.hosts);
    expect(hosts).toMatchObject([
      { client: "claude-code", action: "removed", removes_file: true },
      { client: "cursor", action: "absent", removes_file: false },
    ]);
    expect([existsSync(path(FILE)), text(".cursor/mcp.json")]).toEqual([false, "{}\n"]);
  });

  test("follows no symbolic link, loses no comment in the entry, and keeps the mode of the file", async () => {
    const elsewhere = folderWith({ profile: "{}\n" });
    const { run, path, text } = place({
      [FILE]: '{"mcpServers": {"svc": {"command": "svc", "args": ["mcp", "serve"] /* why */}}}',
    });
    const refused = await run("uninstall", ...claude);
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining("by hand") });
    expect(text(FILE)).toContain("why");
    writeFileSync(path(FILE), '{"mcpServers": {"a": 1}}', { mode: 0o640 });
    const { mode } = statSync(path(FILE));
    await run("install", ...claude);
    await run("uninstall", ...claude);
    expect(statSync(path(FILE)).mode).toBe(mode);
    symlinkSync(join(elsewhere, "profile"), path("opencode.json"));
    expect((await run("uninstall", "--client", "opencode")).err).toContain("symbolic link");
    expect((await run("uninstall")).code).toBe(2);
  });
});
