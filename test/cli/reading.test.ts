import { describe, expect, test } from "vitest";
import { backlog } from "./backlog.ts";
import { projectWorld } from "./harness.ts";

const WHY_NOT =
  "nobody reads the old format any more, so the reader of it goes away with the next release";

describe("the list command", () => {
  test("puts children below their parent, and counts issues by state", async () => {
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
    [[], ["waits", "free", "epic", "bug"]],
    [["--label", "bug"], ["bug"]],
    [["--label", "BUG"], ["bug"]],
    [
      ["--no-label", "bug", "--no-label", "epic"],
      ["waits", "free"],
    ],
    [["--owner", "bea"], ["free"]],
    [["--unowned"], ["waits", "epic", "bug"]],
    [["--priority", "1"], ["bug"]],
    [
      ["--max-priority", "1"],
      ["waits", "bug"],
    ],
    [["--meta", "team"], []],
    [["--status", "closed"], []],
    [["--limit", "1"], ["waits"]],
  ])("with the flags %j finds %j", async (flags, found) => {
    const w = await backlog();
    const rows = w.named((await w.run(["list", "-q", ...flags])).out);
    expect([...rows.matchAll(/<(\w+)>/g)].map(([, name]) => name)).toEqual(found);
  });

  test.each([[], ["--agent"], ["--json"], ["-q"], ["--fields", "title"]])(
    "says on stderr that there are more issues exactly if the limit leaves some out (flag %j)",
    async (...mode) => {
      const w = await backlog();
      expect((await w.run(["list", "--limit", "3", ...mode])).err).toMatch(
        /^\.\.\. showing 3 \(raise --limit to see more, --after \S+ goes on\)\n$/,
      );
      expect((await w.run(["list", "--limit", "4", ...mode])).err).toBe("");
    },
  );

  test("says at its end whether it shows all issues or some", async () => {
    const w = await backlog();
    expect((await w.run(["list", "--limit", "3"])).out).toContain("Showing: 3 issues");
    expect(await w.ok(["list", "--limit", "4"])).toContain("Total: 4 issues");
  });

  test("a list of all projects shows qualified ids and works without a project", async () => {
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

  test("cuts titles to the width of a terminal, and does not cut them in other output", async () => {
    const w = await projectWorld();
    await w.issue(`long ${"word ".repeat(40)}end`);
    const narrow = await w.ok(["list"], { terminal: 60, env: { NO_COLOR: "1" } });
    expect(narrow.split("\n", 1)[0]?.length).toBeLessThanOrEqual(60);
    expect(narrow).toContain("… (unowned)");
    expect(await w.ok(["list"])).toContain("end (unowned)");
  });

  test("a list with no issues is no error", async () => {
    const w = await projectWorld();
    expect(await w.ok(["list"])).toBe("No issues.\n");
    expect(await w.ok(["list", "-q"])).toBe("");
    expect(await w.ok(["list", "--agent"])).toBe("OK list count=0\n");
  });
});

describe("the ready, next and why commands", () => {
  test("show what can be worked on, and containers only on request", async () => {
    const w = await backlog();
    expect(w.named(await w.ok(["ready"]))).toBe(`\
○ <bug>  • P1  [bug] bug (-)
○ <free>        free (bea)

Ready: 2 issues with no active blockers

Status: ○ open
`);
    expect(w.named(await w.ok(["ready", "--order", "recent", "-q"]))).toBe("<free>\n<bug>\n");
    expect(w.named(await w.ok(["ready", "--containers", "-q"]))).toContain("<epic>");
    expect(w.named(await w.ok(["ready", "--owner", "bea", "--agent"]))).toBe(
      "OK ready count=1\n- issue=<free> status=open owner=bea title=free\n",
    );
    expect(await w.ok(["ready", "--all", "--agent"])).toContain("issue=web#");
  });

  test("svc ready lists issues in the order in which svc next takes them, page by page and in the past too", async () => {
    const w = await projectWorld();
    for (const [name, priority] of [
      ["c", 3],
      ["none", undefined],
      ["a", 0],
      ["c2", 3],
      ["b", 1],
    ])
      await w.issue(
        String(name),
        ...(priority === undefined ? [] : ["--priority", String(priority)]),
      );
    w.clock.advance(1000);
    const ready = async (...flags: string[]) =>
      w
        .named(await w.ok(["ready", "-q", ...flags]))
        .trim()
        .split("\n")
        .join(" ");
    const all = "<a> <b> <c2> <c> <none>";
    expect(await ready()).toBe(all);
    expect(await ready("--order", "next")).toBe(all);
    expect(await ready("--all")).toContain("<a>");
    expect(await ready("--order", "recent")).toBe("<b> <c2> <a> <none> <c>");
    const { events } = JSON.parse(await w.ok(["events", "--json"]));
    expect(await ready("--at", String(events.at(-1).event_id))).toBe(all);
    expect(w.named(await w.ok(["next", "--agent"]))).toContain("issue=<a>");

    const rows: string[] = [];
    let after: readonly string[] = [];
    for (;;) {
      const { out } = await w.run(["ready", "--agent", "--max-bytes", "250", ...after]);
      rows.push(...[...w.named(out).matchAll(/issue=(<\w+>)/g)].map(([, name = ""]) => name));
      const next = /next_after=(\S+)/.exec(out)?.[1];
      if (next === undefined) break;
      after = ["--after", next];
    }
    expect(rows.join(" ")).toBe(all);
    expect((await w.refused(["ready", "--order", "recent", "--claim"])).code).toBe(2);
  });

  test("svc next prefers a low priority number to a high one, and any number to none", async () => {
    const w = await backlog();
    expect(w.named(await w.ok(["next"]))).toBe("○ <bug>  • P1  [bug] bug (-)\n");
    expect(w.named(await w.ok(["next", "--agent"]))).toBe(
      "OK next issue=<bug> priority=1 title=bug\n",
    );
    expect(JSON.parse(await w.ok(["next", "--json"])).issue.title).toBe("bug");
    expect(w.named(await w.ok(["next", "--full"]))).toBe(w.named(await w.ok(["show", w.bug])));
  });

  test("svc next offers only issues that the caller may take: none of another owner and none that is leased", async () => {
    const w = await projectWorld();
    const mine = await w.issue("mine");
    const leased = await w.issue("leased", "--priority", "0");
    const hers = await w.issue("hers", "--priority", "1", "--owner", "bea");
    const free = await w.issue("free", "--priority", "2");
    await w.ok(["lease", "acquire", leased, "--as", "cid"]);
    await w.ok(["claim", mine]);
    const next = async (...words: string[]) =>
      JSON.parse(await w.ok(["next", "--json", ...words])).issue?.short_id;
    expect(await next()).toBe(free);
    expect(await next("--limit", "10")).toBe(free);
    expect(await next("--as", "bea")).toBe(hers);
    expect(await next("--owner", "bea")).toBe(hers);
    expect(await next("--owner", "cid")).toBeUndefined();
    await w.ok(["claim", free, "--as", "bea"]);
    expect(await next()).toBe(mine);
    expect(await next("--as", "cid")).toBeUndefined();
    expect(await w.ok(["next", "--agent", "--as", "cid"])).toBe("OK next found=false\n");
  });

  test("svc next without a ready issue is no error", async () => {
    const w = await projectWorld();
    expect(await w.ok(["next"])).toBe("No ready issues.\n");
    expect(await w.ok(["next", "--agent"])).toBe("OK next found=false\n");
    expect(await w.ok(["next", "--json"])).toBe('{"svc_api_version":1,"issue":null}\n');
  });

  test("svc why shows the whole chain of blockers", async () => {
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

  test("svc why names a circle of blockers, and the command that breaks it", async () => {
    const w = await backlog();
    const root = await w.issue("root", "--blocks", w.bug);
    await w.ok(["block", w.bug, root]);
    expect(w.named(await w.ok(["why", w.waits]))).toContain(`
in a circle, so that none of these becomes ready: <bug> waits for <root> waits for <bug>
remove a link of it, such as by: svc unblock <root> <bug>
`);
    expect(w.named(await w.ok(["why", root, "--agent"]))).toMatch(/ circle=\S*<root>\S*<bug>/);
    await w.ok(["unblock", root, w.bug]);
    expect(await w.ok(["why", w.waits])).not.toContain("in a circle");
  });

  test("svc why says that an issue is parked, in the words of the tracker from which it was imported", async () => {
    const w = await backlog();
    await w.ok(["meta", "set", w.free, "someday", "true", "--json-value"]);
    expect(w.named(await w.ok(["why", w.free]))).toBe(`\
<free> free (bea)
  parked: its metadata someday is true
`);
    await w.ok(["meta", "set", w.free, "beads.parked", "status hooked"]);
    expect(w.named(await w.ok(["why", w.free]))).toBe(`\
<free> free (bea)
  parked: its metadata someday is true, as beads says: status hooked
`);
  });
});

describe("the show command", () => {
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

  test("prints the parts of an issue in a fixed order for an agent", async () => {
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

  test("finds an issue by short id in any case, by project and id, and by uid from anywhere", async () => {
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
    "the reference %j is refused before any request is sent",
    async (ref) => {
      const w = await projectWorld();
      await w.daemon.stop();
      const { err, code } = await w.refused(["show", "--", ref]);
      expect(code).toBe(3);
      expect(err).toContain(`svc: ${JSON.stringify(ref)} is no reference to an issue`);
    },
  );
});

describe("the search command", () => {
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
      /^OK search count=1 query="painted last" mode=lexical\n- issue=<Zebra crossing> score=\S+ status=open matched=comments title="Zebra crossing" owner=bea revision=1 excerpt="painted last week"\n$/,
    );
    expect(w.named(await w.ok(["search", "zebra", "nowhere"]))).toMatch(
      /^# no issue has all of these words; showing issues with some of them\n<Zebra crossing> .* \(title, some words\)\n$/,
    );
    expect(await w.ok(["search", "zebras"])).toContain(
      "# no issue has all of these words as typed; showing other forms of them\n",
    );
    expect(await w.ok(["search", "zebrq", "--agent"])).toContain(" by=near ");
    expect(await w.ok(["search", id])).toContain("(id)");
    expect(JSON.parse(await w.ok(["search", "zebra", "--json"])).results).toHaveLength(1);
  });

  test.each([
    [["a", "--semantic"], 3],
    [["a", "--lexical", "--hybrid"], 2],
    [["a", "--limit", "0"], 3],
    [[], 2],
    [[" "], 3],
  ])("refuses the words %j", async (words, exit) => {
    const w = await projectWorld();
    expect((await w.refused(["search", ...words])).code).toBe(exit);
  });
});
