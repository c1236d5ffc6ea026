import { expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

test("a search accepts the filters of a list", async () => {
  const w = await projectWorld();
  const done = await w.issue("falcon one", "--owner", "bea");
  const mine = await w.issue("falcon two", "--owner", "@me", "--priority", "1");
  const child = await w.issue("falcon three");
  await w.ok(["link", child, "child-of", mine]);
  await w.ok(["block", mine, child]);
  await w.ok([
    "done",
    done,
    "--commit",
    "1f2e3d4",
    "-m",
    "the issue of the test is done and closed",
  ]);
  await w.ok(["meta", "set", child, "area", "ui"]);
  const found = async (...flags: string[]) =>
    (await w.ok(["search", "falcon", ...flags, "-q"])).trim().split(/\s+/).sort();
  expect(await found()).toEqual([done, mine, child].sort());
  expect(await found("--status", "all")).toEqual([done, mine, child].sort());
  expect(await found("--status", "open")).toEqual([mine, child].sort());
  expect(await found("--status", "closed")).toEqual([done]);
  expect(await found("--owner", "@me")).toEqual([mine]);
  expect(await found("--unowned")).toEqual([child]);
  expect(await found("-p", "1")).toEqual([mine]);
  expect(await found("--max-priority", "1")).toEqual([mine]);
  expect(await found("--parent", mine)).toEqual([child]);
  expect(await found("--blocked")).toEqual([child]);
  expect(await found("--meta", "area=ui")).toEqual([child]);
  expect(await found("--author", "@me", "--changed-since", "2020-01-31", "--no-blocked")).toEqual(
    [done, mine].sort(),
  );
  const json = JSON.parse(await w.ok(["search", "falcon", "--status", "closed", "--json"]));
  expect(json.results.map(({ issue }: { issue: { short_id: string } }) => issue.short_id)).toEqual([
    done,
  ]);
});

test("svc search refuses two filters for owners, and unknown values of a filter", async () => {
  const w = await projectWorld();
  for (const [flags, said, exit] of [
    [["--owner", "ann", "--unowned"], "--owner", 2],
    [["--status", "done"], "--status", 2],
    [["--priority", "5"], "--priority", 2],
    [["--changed-since", "lately"], "--changed-since", 3],
  ] as const) {
    const { err, code } = await w.refused(["search", "falcon", ...flags]);
    expect(err).toContain(said);
    expect(code).toBe(exit);
  }
});
