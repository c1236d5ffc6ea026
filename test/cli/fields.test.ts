import { expect, test } from "vitest";
import { backlog } from "./backlog.ts";

test("--fields prints the named fields of each issue separated by tabs, with the same number of columns on each line", async () => {
  const w = await backlog();
  const rows = async (...words: string[]) =>
    w
      .named(await w.ok(words))
      .trimEnd()
      .split("\n")
      .sort();
  expect(await rows("list", "--fields", "short_id,owner,priority,labels,blocked")).toEqual([
    "<bug>\t\t1\tbug\tfalse",
    "<epic>\t\t\tepic\tfalse",
    "<free>\tbea\t\t\tfalse",
    "<waits>\t\t0\t\ttrue",
  ]);
  const [bug] = await rows("list", "--label", "bug", "--fields", "title,body,project_id");
  expect(bug).toBe("bug\tSteps:\\n1. open it\t1");
  expect(await rows("ready", "--parent", w.epic, "--fields", "short_id,parent")).toEqual([
    "<free>\tweb#<epic>",
  ]);
  expect(await rows("list", "--blocked", "--fields", " blocked_by , child_counts")).toHaveLength(1);
  expect(await w.ok(["list", "--label", "none", "--fields", "title"])).toBe("");
});

test("--fields keeps a text with tabs and line ends in one column, and says if the list is cut", async () => {
  const w = await backlog();
  await w.issue("odd", "--body", "a\tb\nc\u001b[31m", "--label", "odd");
  expect(await w.ok(["list", "--label", "odd", "--fields", "body,title"])).toBe("a b\\nc\todd\n");
  const cut = await w.run(["list", "--fields", "title", "--max-bytes", "8"]);
  expect(cut.out.split("\n")).toHaveLength(2);
  expect(cut.err).toMatch(/^\.\.\. showing 1 \(--max-bytes 0 shows more, --after \S+ goes on\)\n$/);
});

test("--fields refuses an unknown field, and lists the known fields", async () => {
  const w = await backlog();
  const refused = await w.refused(["list", "--fields", "short_id,assignee"]);
  expect(refused.err).toContain('there is no field "assignee"\nhint: there are id, uid,');
  expect(refused.code).toBe(3);
  expect((await w.refused(["ready", "--fields", "-body"])).err).toContain("with --json alone");
  expect((await w.refused(["list", "--fields", ""])).code).toBe(3);
});
