import { expect, test } from "vitest";
import { firstOf } from "../../src/cli/fast-path/first.ts";
import { createIssue } from "../../src/contract/issues.ts";
import { takeReadyIssue } from "../../src/contract/leases.ts";
import { readyIssues } from "../../src/contract/search.ts";
import { takeRank } from "../../src/contract/take-order.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

test.each([
  [0, 0],
  [4, 4],
  [null, 5],
  [undefined, 5],
])("priority %s has rank %i", (priority, rank) => {
  expect(takeRank({ priority })).toBe(rank);
});

describeStore("the order of takes", (open) => {
  test("is the same for svc next, which chooses from the ready list, and for a take", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    for (const [place, priority] of [undefined, 4, 1, undefined, 0, 1, 3, 0, 0, 1].entries()) {
      // Every second issue is changed at the same time as the one before.
      w.clock.advance(place % 2 === 0 ? 1000 : 0);
      const body = { title: "t", force_new: true, ...(priority === undefined ? {} : { priority }) };
      await w.call(createIssue, { params: project.path, body });
    }
    for (let left = 10; left > 0; left -= 1) {
      const query = { unowned: true };
      const { issues } = await w.call(readyIssues, { params: project.path, query });
      const { issue } = await w.call(takeReadyIssue, { params: project.path, body: {} });
      expect(issue?.uid).toBe(firstOf(issues)?.uid);
      expect(issues).toHaveLength(left);
    }
  });
});
