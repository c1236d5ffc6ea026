import { describe, expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

const WHY_NOT =
  "nobody reads the old format any more, so the reader of it goes away with the next release";
const DONE = "the parser keeps the last line of a file that ends without a newline";

/** A small project: a container with two children, one of which waits for a bug outside. */
async function backlog() {
  const w = await projectWorld();
  const bug = await w.issue(
    "bug",
    "--label",
    "bug",
    "--priority",
    "1",
    "--body",
    "Steps:\n1. open it",
  );
  const epic = await w.issue("epic", "--label", "epic");
  const free = await w.issue("free", "--parent", epic, "--owner", "bea");
  const waits = await w.issue("waits", "--parent", epic, "--blocked-by", bug, "--priority", "0");
  return { ...w, bug, epic, free, waits };
}

describe("create", () => {
  test("says what was made, links included", async () => {
    const w = await projectWorld();
    const [parent, blocker] = [await w.issue("parent"), await w.issue("blocker")];
    const words = [
      "create",
      "new",
      "--parent",
      parent,
      "--blocked-by",
      blocker,
      "--related",
      parent,
    ];
    expect(w.named(await w.ok(words))).toMatch(
      /^\w{4} new \[open\] links: \+parent <parent>, \+blocked_by <blocker>, \+related <parent>\n$/,
    );
    const agent = w.named(await w.ok(["create", "second", "--blocks", blocker, "--agent"]));
    expect(agent.replaceAll(/\ba0\w\w\b/g, "ID")).toBe(
      "OK create ID\nIssue: ID second\nStatus: open\nLinks: +blocks <blocker>\n",
    );
  });

  test("quietly gives the id alone", async () => {
    const w = await projectWorld();
    expect(await w.ok(["create", "a", "-q"])).toMatch(/^[0-9a-z]{4}\n$/);
  });

  test("takes the body from a flag, a file or stdin, without the last line ends", async () => {
    const w = await projectWorld();
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`${w.work}/body.md`, "from a file\r\n\n");
    const bodyOf = async (...flags: string[]): Promise<string> => {
      const out = await w.ok(["create", "x", "--force-new", "--json", ...flags], {
        stdin: "from\nstdin\n",
      });
      return JSON.parse(out).issue.body;
    };
    expect(await bodyOf("--body", "as it is\n")).toBe("as it is\n");
    expect(await bodyOf("--body-file", "body.md")).toBe("from a file");
    expect(await bodyOf("--body-stdin")).toBe("from\nstdin");
    const missing = await w.refused(["create", "x", "--body-file", "nothing.md"]);
    expect(missing).toEqual({ err: "svc: cannot read --body-file nothing.md: ENOENT\n", code: 3 });
    const two = await w.refused(["create", "x", "--body", "a", "--body-stdin"]);
    expect(two).toEqual({ err: "svc: --body and --body-stdin cannot be used together\n", code: 2 });
  });

  test("keeps text values of metadata as they are, the first = splits", async () => {
    const w = await projectWorld();
    const out = await w.ok(["create", "x", "--meta", "a=b=c", "--meta", "n=1", "--json"]);
    expect(JSON.parse(out).issue.metadata).toEqual({ a: "b=c", n: "1" });
    expect((await w.refused(["create", "x", "--meta", "=b"])).code).toBe(3);
    expect((await w.refused(["create", "x", "--meta", "b"])).code).toBe(3);
  });

  test("names the look-alikes that it refuses for, in every mode", async () => {
    const w = await projectWorld();
    const id = await w.issue(
      "Crash when the file is empty",
      "--body",
      "The reader fails on an empty file",
    );
    const again = [
      "create",
      "Crash when the file is empty",
      "--body",
      "The reader fails on an empty file",
    ];
    const human = await w.refused(again);
    expect(human.code).toBe(5);
    expect(human.err).toContain(`  web#${id}  Crash when the file is empty\n`);
    expect((await w.refused([...again, "--agent"])).err).toMatch(
      new RegExp(`^ERR create conflict: .* \\(web#${id}\\)\n`),
    );
    const { error } = JSON.parse((await w.refused([...again, "--json"])).err);
    expect(error.data.candidates[0].qualified_id).toBe(`web#${id}`);
    await w.ok([...again, "--force-new"]);
  });

  test("answers a repeated key with the issue that is there", async () => {
    const w = await projectWorld();
    const words = ["create", "nightly", "--idempotency-key", "k1"];
    const first = await w.ok(words);
    expect(await w.ok(words)).toBe(first.replace("\n", " (it exists already)\n"));
    expect(await w.ok([...words, "--agent"])).toMatch(/^OK create \w{4} reused=true\n/);
    expect((await w.refused(["create", "other", "--idempotency-key", "k1"])).code).toBe(5);
  });
});

describe("list", () => {
  test("puts children below their parent and counts by state", async () => {
    const w = await backlog();
    await w.ok(["close", w.free, "--wontfix", "-m", WHY_NOT]);
    expect(w.named(await w.ok(["list", "--status", "all"]))).toBe(`\
○ <epic>        [epic] epic (unowned)
├─ ● <waits>  • P0  waits (unowned)
└─ ✓ <free>        free (bea)
○ <bug>  • P1  [bug] bug (unowned)

──────────────────────────────────────────────────
Total: 4 issues (2 open, 1 blocked, 1 closed)

Status: ○ open  ● blocked  ✓ closed
`);
  });

  test("is flat for agents, with absent values left out", async () => {
    const w = await backlog();
    expect(w.named(await w.ok(["list", "--agent"]))).toBe(`\
OK list count=4
- issue=<waits> status=open priority=0 title=waits
- issue=<free> status=open owner=bea title=free
- issue=<epic> status=open labels=epic title=epic
- issue=<bug> status=open priority=1 labels=bug title=bug
`);
  });

  test.each([
    [[], ["epic", "waits", "free", "bug"]],
    [["--label", "bug"], ["bug"]],
    [["--label", "BUG"], ["bug"]],
    [
      ["--no-label", "bug", "--no-label", "epic"],
      ["waits", "free"],
    ],
    [["--owner", "bea"], ["free"]],
    [["--unowned"], ["epic", "waits", "bug"]],
    [["--priority", "1"], ["bug"]],
    [
      ["--max-priority", "1"],
      ["waits", "bug"],
    ],
    [["--meta", "team"], []],
    [["--status", "closed"], []],
    [["--limit", "1"], ["waits"]],
  ])("%j finds %j", async (flags, found) => {
    const w = await backlog();
    const rows = w.named((await w.run(["list", "-q", ...flags])).out);
    expect([...rows.matchAll(/<(\w+)>/g)].map(([, name]) => name)).toEqual(found);
  });

  test("says on stderr that there may be more, exactly when the limit is reached", async () => {
    const w = await backlog();
    const note = "... showing 4 (raise --limit to see more)\n";
    expect((await w.run(["list", "--limit", "4"])).err).toBe(note);
    expect((await w.run(["list", "--limit", "4", "--agent"])).err).toBe(note);
    expect((await w.run(["list", "--limit", "4"])).out).toContain("Showing: 4 issues");
    expect((await w.run(["list", "--limit", "5"])).err).toBe("");
    expect((await w.run(["list", "--limit", "4", "-q"])).err).toBe("");
    expect((await w.run(["list", "--limit", "4", "--json"])).err).toBe("");
  });

  test("of all projects shows whole ids and goes with no project named", async () => {
    const w = await backlog();
    await w.ok(["projects", "create", "shop"]);
    await w.ok(["create", "elsewhere", "--project", "shop"]);
    const out = await w.ok(["list", "--all", "--agent"]);
    expect(out).toMatch(/^OK list count=5\n/);
    expect(out).toMatch(/- issue=shop#\w{4} status=open title=elsewhere/);
    expect(await w.ok(["list", "--all"])).toContain(`web#${w.bug}`);
    for (const flag of [
      ["--project", "web"],
      ["--workspace", "."],
    ]) {
      const refusal = await w.refused(["list", "--all", ...flag]);
      expect(refusal.err).toContain(`--all cannot be used with ${flag[0]}`);
      expect(refusal.code).toBe(2);
    }
  });

  test.each([["0"], ["-1"]])("a limit of %s is refused", async (limit) => {
    const w = await projectWorld();
    expect(await w.refused(["list", "--limit", limit])).toEqual({
      err: `svc: --limit must be 1 or more, not ${limit}\n`,
      code: 3,
    });
  });

  test("cuts titles to the terminal, and to nothing else", async () => {
    const w = await projectWorld();
    await w.issue(`long ${"word ".repeat(40)}end`);
    const narrow = await w.ok(["list", "-q"], { terminal: 60, env: { NO_COLOR: "1" } });
    expect(narrow.trimEnd().length).toBeLessThanOrEqual(60);
    expect(narrow).toContain("… (unowned)");
    expect(await w.ok(["list", "-q"])).toContain("end (unowned)");
  });

  test("of nothing is no error", async () => {
    const w = await projectWorld();
    expect(await w.ok(["list"])).toBe("No issues.\n");
    expect(await w.ok(["list", "-q"])).toBe("");
    expect(await w.ok(["list", "--agent"])).toBe("OK list count=0\n");
  });
});

describe("ready, next and why", () => {
  test("what can be worked on, without containers unless they are asked for", async () => {
    const w = await backlog();
    expect(w.named(await w.ok(["ready"]))).toBe(`\
○ <free>        free (bea)
○ <bug>  • P1  [bug] bug (-)

Ready: 2 issues with no active blockers

Status: ○ open
`);
    expect(w.named(await w.ok(["ready", "--containers", "-q"]))).toContain("<epic>");
    expect(w.named(await w.ok(["ready", "--owner", "bea", "--agent"]))).toBe(
      "OK ready count=1\n- issue=<free> status=open owner=bea title=free\n",
    );
    expect(await w.ok(["ready", "--all", "--agent"])).toContain("issue=web#");
  });

  test("next prefers a low number, then any number", async () => {
    const w = await backlog();
    expect(w.named(await w.ok(["next"]))).toBe("○ <bug>  • P1  [bug] bug (-)\n");
    expect(w.named(await w.ok(["next", "--agent"]))).toBe(
      "OK next issue=<bug> priority=1 title=bug\n",
    );
    expect(JSON.parse(await w.ok(["next", "--json"])).issue.title).toBe("bug");
    expect(w.named(await w.ok(["next", "--full"]))).toBe(w.named(await w.ok(["show", w.bug])));
  });

  test("next of nothing is no error either", async () => {
    const w = await projectWorld();
    expect(await w.ok(["next"])).toBe("No ready issues.\n");
    expect(await w.ok(["next", "--agent"])).toBe("OK next found=false\n");
    expect(await w.ok(["next", "--json"])).toBe('{"svc_api_version":1,"issue":null}\n');
  });

  test("why follows the chain", async () => {
    const w = await backlog();
    const root = await w.issue("root", "--blocks", w.bug, "--owner", "cho");
    await w.issue("late", "--meta", "scheduled_on=2026-05-01", "--blocks", root);
    expect(w.named(await w.ok(["why", w.waits]))).toBe(`\
<waits> waits
  blocked by <bug> bug
    blocked by <root> root (cho)
      blocked by <late> late
        planned for 2026-05-01 00:00Z
`);
    expect(w.named(await w.ok(["why", w.waits, "--agent"]))).toBe(`\
OK why issue=<waits> ready=false reasons=blocked
- issue=<waits> reason=blocked by=<bug> title=bug
- issue=<bug> reason=blocked by=<root> owner=cho title=root
- issue=<root> reason=blocked by=<late> title=late
- issue=<late> reason=scheduled until=2026-05-01T00:00:00.000Z
`);
    expect(w.named(await w.ok(["why", w.epic]))).toBe(`\
<epic> epic
  has open children; the work is in them
    <free> free (bea)
    <waits> waits
`);
    expect(w.named(await w.ok(["why", w.free]))).toBe(
      "<free> free (bea)\nready: nothing stands in its way\n",
    );
    expect(w.named(await w.ok(["why", w.free, "--agent"]))).toBe(
      "OK why issue=<free> ready=true\n",
    );
  });
});

describe("show", () => {
  test("prints the whole issue for a person", async () => {
    const w = await backlog();
    await w.ok(["edit", w.bug, "--parent", w.epic]);
    await w.ok(["comment", w.bug, "-m", "first line\nsecond line", "--teammate", "helper"]);
    const out = w.named(await w.ok(["show", w.bug])).replaceAll(/[0-9A-Z]{26}/g, "UID");
    expect(out).toBe(`\
<bug>  bug  [open]  by ann
owner nobody  priority P1  created 2026-01-01 00:00Z  updated 2026-01-01 00:00Z  rev-1

Steps:
1. open it

--- comments ---
UID ann (helper): first line
  second line

--- labels ---
bug

--- links ---
blocks: <waits>
parent: <epic>
`);
    expect(w.named(await w.ok(["show", w.epic]))).toContain(
      "--- children ---\n○ <bug>  • P1  [bug] bug (unowned)\n○ <free>        free (bea)\n● <waits>  • P0  waits (unowned)\n",
    );
  });

  test("prints it for an agent in an order that does not change", async () => {
    const w = await backlog();
    await w.ok(["comment", w.bug, "-m", "it has ``` in it"]);
    const out = w.named(await w.ok(["show", w.bug, "--agent"])).replaceAll(/[0-9A-Z]{26}/g, "UID");
    expect(out).toBe(`\
OK show
Issue: <bug> bug
Status: open
Labels: bug
Priority: 1
Body:
\`\`\`text
Steps:
1. open it
\`\`\`
Comment: UID ann
\`\`\`\`text
it has \`\`\` in it
\`\`\`\`
Link: blocks <waits>
Revision: 1
`);
  });

  test("finds an issue by short id in any case, project and id, and uid from anywhere", async () => {
    const w = await projectWorld();
    const id = await w.issue("a");
    const { uid } = JSON.parse(await w.ok(["show", id, "--json"])).issue;
    for (const ref of [id.toUpperCase(), `web#${id}`, uid, uid.toLowerCase()]) {
      expect(await w.ok(["show", ref])).toContain(`${id}  a  [open]`);
    }
    expect(await w.ok(["show", uid], { cwd: w.home })).toContain(`${id}  a  [open]`);
    expect(await w.ok(["show", `web#${id}`], { cwd: w.home })).toContain(`${id}  a  [open]`);
    expect((await w.refused(["show", id], { cwd: w.home })).code).toBe(4);
  });

  test.each([["12"], [""], ["a b"], ["#abc4"], ["01J8Z0V0T4K3"]])(
    "%j is refused before anything is asked",
    async (ref) => {
      const w = await projectWorld();
      await w.daemon.stop();
      const { err, code } = await w.refused(["show", "--", ref]);
      expect(code).toBe(3);
      expect(err).toContain(`svc: ${JSON.stringify(ref)} is no reference to an issue`);
    },
  );
});

describe("edit", () => {
  test("tells which links changed, and nothing where nothing did", async () => {
    const w = await backlog();
    const edit = async (...flags: string[]): Promise<string> =>
      w.named(await w.ok(["edit", w.free, ...flags]));
    expect(await edit("--title", "freed", "--priority", "2")).toBe("<free> freed [open]\n");
    expect(await edit("--parent", w.bug, "--blocks", w.bug)).toBe(
      "<free> freed [open] links: parent <epic>→<bug>, +blocks <bug>\n",
    );
    expect(await edit("--blocks", w.bug)).toBe("<free> freed [open] (no changes applied)\n");
    expect(await edit("--remove-parent", w.bug, "--remove-blocks", w.bug)).toBe(
      "<free> freed [open] links: -parent <bug>, -blocks <bug>\n",
    );
    expect(await edit("--owner", "", "--agent")).toBe(
      "OK edit <free> changed=true\nIssue: <free> freed\nStatus: open\nChanges: owner\n",
    );
    expect(await edit("--title", "freed", "--agent")).toBe(
      "OK edit <free> changed=false\nIssue: <free> freed\nStatus: open\n",
    );
    expect(await edit("--priority", "-", "-q")).toBe("<free>\n");
    expect(JSON.parse(await w.ok(["show", w.free, "--json"])).issue.priority).toBeUndefined();
  });

  test.each([
    [[], 3, "nothing to change"],
    [["--priority", "9"], 3, "--priority is 0 to 4, or - for none"],
    [["--parent", "12"], 3, "is no reference to an issue"],
    [["--title", ""], 3, "title"],
    [["--label", "x"], 2, "unknown flag --label"],
  ])("%j is refused", async (flags, exit, text) => {
    const w = await projectWorld();
    const { err, code } = await w.refused(["edit", await w.issue("a"), ...flags]);
    expect(code).toBe(exit);
    expect(err).toContain(text);
  });

  test("adding and removing one issue at once is refused, also under two names", async () => {
    const w = await backlog();
    const { uid } = JSON.parse(await w.ok(["show", w.bug, "--json"])).issue;
    expect(
      (await w.refused(["edit", w.free, "--blocks", w.bug, "--remove-blocks", uid])).code,
    ).toBe(3);
    expect(
      (await w.refused(["edit", w.free, "--parent", w.bug, "--remove-parent", w.epic])).code,
    ).toBe(3);
    expect((await w.refused(["edit", w.free, "--remove-parent", w.bug])).code).toBe(5);
  });
});

describe("comment", () => {
  test("is added and edited", async () => {
    const w = await projectWorld();
    const id = await w.issue("a");
    expect(await w.ok(["comment", id, "--message", "one"])).toBe("comment appended\n");
    expect(await w.ok(["comment", id, "--body-stdin", "-q"], { stdin: "two\n" })).toBe("");
    const { comments } = JSON.parse(await w.ok(["show", id, "--json"]));
    expect(comments.map(({ body }: { body: string }) => body)).toEqual(["one", "two"]);
    const [{ uid }] = comments;
    expect(await w.ok(["comment", "edit", id, uid, "-m", "once"])).toBe("comment edited\n");
    expect(await w.ok(["comment", "edit", id, uid, "-m", "once"])).toBe(
      "comment unchanged (no-op)\n",
    );
    expect(w.named(await w.ok(["comment", "edit", id, uid, "-m", "first", "--agent"]))).toBe(
      "OK comment <a>\nIssue: <a> a\nStatus: open\nComment: edited\n",
    );
    expect(
      (await w.refused(["comment", "edit", id, "01J8Z0V0T4K3W6R2N9QH7XGDBF", "-m", "x"])).code,
    ).toBe(4);
  });

  test.each([
    [["-m", " "], 3, "the comment is empty"],
    [[], 2, "nothing to say"],
    [["-m", "x", "--blocks", "abc4"], 2, "comment takes no --blocks"],
    [["-m", "x", "--parent", "abc4"], 2, "hint: svc edit"],
  ])("%j is refused", async (flags, exit, text) => {
    const w = await projectWorld();
    const { err, code } = await w.refused(["comment", await w.issue("a"), ...flags]);
    expect(code).toBe(exit);
    expect(err).toContain(text);
  });

  test("beside another change is made after it, and its failure does not hide the change", async () => {
    const w = await projectWorld();
    const id = await w.issue("a");
    expect(w.named(await w.ok(["assign", id, "bea", "--comment", "she knows it"]))).toBe(
      "<a> assigned to bea\n",
    );
    expect(await w.ok(["show", id])).toContain(": she knows it");
    const { out, err, code } = await w.run(["unassign", id, "--comment", " "]);
    expect(w.named(out)).toBe("<a> unassigned\n");
    expect(err).toMatch(/^svc: the change was made, but not the comment: /);
    expect(code).toBe(3);
  });

  test("carries the teammate of the flag, else of the environment, and none for an empty flag", async () => {
    const w = await projectWorld();
    const id = await w.issue("a");
    const env = { SVC_TEAMMATE: "env" };
    await w.ok(["comment", id, "-m", "1"], { env });
    await w.ok(["comment", id, "-m", "2", "--teammate", "flag"], { env });
    await w.ok(["comment", id, "-m", "3", "--teammate", ""], { env });
    const { comments } = JSON.parse(await w.ok(["show", id, "--json"]));
    expect(comments.map(({ teammate }: { teammate?: string }) => teammate)).toEqual([
      "env",
      "flag",
      undefined,
    ]);
  });
});

describe("close and reopen", () => {
  test("with evidence of every kind", async () => {
    const w = await projectWorld();
    const [id, other] = [await w.issue("a"), await w.issue("b")];
    const words = [
      "close",
      id,
      "--done",
      "-m",
      DONE,
      "--commit",
      "1f2e3d4",
      "--pr",
      "https://x.org/1",
      "--test",
      "npm test, twice",
    ];
    const more = [
      "--reviewed",
      "a.ts",
      "--reviewed",
      "b,c.ts",
      "--evidence",
      "external:seen in the shop",
    ];
    expect(w.named(await w.ok([...words, ...more, "--agent"]))).toBe(`\
OK close <a>
Issue: <a> a
Status: closed
Reason: done
Evidence: commit:1f2e3d4
Evidence: pr:https://x.org/1
Evidence: test:npm test, twice
Evidence: reviewed-paths:a.ts,b,c.ts
Evidence: external:seen in the shop
Reminder: Others rely on this: reopen it if what you checked turns out not to hold.
`);
    const { events } = JSON.parse(await w.ok(["events", "--json"]));
    expect(events.at(-1).payload.evidence).toContainEqual({
      type: "reviewed-paths",
      paths: ["a.ts", "b,c.ts"],
    });
    expect(
      w.named(
        await w.ok(["close", other, "--duplicate-of", id, "-m", "the same crash as the other one"]),
      ),
    ).toBe(
      "<b> closed\nOthers rely on this: reopen it if what you checked turns out not to hold.\n",
    );
    expect(w.named(await w.ok(["close", other, "--reason", "wontfix", "-m", WHY_NOT]))).toBe(
      "<b> is closed already (no-op)\n",
    );
    expect(w.named(await w.ok(["reopen", other]))).toBe("<b> reopened\n");
    expect(w.named(await w.ok(["reopen", other]))).toBe("<b> is open already (no-op)\n");
    expect(w.named(await w.ok(["reopen", other, "--agent"]))).toBe(
      "OK reopen <b>\nIssue: <b> b\nStatus: open\n",
    );
  });

  test("a dry run checks and changes nothing", async () => {
    const w = await projectWorld();
    const id = await w.issue("a");
    expect(w.named(await w.ok(["close", id, "--wontfix", "-m", WHY_NOT, "--dry-run"]))).toBe(
      "<a> can be closed (dry run, nothing changed)\n",
    );
    expect(await w.ok(["show", id])).toContain("[open]");
    expect((await w.refused(["close", id, "--wontfix", "-m", "no", "--dry-run"])).code).toBe(3);
    await w.ok(["close", id, "--wontfix", "-m", WHY_NOT]);
    expect(w.named(await w.ok(["close", id, "--wontfix", "-m", WHY_NOT, "--dry-run"]))).toBe(
      "<a> is closed already (no-op)\n",
    );
  });

  test("a keyed close is answered once, and once only with the right revision", async () => {
    const w = await projectWorld();
    const id = await w.issue("a");
    const words = [
      "close",
      id,
      "--wontfix",
      "-m",
      WHY_NOT,
      "--idempotency-key",
      "k",
      "--if-match",
      "rev-1",
    ];
    expect(w.named(await w.ok([...words, "-q"]))).toBe("<a>\n");
    expect(w.named(await w.ok(words))).toBe("<a> closed (by the earlier request)\n");
    expect(await w.ok([...words, "--agent"])).toContain("reused=true");
  });

  test.each([
    [["-m", DONE], 2, "no reason to close"],
    [["--done", "--wontfix", "-m", DONE], 2, "one reason to close, not both done and wontfix"],
    [["--reason", "done", "--done", "-m", DONE], 3, "done needs at least one of"],
    [["--done", "--commit", "1f2e3d4", "-m", "fixed"], 3, "message"],
    [["--done", "--commit", "xyz", "-m", DONE], 3, "7 to 40 hex digits"],
    [["--wontfix", "--commit", "1f2e3d4", "-m", WHY_NOT], 3, "no evidence for wontfix"],
    [["--duplicate-of", "12", "-m", DONE], 3, "is no reference to an issue"],
    [["--done", "--evidence", "rumour:x", "-m", DONE], 3, "--evidence needs type:value"],
    [["--wontfix", "-m", WHY_NOT, "--if-match", "0"], 3, "--if-match is a revision"],
    [["--wontfix", "-m", WHY_NOT, "--if-match", ""], 3, "--if-match is a revision"],
    [["--reason", "bored", "-m", WHY_NOT], 2, "is none of done, wontfix"],
  ])("%j is refused", async (flags, exit, text) => {
    const w = await projectWorld();
    const { err, code } = await w.refused(["close", await w.issue("a"), ...flags]);
    expect(err).toContain(text);
    expect(code).toBe(exit);
  });
});

describe("owners and labels", () => {
  test("claim, assign and unassign say who has it", async () => {
    const w = await projectWorld();
    const id = await w.issue("a");
    const told = async (...words: string[]): Promise<string> => w.named(await w.ok(words));
    expect(await told("claim", id)).toBe("<a> claimed by ann\n");
    expect(await told("claim", id)).toBe("already claimed by ann (no-op)\n");
    expect(await told("claim", id, "--as", "bea", "--force")).toBe(
      "<a> claimed by bea (was: ann)\n",
    );
    expect(await told("claim", id, "--as", "ann", "--force", "--agent")).toBe(
      "OK claim <a> changed=true\nIssue: <a> a\nStatus: open\nOwner: ann\nPrevious-Owner: bea\n",
    );
    expect(await told("assign", id, "ann")).toBe("<a> assigned to ann already (no-op)\n");
    expect(await told("assign", id, "cho", "--agent")).toBe(
      "OK assign <a> changed=true\nIssue: <a> a\nStatus: open\nOwner: cho\n",
    );
    expect((await w.refused(["unassign", id, "--expect-owner", "ann"])).code).toBe(5);
    expect(await told("unassign", id, "--expect-owner", "cho")).toBe("<a> unassigned\n");
    expect(await told("unassign", id)).toBe("<a> has no owner (no-op)\n");
    expect(await told("unassign", id, "--agent")).toBe(
      "OK unassign <a> changed=false\nIssue: <a> a\nStatus: open\nOwner-Cleared: true\n",
    );
    for (const words of [
      ["claim", id],
      ["assign", id, "bea"],
      ["unassign", id],
    ]) {
      expect(await w.ok([...words, "-q"])).toBe("");
    }
    expect((await w.refused(["claim", id, "--force", "--if-unowned"])).code).toBe(2);
  });

  test("labels are put on, taken off and counted", async () => {
    const w = await projectWorld();
    const [a, b] = [await w.issue("a"), await w.issue("b", "--label", "bug")];
    const told = async (...words: string[]): Promise<string> => w.named(await w.ok(words));
    expect(await told("label", "add", a, "bug")).toBe("<a> +bug\n");
    expect(await told("label", "add", a, "bug")).toBe("<a> +bug (has it already, no-op)\n");
    expect(await told("label", "add", a, "docs", "--agent")).toBe(
      "OK label <a> changed=true\nIssue: <a> a\nStatus: open\nLabel: docs\nAction: added\n",
    );
    expect(await told("labels")).toBe(`${"bug".padEnd(32)} 2\n${"docs".padEnd(32)} 1\n`);
    expect(await told("labels", "--agent")).toBe(
      "OK labels count=2\n- label=bug count=2\n- label=docs count=1\n",
    );
    expect(await told("label", "rm", b, "bug")).toBe("<b> -bug\n");
    expect(await told("label", "rm", b, "bug")).toBe("<b> -bug (does not have it, no-op)\n");
    expect(await told("label", "rm", a, "bug", "-q")).toBe("");
    expect((await w.refused(["label", "add", a, "Not Allowed"])).code).toBe(3);
  });
});

describe("search", () => {
  test("finds words in titles, bodies and comments", async () => {
    const w = await projectWorld();
    const id = await w.issue("Zebra crossing", "--body", "stripes", "--owner", "bea");
    await w.issue("other");
    expect(w.named(await w.ok(["search", "zebra"]))).toMatch(
      /^<Zebra crossing> +\d+\.\d\d {2}open {4}Zebra crossing \(title\)\n$/,
    );
    expect(await w.ok(["search", "nothing", "like", "it"])).toBe("no matches\n");
    await w.ok(["comment", id, "-m", "painted last week"]);
    expect(w.named(await w.ok(["search", "painted", "last", "--agent"]))).toMatch(
      /^OK search count=1 query="painted last" mode=lexical\n- issue=<Zebra crossing> score=\S+ status=open matched=comments title="Zebra crossing" owner=bea revision=1 excerpt=stripes\n$/,
    );
    expect(JSON.parse(await w.ok(["search", "zebra", "--json"])).results).toHaveLength(1);
  });

  test.each([
    [["a", "--semantic"], 3],
    [["a", "--lexical", "--hybrid"], 2],
    [["a", "--limit", "0"], 3],
    [[], 2],
    [[" "], 3],
  ])("%j is refused", async (words, exit) => {
    const w = await projectWorld();
    expect((await w.refused(["search", ...words])).code).toBe(exit);
  });
});
