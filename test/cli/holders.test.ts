import { describe, expect, test } from "vitest";
import { holdersView } from "../../src/cli/render/holders.ts";
import { paintFor } from "../../src/cli/render/palette.ts";
import { projectWorld } from "./harness.ts";

/** Makes a world in which ann leases one issue for ten minutes, and bea owns another and wrote a moment ago. */
async function atWork() {
  const w = await projectWorld();
  const leased = await w.issue("Read trailing spaces");
  const owned = await w.issue("Split long lines", "--owner", "bea");
  await w.ok(["lease", "acquire", leased, "--ttl", "10m"]);
  w.clock.advance(240_000);
  await w.ok(["comment", owned, "-m", "half done", "--as", "bea"]);
  w.clock.advance(60_000);
  return { ...w, leased, owned };
}

const HELD = {
  holder: "ann",
  project_id: 1,
  project: "web",
  issue_uid: "01K4M0000000000000000000A4",
  ref: "web#abc4",
  title: "one",
  status: "open" as const,
};

const LEASE = {
  claim_uid: "01K4M0000000000000000000C1",
  project_id: 1,
  issue_uid: HELD.issue_uid,
  holder: "ann",
  holder_instance_uid: "01K4M0000000000000000000I1",
  client_kind: "cli",
  purpose: "",
  claim_kind: "timed" as const,
  fence: 1,
  acquired_at: "2026-01-01T00:00:00.000Z",
  revision: 1,
  updated_at: "2026-01-01T00:00:00.000Z",
};

describe("the holders command", () => {
  test("lists first who has been silent longest, with the time that is left of each lease", async () => {
    const w = await atWork();
    const out = w.named(await w.ok(["holders"]));
    expect(out).toBe(`\
holder  silent  lease  since  did last        issue  title
ann         5m     5m     5m  lease acquired  <Read trailing spaces>   Read trailing spaces
bea         1m      -     5m  commented       <Split long lines>   Split long lines
`);
    expect(w.named(await w.ok(["holders", "-q"]))).toBe(
      "<Read trailing spaces>\n<Split long lines>\n",
    );
  });

  test.each([
    [undefined, "held"],
    ["2026-01-01T00:10:01.000Z", "1s"],
    ["2026-01-01T00:10:00.001Z", "1s"],
    ["2026-01-01T00:10:00.000Z", "expired"],
    ["2026-01-01T00:11:59.000Z", "119s"],
    ["2026-01-01T00:12:00.000Z", "2m"],
  ])("a lease that ends at %s is shown as %s", (expires_at, left) => {
    const [since, now] = ["2026-01-01T00:00:00.000Z", "2026-01-01T00:10:00.000Z"];
    const lease = { ...LEASE, ...(expires_at === undefined ? {} : { expires_at }) };
    const body = { holders: [{ ...HELD, since, lease }], truncated: false, now };
    const style = { paint: paintFor("none"), columns: undefined, quiet: false };
    const [, row = ""] = holdersView(false).human(body, style).split("\n");
    expect(row.split(/ +/).slice(0, 5)).toEqual(["ann", "never", left, "10m", "abc4"]);
  });

  test("says if an issue is closed but still leased", async () => {
    const w = await projectWorld();
    const ref = await w.issue("done early");
    await w.ok(["lease", "acquire", ref]);
    await w.ok(["close", ref, "--wontfix", "-m", "x".repeat(60)]);
    expect(await w.ok(["holders"])).toMatch(/ {3}\(closed\) done early\n$/);
    expect(await w.ok(["holders", "--agent"])).toContain("status=closed");
  });

  test("leaves out the time since when an issue is held, if the daemon does not know it", () => {
    const now = "2026-01-01T00:10:00.000Z";
    const body = { holders: [HELD], truncated: false, now };
    const style = { paint: paintFor("none"), columns: undefined, quiet: false };
    const { human, agent } = holdersView(false);
    const [, row = ""] = human(body, style).split("\n");
    expect(row.split(/ +/)).toEqual(["ann", "never", "-", "abc4", "one"]);
    expect(agent(body, false)).toMatch(
      /\n- holder=ann issue=abc4 leased=false status=open title=one$/,
    );
  });

  test("says never for an owner who never did anything", async () => {
    const w = await projectWorld();
    await w.issue("one", "--owner", "cyd");
    expect(await w.ok(["holders"])).toMatch(/\ncyd +never +- +0s +\w{4} {3}one\n$/);
  });

  test("prints each fact by its name for agents, and the daemon's answer for programs", async () => {
    const w = await atWork();
    expect(w.named(await w.ok(["holders", "--agent"]))).toBe(`\
OK holders count=2 truncated=false now=2026-01-01T00:05:00.000Z
- holder=ann issue=<Read trailing spaces> leased=true fence=1 expires_at=2026-01-01T00:10:00.000Z since=2026-01-01T00:00:00.000Z last_at=2026-01-01T00:00:00.000Z last=claim.acquired status=open title="Read trailing spaces"
- holder=bea issue=<Split long lines> leased=false since=2026-01-01T00:00:00.000Z last_at=2026-01-01T00:04:00.000Z last=issue.commented owner=bea status=open title="Split long lines"
`);
    expect(JSON.parse(await w.ok(["holders", "--json"]))).toMatchObject({
      svc_api_version: 1,
      holders: [{ holder: "ann", lease: { fence: 1 } }, { holder: "bea" }],
      truncated: false,
    });
  });

  test("shows qualified ids for all projects, and says when --limit left rows out", async () => {
    const w = await atWork();
    await w.ok(["projects", "create", "infra"]);
    await w.ok(["create", "Elsewhere", "--project", "infra", "--owner", "dan"]);
    const here = await w.ok(["holders"]);
    expect(here).not.toContain("dan");
    const all = await w.ok(["holders", "--all"]);
    expect(all).toMatch(/\ndan +never +- +0s +infra#\w{4} +Elsewhere\n/);
    expect(all).toMatch(/ {2}web#\w{4} {4}Split long lines\n/);
    expect((await w.cut(["holders", "--all", "--limit", "2"])).split("\n")).toHaveLength(4);
    expect((await w.ok(["holders", "--all", "--limit", "3"])).split("\n")).toHaveLength(5);
    expect(await w.refused(["holders", "--limit", "0"])).toMatchObject({ code: 3 });
    expect(await w.refused(["holders", "--all", "--project", "web"])).toMatchObject({ code: 2 });
  });

  test("keeps its columns aligned on a terminal, whatever the names and titles", async () => {
    const w = await projectWorld();
    await w.issue(
      "\u001b[31mred\u001b[0m and as long as a title on one line can well be",
      "--owner",
      "日本",
    );
    const { out } = await w.run(["holders"], { terminal: 72, env: { NO_COLOR: "1" } });
    const [head = "", row = ""] = out.split("\n");
    expect(row).toMatch(/^日本 +never /);
    expect(row).toContain("  red and as");
    expect(row.length + "日本".length).toBeLessThanOrEqual(72);
    expect(row).toMatch(/…$/);
    expect(head.indexOf("title") - 2).toBe(row.indexOf("red"));
  });

  test("says so if nobody holds an issue", async () => {
    const w = await projectWorld();
    expect(await w.ok(["holders"])).toBe("Nobody leases an issue or owns an open one.\n");
    expect(await w.ok(["holders", "-q"])).toBe("");
    expect(await w.ok(["holders", "--agent"])).toMatch(/^OK holders count=0 truncated=false /);
  });
});
