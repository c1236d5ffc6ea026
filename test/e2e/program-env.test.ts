import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pty } from "../support/pty.ts";
import { box } from "./box.ts";

const TOKEN = "the-bearer-of-ann";
const PROVIDER_TOKEN = "the-token-for-the-code-host";

test("git, the editor and the markdown renderer do not inherit the tokens", async () => {
  const b = box({ SVC_AUTH_TOKEN: TOKEN, SVC_PROVIDER_TOKEN: PROVIDER_TOKEN });
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
  writeFileSync(join(b.home, "config.toml"), `display.markdown_renderer = ["${renderer}"]\n`);

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
    for (const token of [TOKEN, PROVIDER_TOKEN]) expect(seenBy(name)).not.toContain(token);
  }
}, 60_000);
