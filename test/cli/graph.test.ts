import { describe, expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

async function linked() {
  const w = await projectWorld();
  const epic = await w.issue("epic");
  const first = await w.issue("first", "--parent", epic, "--owner", "bea");
  const second = await w.issue("second", "--parent", epic, "--blocked-by", first);
  const third = await w.issue("third", "--blocked-by", second, "--related", first);
  return { ...w, epic, first, second, third };
}

describe("the graph command", () => {
  test("draws a tree from the issue, and arrows to issues that the tree already has", async () => {
    const w = await linked();
    expect(w.named(await w.ok(["graph", w.epic]))).toBe(`\
<epic> epic [open]
  child <first> first [open]
    blocks → <second>
    related → <third> third [open]
  child <second> second [open]
    blocks → <third>
`);
    expect(w.named(await w.ok(["graph", w.third, "--depth", "1"]))).toBe(`\
<third> third [open]
  blocked by → <second> second [open]
  related → <first> first [open]
    blocks → <second>
`);
  });

  test("gives agents nodes and edges, scripts the daemon's answer, and with -q only the ids", async () => {
    const w = await linked();
    await w.ok(["close", w.first, "--wontfix", "-m", "x".repeat(60), "-q"]);
    expect(w.named(await w.ok(["graph", w.second, "--depth", "1", "--agent"]))).toBe(`\
OK graph issue=<second> nodes=4 edges=5
- node issue=<second> status=open title=second
- node issue=<epic> status=open title=epic
- node issue=<first> status=closed title=first
- node issue=<third> status=open title=third
- edge from=<epic> to=<first> kind=parent
- edge from=<epic> to=<second> kind=parent
- edge from=<first> to=<second> kind=blocks
- edge from=<second> to=<third> kind=blocks
- edge from=<first> to=<third> kind=related
`);
    const open = ["graph", w.second, "--hide-done"];
    expect(w.named(await w.ok([...open, "-q"]))).toBe("<second>\n<epic>\n<third>\n");
    const json = JSON.parse(await w.ok([...open, "--depth", "2", "--json"]));
    expect(json).toMatchObject({ svc_api_version: 1, depth: 2, hide_done: true });
    expect(json.nodes).toHaveLength(3);
  });

  test("shows qualified ids of issues of other projects, and removes control characters from titles", async () => {
    const w = await linked();
    await w.ok(["projects", "create", "shop"]);
    const there = await w.issue("bad\u001b[31m title", "--project", "shop");
    await w.ok(["edit", w.epic, "--blocked-by", `shop#${there}`]);
    const out = w.named(await w.ok(["graph", w.epic, "--depth", "1"]));
    expect(out).toContain("  blocked by → shop#");
    expect(out).toContain(" bad title [open]\n");
  });

  test("requires either an issue or --critical-path, and refuses the flags of the other form", async () => {
    const w = await projectWorld();
    expect((await w.refused(["graph"])).code).toBe(2);
    expect((await w.refused(["graph", "--critical-path", "--depth", "1"])).code).toBe(2);
    expect((await w.refused(["graph", "abc4", "--limit", "1"])).code).toBe(2);
    expect((await w.refused(["graph", "--critical-path", "--limit", "-1"])).code).toBe(3);
    const issue = await w.issue("an issue");
    expect(await w.refused(["graph", issue, "--depth", "deep"])).toMatchObject({
      err: "svc: depth must be full or a non-negative integer\n",
      code: 3,
    });
  });
});

describe("graph --critical-path", () => {
  test("lists what must be done in sequence, and what most issues wait for", async () => {
    const w = await linked();
    expect(w.named(await w.ok(["graph", "--critical-path"]))).toBe(`\
3 issues, each waiting for the one before it:
  1. <first> first (bea)
  2. <second> second
  3. <third> third

Waited for by:
   2 <first> first (bea)
   1 <second> second
`);
    const agent = ["graph", w.second, "--critical-path", "--limit", "1", "--agent"];
    expect(w.named(await w.cut(agent))).toBe(`\
OK critical-path length=2
- path issue=<first> waiting=2 owner=bea title=first
- path issue=<second> waiting=1 title=second
- waited issue=<first> waiting=2 owner=bea title=first
`);
    expect(w.named(await w.ok(["graph", "--critical-path", "-q"]))).toBe(
      "<first>\n<second>\n<third>\n",
    );
  });

  test("says so if no issue waits for another", async () => {
    const w = await projectWorld();
    await w.issue("alone");
    expect(await w.ok(["graph", "--critical-path"])).toBe("Nothing open waits for anything.\n");
    expect(await w.ok(["graph", "--critical-path", "--agent"])).toBe("OK critical-path length=0\n");
  });

  test("marks the issues of a circle of blockers", async () => {
    const w = await projectWorld();
    const one = await w.issue("one");
    const two = await w.issue("two", "--blocked-by", one);
    await w.ok(["edit", two, "--blocks", one, "-q"]);
    expect(w.named(await w.ok(["graph", "--critical-path"]))).toContain(
      "  1. <one> one [in a circle]\n  2. <two> two [in a circle]\n",
    );
  });
});
