import { expect, test } from "vitest";
import { describeStore } from "../support/store.ts";
import { meaningWorld } from "./world.ts";

describeStore("a text at which the provider fails with 500", (open) => {
  test("does not hold up the backlog, and its issue is named with the status", async () => {
    const { w, state, start, edit } = await meaningWorld(open);
    const issue = await w.given.issue({ title: "too long" });
    for (let number = 0; number < 20; number++) await w.given.issue({ title: `issue ${number}` });
    state.poison("too long", 500);
    const { fill, health, farSide } = start({ batchSize: 8 });
    const waits: number[] = [];
    for (let wait = await fill(); health()?.["backlog"] !== 0; wait = await fill()) {
      waits.push(wait);
      w.clock.advance(wait);
    }
    expect(waits).toEqual([1000, 2000]);
    expect(health()).toMatchObject({ embedded: 20, skipped: 1, error_present: false });
    expect((await farSide.show()).skipped).toMatchObject([
      { issue_uid: issue.uid, reason: "failed_500" },
    ]);
    state.forgetCalls();
    w.clock.advance(600_000);
    await fill();
    expect(state.calls()).toEqual([]);
    await edit(issue, { title: "short" });
    await fill();
    expect(health()).toMatchObject({ embedded: 21, skipped: 0, backlog: 0 });
  });
});
