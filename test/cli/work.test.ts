import { describe, expect, test } from "vitest";
import { backlog } from "./backlog.ts";
import { projectWorld } from "./harness.ts";

const WHY_NOT =
  "nobody reads the old format any more, so the reader of it goes away with the next release";
const DONE = "the parser keeps the last line of a file that ends without a newline";

describe("the create command", () => {
  test("reports what was created, links included", async () => {
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

  test("create with -q prints only the id", async () => {
    const w = await projectWorld();
    expect(await w.ok(["create", "a", "-q"])).toMatch(/^[0-9a-z]{4}\n$/);
  });

  test("reads the body from a flag, a file or stdin, without trailing line ends", async () => {
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
    expect(missing).toEqual({
      err: "svc: cannot read --body-file nothing.md: there is no such file\n",
      code: 3,
    });
    const two = await w.refused(["create", "x", "--body", "a", "--body-stdin"]);
    expect(two).toEqual({ err: "svc: --body and --body-stdin cannot be used together\n", code: 2 });
  });

  test("keeps text values of metadata unchanged and splits at the first =", async () => {
    const w = await projectWorld();
    const out = await w.ok(["create", "x", "--meta", "a=b=c", "--meta", "n=1", "--json"]);
    expect(JSON.parse(out).issue.metadata).toEqual({ a: "b=c", n: "1" });
    expect((await w.refused(["create", "x", "--meta", "=b"])).code).toBe(3);
    expect((await w.refused(["create", "x", "--meta", "b"])).code).toBe(3);
  });

  test("a refused create names the similar issues in every output mode", async () => {
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

  test("answers a repeated idempotency key with the existing issue", async () => {
    const w = await projectWorld();
    const words = ["create", "nightly", "--idempotency-key", "k1"];
    const first = await w.ok(words);
    expect(await w.ok(words)).toBe(first.replace("\n", " (it exists already)\n"));
    expect(await w.ok([...words, "--agent"])).toMatch(/^OK create \w{4} reused=true\n/);
    expect((await w.refused(["create", "other", "--idempotency-key", "k1"])).code).toBe(5);
  });
});

describe("the edit command", () => {
  test("shows which links changed, and nothing if none did", async () => {
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
  ])("refuses the flags %j", async (flags, exit, text) => {
    const w = await projectWorld();
    const { err, code } = await w.refused(["edit", await w.issue("a"), ...flags]);
    expect(code).toBe(exit);
    expect(err).toContain(text);
  });

  test("refuses to add and remove a link to the same issue at once, even under two names", async () => {
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

describe("the comment command", () => {
  test("adds and edits a comment", async () => {
    const w = await projectWorld();
    const id = await w.issue("a");
    expect(await w.ok(["comment", id, "--message", "one"])).toBe("comment appended\n");
    expect(await w.ok(["comment", id, "--body-stdin", "-q"], { stdin: "two\n" })).toBe(`${id}\n`);
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
  ])("refuses the flags %j", async (flags, exit, text) => {
    const w = await projectWorld();
    const { err, code } = await w.refused(["comment", await w.issue("a"), ...flags]);
    expect(code).toBe(exit);
    expect(err).toContain(text);
  });

  test("a comment that is combined with another change is added after it, and its failure does not hide the change", async () => {
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

  test("stores the teammate of the flag, or else of the environment, and none for an empty flag", async () => {
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

describe("the close and reopen commands", () => {
  test("accept evidence of every kind", async () => {
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

  test("check everything and change nothing in a dry run", async () => {
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

  test("answer a repeated close with the same idempotency key with the first result", async () => {
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
  ])("refuse the flags %j", async (flags, exit, text) => {
    const w = await projectWorld();
    const { err, code } = await w.refused(["close", await w.issue("a"), ...flags]);
    expect(err).toContain(text);
    expect(code).toBe(exit);
  });
});

describe("owners and labels", () => {
  test("claim, assign and unassign print who owns the issue", async () => {
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
      expect(await w.ok([...words, "-q"])).toBe(`${id}\n`);
    }
    expect((await w.refused(["claim", id, "--force", "--if-unowned"])).code).toBe(2);
  });

  test("labels are added, removed and counted", async () => {
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
    expect(await told("label", "rm", a, "bug", "-q")).toBe("<a>\n");
    expect((await w.refused(["label", "add", a, "Not Allowed"])).code).toBe(3);
  });
});
