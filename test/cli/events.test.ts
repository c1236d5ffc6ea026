import { describe, expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

async function history() {
  const w = await projectWorld();
  const a = await w.issue("a");
  await w.ok(["label", "add", a, "bug", "--as", "bea"]);
  return { ...w, a };
}

describe("events", () => {
  test("are read a page at a time", async () => {
    const w = await history();
    expect(w.named(await w.ok(["events"]))).toBe(`\
     1  project.created         proj=web  by ann  2026-01-01 00:00Z
     2  project.alias_added     proj=web  by ann  2026-01-01 00:00Z
     3  issue.created           proj=web  <a>  by ann  2026-01-01 00:00Z
     4  issue.labeled           proj=web  <a>  by bea  2026-01-01 00:00Z
`);
    expect(w.named(await w.cut(["events", "--after", "2", "--limit", "1", "--agent"]))).toBe(
      "OK events count=1 next=3 truncated=true\n- id=3 type=issue.created issue=<a> project=web actor=ann\n",
    );
    expect(JSON.parse(await w.ok(["events", "--after", "4", "--json"]))).toEqual({
      svc_api_version: 1,
      reset_required: false,
      events: [],
      next_after_id: 4,
      epoch: expect.any(String),
      count: 0,
    });
    expect(await w.ok(["events", "--after", "4"])).toBe("No events.\n");
  });

  test("are followed by a note on where to continue if they do not fit one page", async () => {
    const w = await history();
    for (const mode of [[], ["--agent"], ["--json"], ["-q"]]) {
      expect((await w.run(["events", "--limit", "3", ...mode])).err).toBe(
        "... showing 3 (raise --limit to see more, --after 3 goes on)\n",
      );
      expect((await w.run(["events", "--limit", "4", ...mode])).err).toBe("");
    }
  });

  test("can be filtered by kind, by actor and by issue, in any project", async () => {
    const w = await history();
    await w.ok(["projects", "create", "shop", "-q"]);
    const there = await w.issue("there", "--project", "shop");
    const ids = async (...flags: string[]): Promise<readonly number[]> =>
      JSON.parse(await w.ok(["events", "--json", ...flags])).events.map(
        ({ event_id }: { event_id: number }) => event_id,
      );
    expect(await ids("--type", "project.*")).toEqual([1, 2]);
    expect(await ids("--kind", "issue.labeled", "--kind", "issue.created")).toEqual([3, 4]);
    expect(await ids("--actor", "bea")).toEqual([4]);
    expect(await ids("--issue", w.a, "--actor", "ann")).toEqual([3]);
    expect(await ids("--issue", `shop#${there}`, "--issue", w.a)).toEqual([3, 4, 6]);
    expect(await ids("--issue", w.a, "--project-id", "2")).toEqual([]);
    expect(await ids("--all-projects", "--type", "issue.created")).toEqual([3, 6]);
    expect((await w.refused(["events", "--issue", "zzzz"])).code).toBe(4);
    expect(await w.refused(["events", "--type", "issue.done"])).toEqual({
      err: 'svc: type: "issue.done" is no kind of event, such as issue.closed or issue.*\n',
      code: 3,
    });
  });

  test("events of one project leave out those of other projects", async () => {
    const w = await history();
    await w.ok(["projects", "create", "shop"]);
    const count = async (...flags: string[]): Promise<number> =>
      JSON.parse(await w.ok(["events", "--json", ...flags])).events.length;
    expect(await count()).toBe(4);
    expect(await count("--project", "shop")).toBe(1);
    expect(await count("--project-id", "2")).toBe(1);
    expect(await count("--all-projects")).toBe(5);
    expect(await count("--all")).toBe(5);
    expect((await w.refused(["events", "--all-projects", "--project", "web"])).code).toBe(2);
    expect((await w.refused(["events", "--project-id", "9"])).code).toBe(4);
  });

  test.each([
    [["--after", "-1"], "--after must be 0 or more, not -1"],
    [["--limit", "0"], "--limit must be 1 or more, not 0"],
    [["--project-id", "0"], "--project-id must be 1 or more"],
  ])("with the flags %j are refused", async (flags, problem) => {
    const w = await projectWorld();
    expect(await w.refused(["events", ...flags])).toEqual({ err: `svc: ${problem}\n`, code: 3 });
  });
});

describe("events --tail", () => {
  test("continues after the event with the given id, and ends when its reader closes the output", async () => {
    const w = await history();
    const tail = w.run(["events", "--tail", "--after", "3", "--agent"], { closeAfter: 2 });
    await w.ok(["assign", w.a, "cho"]);
    const { out, err, code } = await tail;
    expect(w.named(out)).toBe(`\
OK event id=4 type=issue.labeled issue=<a> project=web actor=bea
OK event id=5 type=issue.assigned issue=<a> project=web actor=ann
`);
    expect({ err, code }).toEqual({ err: "", code: 0 });
  });

  test("gives a program one JSON object a line, and a person at a terminal rows", async () => {
    const w = await history();
    const json = (await w.run(["events", "--tail", "--json"], { closeAfter: 4 })).out;
    const events = json
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ event_id }) => event_id)).toEqual([1, 2, 3, 4]);
    expect(events.every((event) => event.svc_api_version === 1)).toBe(true);
    expect((await w.run(["events", "--tail"], { closeAfter: 4 })).out).toBe(json);
    const rows = await w.run(["events", "--tail", "--last-event-id", "3"], {
      closeAfter: 1,
      terminal: 80,
      env: { NO_COLOR: "1" },
    });
    expect(w.named(rows.out)).toBe(
      "     4  issue.labeled           proj=web  <a>  by bea  2026-01-01 00:00Z\n",
    );
  });

  test("applies filters, and leaves out earlier events with --new", async () => {
    const w = await history();
    const tail = ["events", "--tail", "--agent"];
    const labels = w.run([...tail, "--type", "issue.labeled"], { closeAfter: 2 });
    const fresh = w.run([...tail, "--new", "--issue", w.a], { closeAfter: 1 });
    // Whether or not the readers have connected, the next label is the first new event for both.
    await w.ok(["create", "other", "-q", "--force-new"]);
    const first = await (async (): Promise<string> => {
      for (let n = 0; ; n++) {
        await w.ok(["label", "add", w.a, `l${n}`, "-q"]);
        const done = await Promise.race([fresh, w.ok(["health"])]);
        if (typeof done !== "string") return done.out;
      }
    })();
    expect(w.named(first)).toMatch(
      /^OK event id=\d+ type=issue.labeled issue=<a> project=web actor=ann\n$/,
    );
    expect(Number(/id=(\d+)/.exec(first)?.[1])).toBeGreaterThan(4);
    expect(w.named((await labels).out)).toMatch(
      /^OK event id=4 type=issue.labeled .*\nOK event id=\d+ type=issue.labeled .*\n$/,
    );
  });

  test("events --tail of an unknown project is refused", async () => {
    const w = await projectWorld();
    expect((await w.refused(["events", "--tail", "--project-id", "9"])).code).toBe(4);
  });
});
