import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { box } from "./box.ts";

/** What bash would offer after these words, by the functions that `svc autocomplete` wrote. */
function offered(folder: string, words: readonly string[]): readonly string[] {
  const script = `
    source "$1"; shift
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    _svc_autocomplete
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const file = join(folder, "svc", "autocomplete", "functions", "bash", "svc.bash");
  const out = execFileSync("bash", ["-c", script, "bash", file, ...words], { encoding: "utf8" });
  return [...new Set(out.split("\n").filter((line) => line !== ""))].sort();
}

test("bash completes commands, commands of a topic and flags, and no daemon is started", async () => {
  const place = box();
  const written = await place.svc("autocomplete", "bash");
  expect(written.code).toBe(0);
  const folder = join(place.folder, ".cache");
  expect(offered(folder, ["svc", "unass"])).toEqual(["unassign"]);
  expect(offered(folder, ["svc", "label", ""])).toEqual(["add", "rm"]);
  expect(offered(folder, ["svc", "daemon", "st"])).toEqual(["start", "status", "stop"]);
  expect(offered(folder, ["svc", "daemon", "locate", "--no"])).toEqual(["--no-start"]);
  expect(readdirSync(place.folder)).not.toContain("home");
});

test("the line for a shell's start file names the script that was written", async () => {
  const place = box();
  await place.svc("autocomplete", "bash");
  const { stdout, code } = await place.svc("autocomplete", "script", "bash");
  expect(code).toBe(0);
  expect(stdout).toContain(join(place.folder, ".cache", "svc", "autocomplete", "bash_setup"));
});

test.each<[words: readonly string[], says: string]>([
  [["autocomplete", "--json"], "unknown flag --json"],
  [["autocomplete", "script", "--frob", "--json"], "unknown flag --frob"],
  [["autocomplete", "nosuch", "--json"], "expected nosuch to be one of: zsh, bash, powershell"],
])("what is wrong with the words of %j is told as everywhere", async (words, says) => {
  const { code, stdout, stderr } = await box().svc(...words);
  expect([code, stdout]).toEqual([2, ""]);
  expect(JSON.parse(stderr).error).toMatchObject({ kind: "usage", exit_code: 2 });
  expect(JSON.parse(stderr).error.message).toContain(says);
  const plain = await box().svc(...words.filter((word) => word !== "--json"), "--frob");
  expect(plain.stderr).toMatch(/^svc: /);
});
