import { expect, test } from "vitest";
import { backlog } from "./backlog.ts";

test("list and ready filter by parent, author, blockers and time of change", async () => {
  const w = await backlog();
  const rows = async (...words: string[]) =>
    w
      .named(await w.ok([...words, "-q"]))
      .trim()
      .split("\n");
  expect(await rows("list", "--parent", w.epic)).toHaveLength(2);
  expect((await rows("list", "--parent", w.epic, "--no-blocked")).join()).toContain("<free>");
  expect((await rows("list", "--blocked")).join()).toContain("<waits>");
  expect((await rows("ready", "--parent", w.epic)).join()).toContain("<free>");
  w.clock.advance(3_600_000);
  const mine = await w.issue("mine", "--as", "cyd");
  expect(await w.ok(["list", "--author", "cyd", "-q"])).toContain(mine);
  expect(await rows("list", "--author", "cyd", "--all")).toHaveLength(1);
  expect(await w.ok(["ready", "--author", "cyd", "-q"])).toContain(mine);
  const instant = "2026-01-01T00:00:00Z";
  expect((await rows("list", "--changed-since", instant)).length).toBeGreaterThan(4);
  const early = JSON.parse(await w.ok(["list", "--blocked", "--at", "1", "--json"]));
  expect(early.issues).toEqual([]);
});

test("svc next --parent takes the best child of an issue, and --claim refuses filters that it does not support", async () => {
  const w = await backlog();
  const part = await w.issue("part", "--parent", w.epic);
  const words = ["next", "--parent", w.epic];
  expect(await w.ok([...words, "-q"])).toContain(part);
  expect(await w.ok([...words, "--claim", "--agent"])).toContain(part);
  expect(await w.nothingLeft([...words, "--claim", "--as", "cyd"])).toBe(
    "Nothing is left to take.\n",
  );
  const refused = await w.refused(["ready", "--author", "ann", "--claim"]);
  expect(refused).toMatchObject({ code: 2 });
});

test("svc list refuses a missing issue as --parent and a malformed time as --changed-since", async () => {
  const w = await backlog();
  expect((await w.refused(["list", "--parent", "zzzz"])).code).toBe(4);
  const refused = await w.refused(["list", "--changed-since", "soon"]);
  expect(refused.err).toContain("--changed-since");
  expect(refused.code).toBe(3);
});
