import { describe, expect, test } from "vitest";
import { BridgeRuns } from "../../src/engines/bridge-runs.ts";
import { MOST_WOKEN, WokenIssues } from "../../src/engines/woken-issues.ts";

/** Runs whose ends the test decides. */
function given() {
  const runs = new BridgeRuns();
  let number = 0;
  const begin = (connector_instance: string) => {
    number += 1;
    const bridge = { uid: `b${number}`, issue_uid: `i${number}`, connector_instance };
    const work = Promise.withResolvers<boolean | undefined>();
    const ended = runs.run(bridge, async () => await work.promise);
    return async (isSlow?: boolean) => {
      work.resolve(isSlow);
      await ended;
    };
  };
  const room = () => ["a", "b"].filter((instance) => runs.hasRoom(instance));
  return { runs, begin, room };
}

describe("the runs of bridges", () => {
  test.each<[readonly string[], readonly string[], readonly string[]]>([
    [[], ["a", "b"], []],
    [["a", "a"], ["a", "b"], []],
    [["a", "a", "a"], ["b"], ["a"]],
    [["a", "b", "a", "b"], [], ["a", "b"]],
    [["a", "a", "a", "b"], [], ["a", "b"]],
    [["c", "c", "c", "d"], [], ["c", "d"]],
  ])("beside runs of %j have room for %j", (running, expected, withoutRoom) => {
    const { runs, begin, room } = given();
    for (const instance of running) begin(instance);
    expect(room()).toEqual(expected);
    expect(runs.withoutRoom()).toEqual(withoutRoom);
  });

  test("leave a connector one run after a timeout, until it answers", async () => {
    const { runs, begin, room } = given();
    await begin("a")(true);
    expect(room()).toEqual(["a", "b"]);
    const end = begin("a");
    expect([room(), runs.withoutRoom()]).toEqual([["b"], ["a"]]);
    // A run that did not ask the connector says nothing of it.
    await end(undefined);
    const last = begin("a");
    expect(room()).toEqual(["b"]);
    await last(false);
    begin("a");
    expect(room()).toEqual(["a", "b"]);
  });

  test("make room when they end, also if they throw", async () => {
    const { runs, begin, room } = given();
    const ends = [begin("a"), begin("a"), begin("a")];
    expect([runs.size, runs.hasIssue("i1"), room()]).toEqual([3, true, ["b"]]);
    await ends[0]?.();
    expect([runs.size, runs.hasIssue("i1"), room()]).toEqual([2, false, ["a", "b"]]);
    const failing = runs.run({ uid: "b", issue_uid: "i", connector_instance: "a" }, async () =>
      Promise.reject(new Error("a bug")),
    );
    await expect(failing).rejects.toThrow("a bug");
    expect(runs.size).toBe(2);
  });
});

test("the queue of woken issues has each issue once, up to its limit", () => {
  const woken = new WokenIssues();
  for (let number = 0; number < MOST_WOKEN - 1; number += 1) woken.add(`i${number}`);
  woken.add("i0");
  woken.add("last");
  woken.add("too many");
  const taken = woken.take();
  expect(taken).toHaveLength(MOST_WOKEN);
  expect([taken[0], taken.at(-1)]).toEqual(["i0", "last"]);
  woken.add("i0");
  expect(woken.take()).toEqual(["i0"]);
  expect(woken.take()).toEqual([]);
});
