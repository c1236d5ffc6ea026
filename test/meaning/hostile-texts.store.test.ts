import { expect, test } from "vitest";
import { describeStore } from "../support/store.ts";
import { type MeaningWorld, meaningWorld } from "./world.ts";

const DAY_MS = 86_400_000;

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
    expect(health()).toMatchObject({ embedded: 20, skipped: 1, last_error_status: 500 });
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

  test("is sent again a day later, and is skipped for another day if that fails", async () => {
    const { w, state, start } = await meaningWorld(open);
    await w.given.issue({ title: "too long" });
    state.poison("too long", 500);
    const { fill, health, wait } = waiting(w, start());
    await wait(4000);
    expect(health()).toMatchObject({ skipped: 1, backlog: 0 });
    for (let day = 0; day < 2; day++) {
      state.forgetCalls();
      w.clock.advance(DAY_MS - 10_000);
      await fill();
      expect(state.calls()).toEqual([]);
      w.clock.advance(310_000);
      await wait(4000);
      expect(state.inputs()).toEqual([...new Array(3).fill("too long"), "text", "too long"]);
      expect(health()).toMatchObject({ skipped: 1, backlog: 0 });
    }
    state.poison("too long", null);
    w.clock.advance(DAY_MS + 310_000);
    await fill();
    expect(health()).toMatchObject({ embedded: 1, skipped: 0, backlog: 0, error_present: false });
  });

  test("is sent again by the next daemon, while one that was refused is not", async () => {
    const { w, state, start } = await meaningWorld(open);
    await w.given.issue({ title: "too long" });
    await w.given.issue({ title: "refused" });
    state.poison("too long", 500);
    state.poison("refused", 400);
    const first = waiting(w, start());
    await first.wait(4000);
    expect(first.health()).toMatchObject({ skipped: 2, backlog: 0 });
    await first.stop();
    state.forgetCalls();
    state.poison("too long", null);
    state.poison("refused", null);
    const second = start();
    await second.fill();
    expect(state.inputs()).toEqual(["too long"]);
    expect(second.health()).toMatchObject({ embedded: 1, skipped: 1, backlog: 0 });
  });

  test("is sent again if it was edited and the edit was undone", async () => {
    const { w, state, start, edit } = await meaningWorld(open);
    const issue = await w.given.issue({ title: "too long" });
    state.poison("too long", 500);
    const { fill, health, wait } = waiting(w, start());
    await wait(4000);
    expect(health()).toMatchObject({ skipped: 1 });
    state.poison("too long", null);
    await edit(issue, { title: "short" });
    await edit(issue, { title: "too long" });
    await fill();
    expect(health()).toMatchObject({ embedded: 1, skipped: 0, backlog: 0 });
  });
});

type Started = ReturnType<MeaningWorld["start"]>;

/** The search with `wait`, which lets the time pass and sweeps in between, as long as the provider is to be waited for. */
function waiting({ clock }: MeaningWorld["w"], started: Started) {
  const wait = async (mostMs: number): Promise<void> => {
    for (let leftMs = mostMs; leftMs > 0; ) {
      const ms = await started.fill();
      if (ms > leftMs) return;
      clock.advance(ms);
      leftMs -= ms;
    }
  };
  return { ...started, wait };
}
