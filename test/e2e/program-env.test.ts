import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pty } from "../support/pty.ts";
import { box } from "./box.ts";

const TOKEN = "the-bearer-of-ann";
const PROVIDER_TOKEN = "the-token-for-the-code-host";
/** In variables that config.toml names. */
const NAMED_TOKENS = { CODE_HOST: "the-named-token-for-the-code-host", BOX: "the-token-of-a-box" };

test("git, the editor and the markdown renderer do not inherit the tokens of svc", async () => {
  const b = box({ SVC_AUTH_TOKEN: TOKEN, SVC_PROVIDER_TOKEN: PROVIDER_TOKEN, ...NAMED_TOKENS });
  const bin = join(b.folder, "bin");
  mkdirSync(bin);
  const seenBy = (name: string): string => readFileSync(join(bin, `${name}.env`), "utf8");
  const program = (name: string, then: string): string => {
    const path = join(bin, name);
    writeFileSync(path, `#!/bin/sh\nenv > "${path}.env"\n${then}\n`);
    chmodSync(path, 0o700);
    return path;
  };
  program("git", "echo bea");
  const editor = program("editor", 'echo "a title" > "$1"');
  const renderer = program("renderer", "cat");
  await b.svc("init", "--project", "web");
  const settings = [
    `display.markdown_renderer = ["${renderer}"]`,
    'provider_sync.token_env = "CODE_HOST"',
    "[[daemon]]",
    'name = "box"',
    'url = "https://box.example"',
    'token_env = "BOX"',
  ];
  writeFileSync(join(b.home, "config.toml"), `${settings.join("\n")}\n`, { mode: 0o600 });

  const { SVC_AUTHOR: _author, ...env } = b.env;
  const terminal = async (...words: string[]): Promise<string> => {
    const { ended, written } = pty(process.execPath, [b.launcher, ...words], {
      cwd: b.work,
      env: { ...env, EDITOR: editor, PATH: `${bin}:${env["PATH"]}`, MARK: "mark" },
      columns: 120,
    });
    expect([words, await ended]).toEqual([words, 0]);
    return written();
  };
  expect(await terminal("create")).toContain("a title [open]");
  const { issue } = await b.json<{ issue: { short_id: string } }>("create", "two", "--body", "b");
  expect(await terminal("show", issue.short_id, "--render")).toContain("two");
  expect(await terminal("whoami")).toContain("bea");
  for (const name of ["git", "editor", "renderer"]) {
    expect([name, seenBy(name)]).toEqual([name, expect.stringContaining("MARK=mark")]);
    for (const token of [TOKEN, PROVIDER_TOKEN, ...Object.values(NAMED_TOKENS)])
      expect(seenBy(name)).not.toContain(token);
  }
}, 60_000);
