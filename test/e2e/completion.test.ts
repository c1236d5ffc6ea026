import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { allCommands } from "../../src/cli/start/help.ts";
import { box } from "./box.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Returns what bash would offer after these words, with the script in the file. */
function offeredBy(file: string, words: readonly string[], type = 9): readonly string[] {
  const script = `
    source "$1"; COMP_TYPE=$2; shift 2
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    _svc_autocomplete
    printf '%s\\n' \${COMPREPLY[@]+"\${COMPREPLY[@]}"}`;
  const out = execFileSync("bash", ["-c", script, "bash", file, String(type), ...words], {
    encoding: "utf8",
    cwd: import.meta.dirname,
  });
  return [...new Set(out.split("\n").filter((line) => line !== ""))].sort();
}

function offered(folder: string, words: readonly string[]): readonly string[] {
  return offeredBy(join(folder, "svc", "autocomplete", "functions", "bash", "svc.bash"), words);
}

/** Scripts for shells are kept in the home of the test. */
const OWN_CACHE = { XDG_CACHE_HOME: "" };

test("bash completes commands, commands of a topic and flags, and no daemon is started", async () => {
  const place = box(OWN_CACHE);
  const written = await place.svc("autocomplete", "bash");
  expect(written.code).toBe(0);
  const folder = join(place.folder, ".cache");
  expect(offered(folder, ["svc", "unass"])).toEqual(["unassign"]);
  expect(offered(folder, ["svc", "label", ""])).toEqual(["add", "rm"]);
  expect(offered(folder, ["svc", "daemon", "st"])).toEqual(["start", "status", "stop"]);
  expect(offered(folder, ["svc", "daemon", "locate", "--no"])).toEqual(["--no-start"]);
  expect(readdirSync(place.folder)).not.toContain("home");
});

test("the line that svc autocomplete prints for a shell's start file names the completion script", async () => {
  const place = box(OWN_CACHE);
  await place.svc("autocomplete", "bash");
  const { stdout, code } = await place.svc("autocomplete", "script", "bash");
  expect(code).toBe(0);
  expect(stdout).toContain(join(place.folder, ".cache", "svc", "autocomplete", "bash_setup"));
});

/** Writes the output of `svc completion` to a file. */
async function scriptFor(shell: string): Promise<string> {
  const place = box();
  const { stdout, stderr, code } = await place.svc("completion", shell);
  expect([code, stderr]).toEqual([0, ""]);
  expect(readdirSync(place.folder)).not.toContain("home");
  const file = join(mkdtempSync(join(tmpdir(), "svc-completion-")), `svc.${shell}`);
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  writeFileSync(file, stdout);
  return file;
}

/** What both shells offer after these words. */
const OFFERED: readonly (readonly [words: readonly string[], offers: readonly string[]])[] = [
  [["unass"], ["unassign"]],
  [["l"], ["label", "labels", "lease", "link", "list", "log", "ls"]],
  [
    ["label", ""],
    ["add", "rm"],
  ],
  [
    ["dep", ""],
    ["add", "remove", "rm"],
  ],
  [
    ["list", "--status", ""],
    ["all", "closed", "open"],
  ],
  [["list", "-n", "3", "--status", "c"], ["closed"]],
  [["ls", "--status", "c"], ["closed"]],
  [
    ["create", "a title", "--priority", ""],
    ["0", "1", "2", "3", "4"],
  ],
  [["close", "abc4", "--reason", "w"], ["wontfix"]],
  [
    ["link", "abc4", ""],
    ["blocked-by", "blocks", "child-of", "related"],
  ],
  [
    ["show", "--format", ""],
    ["agent", "human", "json"],
  ],
  [["show", "--project", ""], []],
  [["daemon", "locate", "--no"], ["--no-start"]],
  [
    ["list", "--max"],
    ["--max-bytes", "--max-priority"],
  ],
  [["create", "--", "--"], []],
  [
    ["completion", ""],
    ["bash", "fish", "zsh"],
  ],
];

test("bash completes commands, aliases, flags and their values", async () => {
  const file = await scriptFor("bash");
  for (const [words, offers] of OFFERED)
    expect(offeredBy(file, ["svc", ...words]), words.join(" ")).toEqual(offers);
  expect(offeredBy(file, ["svc", "list", "--status", "=", "cl"])).toEqual(["closed"]);
  expect(offeredBy(file, ["svc", "list", "--status", "="])).toEqual(["all", "closed", "open"]);
  expect(offeredBy(file, ["svc", "export", "--output", "completion.t"])).toEqual([
    "completion.test.ts",
  ]);
});

test("bash shows what each command does when it lists several", async () => {
  const LIST = 63;
  const file = await scriptFor("bash");
  expect(offeredBy(file, ["svc", "label", ""], LIST)).toEqual([
    expect.stringMatching(/^add +\(put a label on /),
    expect.stringMatching(/^rm +\(take a label off /),
  ]);
  expect(offeredBy(file, ["svc", "unass"], LIST)).toEqual(["unassign"]);
});

test("every flag and every value of a flag is completed in bash and fish", async () => {
  const [bash, fish] = [await scriptFor("bash"), await scriptFor("fish")];
  const commands = await allCommands(ROOT, "1.2.3");
  const texts = [bash, fish].map((file) => readFileSync(file, "utf8"));
  for (const { id, flags } of commands) {
    const name = id.replaceAll(":", " ");
    for (const [flag, { options, hidden }] of Object.entries(flags)) {
      if (hidden === true) continue;
      for (const text of texts) {
        expect(text).toContain(`'--${flag}\t`);
        for (const option of options ?? [])
          expect(text, `${name} --${flag}`).toContain(`'${option}'`);
      }
    }
  }
  const one = offeredBy(bash, ["svc", "close", "abc4", "--"]);
  const close = commands.find(({ id }) => id === "close");
  if (close === undefined) throw new Error("there is a command close");
  expect(one).toEqual(expect.arrayContaining(Object.keys(close.flags).map((flag) => `--${flag}`)));
});

const has = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

test.each(["fish"].filter(has))("%s completes the same as bash", async (shell) => {
  const file = await scriptFor(shell);
  for (const [words, offers] of OFFERED) {
    const line = ["svc", ...words.map((word) => word.replace(" ", "\\ "))].join(" ");
    const script = `source ${file}; complete -C ${JSON.stringify(line)}`;
    const out = execFileSync(shell, ["--no-config", "-c", script], { encoding: "utf8" });
    const lines = out.split("\n").filter((each) => each !== "");
    expect(lines.map((each) => each.split("\t")[0]).sort(), line).toEqual(offers);
  }
});

test.each(["bash", "zsh", "fish"].filter(has))(
  "%s loads its completion script without an error",
  async (shell) => {
    const { status, stderr } = spawnSync(shell, ["-n", await scriptFor(shell)], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
  },
);

test.each<[words: readonly string[], says: string]>([
  [["autocomplete", "--json"], "unknown flag --json"],
  [["autocomplete", "script", "--frob", "--json"], "unknown flag --frob"],
  [["autocomplete", "nosuch", "--json"], "expected nosuch to be one of: zsh, bash, powershell"],
])("the wrong command line %j is refused as a usage error", async (words, says) => {
  const { code, stdout, stderr } = await box().svc(...words);
  expect([code, stdout]).toEqual([2, ""]);
  expect(JSON.parse(stderr).error).toMatchObject({ kind: "usage", exit_code: 2 });
  expect(JSON.parse(stderr).error.message).toContain(says);
  const plain = await box().svc(...words.filter((word) => word !== "--json"), "--frob");
  expect(plain.stderr).toMatch(/^svc: /);
});
