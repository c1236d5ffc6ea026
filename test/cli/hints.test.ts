import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { FLAG_LINES, flagHint, SAME_FLAGS } from "../../src/cli/hints/flags.ts";
import { HINTS_BY_EXTRA_WORD, HINTS_BY_WORDS, NOUNS } from "../../src/cli/hints/words.ts";
import { findCommand } from "../../src/cli/start/launch.ts";
import { misnamed } from "../../src/cli/start/unknown-command.ts";
import { commandFiles, IDS, projectWorld, runCommand } from "./harness.ts";

const NAMES = Object.keys(IDS);
const hintFor = (...words: string[]): string => misnamed(words, NAMES).failure.hint ?? "";

/** Returns the command lines of a hint: `svc a, or svc b`. */
const linesIn = (text: string): readonly string[] =>
  text.split(/, or |, (?=svc )| or (?=svc )/).map((line) => line.replace(/^svc /, ""));

const MESSAGE = "what is true now, in more words than the sixty characters that are needed";

/** The values to use for `<ref>` and other placeholders. */
const VALUES: Readonly<Record<string, string>> = {
  owner: "bea",
  actor: "ann",
  label: "bug",
  title: "a title that nobody has used before",
  text: "some text",
  words: "some words",
  message: MESSAGE,
  date: "2026-12-24",
  n: "1",
  sha: "1f2e3d4",
  key: "area",
  value: "ui",
  project: "shop",
  name: "newproject",
  file: "notes.md",
};

/** These run until they are ended, open a browser, or end the daemon of this test. Only their flags are checked, against the help. */
const NOT_RUN = /^(tui|ui|demo|events --tail|daemon (start|stop|restart|logs))\b/;

/** Words in quotation marks are one word. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");

type World = Awaited<ReturnType<typeof world>>;

async function world() {
  const w = await projectWorld();
  await w.ok(["projects", "create", "shop"]);
  for (const folder of ["out", ".beads"]) mkdirSync(join(w.work, folder));
  writeFileSync(join(w.work, "notes.md"), "the text");
  writeFileSync(
    join(w.work, "plan.json"),
    '{"plan": "p", "issues": [{"name": "a", "title": "A"}]}',
  );
  writeFileSync(
    join(w.work, ".beads", "issues.jsonl"),
    `${JSON.stringify({ id: "bd-1", title: "from beads", status: "open", issue_type: "task", priority: 1, created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" })}\n`,
  );
  // Commands subtract durations from the real time.
  w.clock.advance(systemClock.nowMs() - w.clock.nowMs());
  return { ...w, tries: { count: 0 } };
}

/** Runs the line on new issues in the state for which the hint is meant. Returns what went wrong, if anything did. */
async function tried(w: World, line: string): Promise<string | undefined> {
  if (NOT_RUN.test(line)) return await undocumented(line);
  const n = ++w.tries.count;
  const [ref, other] = [await w.issue(`first ${n}`), await w.issue(`second ${n}`)];
  const confirmed = `${line.startsWith("purge") ? "PURGE" : "DELETE"} web#${ref}`;
  if (line.startsWith("reopen"))
    await w.run(["close", ref, "--done", "--commit", "1f2e3d4", "-m", MESSAGE]);
  if (line.startsWith("restore"))
    await w.run(["delete", ref, "--force", "--confirm", `DELETE web#${ref}`]);
  if (line.startsWith("wait"))
    await w.run(["close", ref, "--done", "--commit", "1f2e3d4", "-m", MESSAGE]);
  if (/^lease (release|renew)/.test(line)) await w.ok(["lease", "acquire", ref, "--ttl", "5m"]);
  if (line.startsWith("meta unset"))
    await w.ok(["meta", "set", ref, "someday", "true", "--json-value"]);
  const comment = line.startsWith("comment edit")
    ? JSON.parse(await w.ok(["comment", ref, "-m", "a", "--json"])).comment.uid
    : "";
  const child = line.includes("<child>") ? await w.issue(`child ${n}`, "--parent", other) : "";
  const values = {
    ...VALUES,
    ref,
    other,
    child,
    comment,
    file: line.startsWith("export") ? `out/${n}` : "notes.md",
  };
  const words = wordsOf(line).map((word) =>
    word.replaceAll(/<(\w+)>/g, (all, name: string) => values[name as keyof typeof values] ?? all),
  );
  const { code, err } = await w.run(words, {
    ...(/^(delete|purge) /.test(line) ? { typed: confirmed } : {}),
    stdin: "text",
    // A folder without a project, in its own repository.
    ...(line.startsWith("init") ? { cwd: mkdtempSync(join(w.home, "fresh-")) } : {}),
  });
  return code === 0 ? undefined : `svc ${words.join(" ")}: ${code} ${err}`;
}

/** For lines that are not run: checks that the command has the flags. */
async function undocumented(line: string): Promise<string | undefined> {
  const words = line.split(" ");
  const found = findCommand(words, IDS);
  if (found === undefined) return `svc ${line}: no such command`;
  const { default: command } = await import(commandFiles().get(found.id) ?? "");
  const unknown = found.rest.filter(
    (word) => !/^<\w+>$/.test(word) && !(word.slice(2) in command.flags),
  );
  return unknown.length === 0 ? undefined : `svc ${line}: ${unknown.join(" ")}`;
}

describe("a command word of another tracker", () => {
  test("gets a hint with the matching command line of svc, and is no command of svc itself", () => {
    expect(HINTS_BY_WORDS.size).toBeGreaterThan(400);
    for (const [words, { line }] of HINTS_BY_WORDS) {
      const typed = words.split(" ");
      const found = findCommand(typed, IDS);
      expect(found === undefined || found.rest.length > 0, words).toBe(true);
      if (found === undefined && !NAMES.some((name) => name.startsWith(`${words}:`)))
        expect(hintFor(...typed, "abc4"), words).toContain(line);
    }
  });

  test("gets a hint with a command line that works", async () => {
    const w = await world();
    const lines = [...HINTS_BY_WORDS.values()].map(({ line }) => line);
    const all = new Set([...lines, ...Object.values(HINTS_BY_EXTRA_WORD)].flatMap(linesIn));
    expect(all.size).toBeGreaterThan(80);
    const wrong: string[] = [];
    for (const line of all) {
      const fault = await tried(w, line);
      if (fault !== undefined) wrong.push(fault);
    }
    expect(wrong).toEqual([]);
  }, 60_000);

  test.each([
    [["unclaim", "abc4"], "use svc unassign <ref>"],
    [["tag", "abc4", "bug"], "use svc label add <ref> <label>"],
    [["Give_Up", "abc4"], "use svc unassign <ref>"],
    [["status"], "use svc show <ref>, or svc list"],
    [["issue", "list"], 'leave out "issue": svc list'],
    [["issue", "label", "add"], 'leave out "issue": svc label'],
    [["issue", "finish", "abc4"], 'use svc done <ref> --commit <sha> -m "<message>"'],
    [["task", "add", "x"], 'use svc create "<title>"'],
    [["todo"], "use svc list, or svc show <ref>"],
    [["label", "bug", "abc4"], "use svc label add <ref> <label>"],
    [["label", "ad"], "did you mean svc label add?"],
    [["-v"], "use svc version"],
    [["lst"], "did you mean svc list?"],
    [["xyzzy"], "svc --help lists the commands"],
  ])("in svc %j gets the hint: %s", (words, hint) => {
    expect(hintFor(...words)).toBe(hint);
  });

  test("never gets a hint with the opposite command", () => {
    for (const name of NAMES.filter((each) => !/^un|:/.test(each))) {
      for (const prefix of ["un", "dis", "no-"]) {
        if (NAMES.includes(prefix + name)) continue;
        expect(hintFor(prefix + name)).not.toContain(`svc ${name}?`);
      }
    }
  });

  test.each([...NOUNS])("the word %s before a command gets the hint to leave it out", (noun) => {
    expect(hintFor(noun, "show", "abc4")).toBe(`leave out "${noun}": svc show`);
  });
});

describe("too many words after a command", () => {
  test.each([
    [["comment", "add", "abc4", "-m", "x"], 'use svc comment <ref> -m "<text>"'],
    [["comment", "abc4", "some text"], 'use svc comment <ref> -m "<text>"'],
    [["list", "open"], "use svc list --status closed"],
    [["link", "add", "a", "blocks", "b"], "use svc link <ref> related <other>"],
  ])("get a hint: %j", async (words, hint) => {
    const { err, code } = await runCommand(words);
    expect(err).toContain(`hint: ${hint}`);
    expect(code).toBe(2);
  });
});

/** A command line for each flag that hints name. */
const LINES_WITH_FLAGS: Readonly<Record<string, string>> = {
  owner: 'create "<title>" --owner <owner>',
  as: "list --as ann",
  label: "list --label <label>",
  "no-label": "list --no-label <label>",
  body: 'edit <ref> --body "<text>"',
  "body-file": "edit <ref> --body-file <file>",
  "body-stdin": "edit <ref> --body-stdin",
  title: 'edit <ref> --title "<title>"',
  message: 'close <ref> --wontfix --message "<message>"',
  status: "list --status all",
  priority: "edit <ref> --priority 1",
  limit: "list --limit 3",
  "changed-since": "list --changed-since 24h",
  order: "ready --order recent",
  after: "events --after 1",
  unowned: "list --unowned",
  "blocked-by": "edit <ref> --blocked-by <other>",
  blocks: "edit <ref> --blocks <other>",
  related: "edit <ref> --related <other>",
  parent: "edit <ref> --parent <other>",
  "remove-parent": "edit <child> --remove-parent <other>",
  "remove-blocked-by": "edit <ref> --remove-blocked-by <other>",
  "remove-blocks": "edit <ref> --remove-blocks <other>",
  "remove-related": "edit <ref> --remove-related <other>",
  deadline: "edit <ref> --deadline fri",
  schedule: "edit <ref> --schedule tomorrow",
  meta: 'create "<title>" --meta area=ui',
  "force-new": 'create "<title>" --force-new',
  force: "claim <ref> --force",
  "idempotency-key": "comment <ref> -m x --idempotency-key k1",
  "if-match": "schedule <ref> 2026-12-24 --if-match rev-1",
  reason: 'close <ref> --reason wontfix -m "<message>"',
  done: 'close <ref> --done --commit <sha> -m "<message>"',
  wontfix: 'close <ref> --wontfix -m "<message>"',
  "duplicate-of": 'close <ref> --duplicate-of <other> -m "<message>"',
  "superseded-by": 'close <ref> --superseded-by <other> -m "<message>"',
  commit: 'done <ref> --commit <sha> -m "<message>"',
  pr: 'done <ref> --pr https://example.com/1 -m "<message>"',
  test: 'done <ref> --test "npm test" -m "<message>"',
  reviewed: 'done <ref> --reviewed src -m "<message>"',
  claim: "next --claim",
  lease: "next --lease 30m",
  containers: "ready --containers",
  "include-deleted": "search words --include-deleted",
  fields: "list --json --fields id",
  full: "next --full",
  render: "show <ref> --render",
  all: "list --all",
  "all-projects": "events --all-projects",
  at: "list --at 2026-01-01T00:00:00Z",
  tail: "events --tail",
  issue: "events --issue <ref>",
  type: "events --type issue.created",
  actor: "events --actor ann",
  since: "digest --since 24h",
  until: "digest --since 24h --until 1h",
  output: "export --output <file> --allow-running-daemon",
  input: "import --merge --source-format beads --input .beads/issues.jsonl",
  "source-format": "import --merge --source-format beads --input .beads/issues.jsonl",
  "with-agents": "init --with-agents",
  to: 'notify <ref> --to <owner> --message "<text>"',
  "dry-run": "undo --actor ann --since 1h --dry-run",
  format: "list --format json",
  quiet: "list --quiet",
  project: "list --project shop",
  workspace: "list --workspace .",
};

describe("a flag of another tracker", () => {
  test("gets a hint with the matching flag of the svc command", async () => {
    const named = new Set<string>();
    for (const [id, file] of commandFiles()) {
      const { default: command } = await import(file);
      const flags = new Set(Object.keys({ ...command.baseFlags, ...command.flags }));
      const args = Object.keys(command.args ?? {});
      for (const typed of SAME_FLAGS.flatMap(([, theirs]) => theirs.split(" "))) {
        const hint = flagHint(id, typed, { flags, args });
        const ours = /^did you mean --(.+)\?$/.exec(hint ?? "")?.[1];
        if (ours === undefined) continue;
        expect(flags).toContain(ours);
        named.add(ours);
      }
    }
    expect([...named].toSorted()).toEqual(SAME_FLAGS.map(([ours]) => ours).toSorted());
    expect(Object.keys(LINES_WITH_FLAGS).toSorted()).toEqual([...named].toSorted());
  });

  test("gets a hint with a flag or a command line that works", async () => {
    const w = await world();
    const wrong: string[] = [];
    for (const [flag, line] of Object.entries(LINES_WITH_FLAGS)) {
      expect(wordsOf(line)).toContain(`--${flag}`);
      const fault = await tried(w, line);
      if (fault !== undefined) wrong.push(fault);
    }
    for (const line of new Set(FLAG_LINES.flatMap(linesIn))) {
      const fault = await tried(w, line);
      if (fault !== undefined) wrong.push(fault);
    }
    expect(wrong).toEqual([]);
  }, 60_000);

  test.each([
    [["edit", "abc4", "--label", "bug"], "use svc label add <ref> <label>"],
    [["edit", "abc4", "--add-label=bug"], "use svc label add <ref> <label>"],
    [["edit", "abc4", "--assignee", "bea"], "did you mean --owner?"],
    [["edit", "abc4", "--description", "x"], "did you mean --body?"],
    [["edit", "abc4", "--depends_on", "x"], "did you mean --blocked-by?"],
    [["edit", "abc4", "--due", "fri"], "did you mean --deadline?"],
    [
      ["create", "x", "--scheduled", "fri"],
      'did you mean --schedule? If "--scheduled" is the title, put -- before it.',
    ],
    [["claim", "abc4", "--due", "fri"], "use svc deadline <ref> <date>"],
    [
      ["edit", "abc4", "--status", "done"],
      'use svc done <ref> --commit <sha> -m "<message>", svc reopen <ref>, or svc claim <ref>',
    ],
    [
      ["create", "x", "--tag", "bug"],
      'did you mean --label? If "--tag" is the title, put -- before it.',
    ],
    [
      ["create", "--title", "x"],
      'use svc create "<title>" If "--title" is the title, put -- before it.',
    ],
    [["list", "--state", "open"], "did you mean --status?"],
    [["list", "--assignee", "bea"], "did you mean --owner?"],
    [["list", "--search", "x"], "use svc search <words>"],
    [["close", "abc4", "--resolution", "done"], "did you mean --reason?"],
    [["claim", "abc4", "--ttl", "5m"], "use svc lease acquire <ref> --ttl 30m"],
    [["events", "--follow"], "did you mean --tail?"],
    [["list", "--labels", "x"], "did you mean --label?"],
  ])("in svc %j gets the hint: %s", async (words, hint) => {
    const { err, code } = await runCommand(words);
    expect(err).toContain(`hint: ${hint}\n`);
    expect(code).toBe(2);
  });

  test("gets the same hint for agents and programs", async () => {
    const agent = await runCommand(["edit", "abc4", "--label", "bug", "--agent"]);
    expect(agent).toMatchObject({
      code: 2,
      err: expect.stringContaining("\nHint: use svc label add"),
    });
    const json = await runCommand(["edit", "abc4", "--label", "bug", "--json"]);
    expect(JSON.parse(json.err).error).toMatchObject({
      kind: "usage",
      hint: "use svc label add <ref> <label>",
      exit_code: 2,
    });
  });
});
