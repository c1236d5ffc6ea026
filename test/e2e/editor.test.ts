import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pty } from "../support/pty.ts";
import { type Box, box } from "./box.ts";

interface ShowAnswer {
  readonly issue: { readonly title: string; readonly body: string; readonly short_id: string };
}

/** Runs the command as a person at a terminal would, with this script as the editor. */
function typed(b: Box, script: string, ...words: string[]) {
  const path = join(b.work, "editor.sh");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o700);
  const env = { ...b.env, EDITOR: path };
  return pty(process.execPath, [b.launcher, ...words], { cwd: b.work, env, columns: 120 });
}

const drafts = (b: Box) => readdirSync(b.temp).filter((name) => name.startsWith("svc-edit-"));

test("an editor has the terminal while svc create waits for it", async () => {
  const b = box();
  await b.svc("init", "--project", "web");
  const terminal = typed(b, 'echo ready; read line; echo "$line" > "$1"', "create");
  await terminal.shows("ready");
  terminal.type("typed at the terminal\r");
  expect(await terminal.ended).toBe(0);
  await terminal.shows("typed at the terminal [open]");
  const { issues } = await b.json<{ issues: ShowAnswer["issue"][] }>("list");
  expect(issues.map(({ title }) => title)).toEqual(["typed at the terminal"]);
  expect(drafts(b)).toEqual([]);
}, 60_000);

test("svc edit does not overwrite what others changed while the editor was open, and keeps the text in a file", async () => {
  const b = box();
  await b.svc("init", "--project", "web");
  const { issue } = await b.json<ShowAnswer>("create", "a title", "--body", "old");
  const theirs = `'${process.execPath}' '${b.launcher}' edit ${issue.short_id} --body theirs -q`;
  const terminal = typed(b, `sed -i s/old/mine/ "$1"; ${theirs}`, "edit", issue.short_id);
  expect(await terminal.ended).toBe(5);
  expect(terminal.written()).toContain("somebody else changed the title or the text meanwhile");
  expect(terminal.written()).toContain("your text is kept in");
  expect((await b.json<ShowAnswer>("show", issue.short_id)).issue.body).toBe("theirs");
  expect(drafts(b)).toHaveLength(1);
}, 60_000);

test("an interrupt in the terminal ends the editor, and svc continues and leaves no file", async () => {
  const b = box();
  await b.svc("init", "--project", "web");
  const script = "trap 'echo interrupted; exit 1' INT; echo ready; while :; do sleep 0.05; done";
  const terminal = typed(b, script, "create");
  await terminal.shows("ready");
  terminal.type("\u0003");
  expect(await terminal.ended).toBe(1);
  expect(terminal.written()).toContain("failed (exit code 1): nothing was written");
  expect(drafts(b)).toEqual([]);
}, 60_000);
