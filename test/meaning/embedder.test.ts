import { describe, expect, test } from "vitest";
import { embedding, issue } from "./embedding.ts";

describe("issues that are sent to the provider", () => {
  test("go in one call, and each gets the vectors of its own chunks", async () => {
    const { state, embed, stored, outcome } = await embedding();
    expect(await embed(issue(1, "a"), issue(2, "b", "c"), issue(3))).toBe(true);
    expect(state.calls().map(({ inputs }) => inputs)).toEqual([["a", "b", "c"]]);
    expect(outcome()).toEqual(["3 done", "1 done", "2 done"]);
    expect(stored.map(({ vectors }) => vectors.length)).toEqual([0, 1, 2]);
    expect(stored[1]).toMatchObject({ issue_uid: "uid 1", text_hash: "hash 1", reason: null });
  });

  test("a blank text needs no call", async () => {
    const { state, embed, outcome } = await embedding();
    await embed(issue(1));
    expect(outcome()).toEqual(["1 done"]);
    expect(state.calls()).toEqual([]);
  });

  test("an issue with more chunks than a call takes is stored when it has all vectors", async () => {
    const { state, embed, stored } = await embedding({ batchSize: 2 });
    await embed(issue(1, "a", "b", "c", "d", "e"));
    expect(state.calls().map(({ inputs }) => inputs.length)).toEqual([2, 2, 1]);
    expect(stored.map(({ vectors }) => vectors.length)).toEqual([5]);
  });

  test("an issue whose calls are interrupted goes on where it was", async () => {
    const { state, embed, stored } = await embedding({ batchSize: 2, mostCalls: 2 });
    const long = issue(1, "a", "b", "c", "d", "e");
    expect(await embed(long)).toBe(false);
    expect(stored).toEqual([]);
    expect(await embed(long)).toBe(true);
    expect(state.calls().map(({ inputs }) => inputs.length)).toEqual([2, 2, 1]);
    expect(stored[0]?.vectors).toHaveLength(5);
  });
});

describe("a text that the provider refuses", () => {
  test.each([400, 422])("with %i is the only one that is skipped", async (status) => {
    const { state, embed, outcome, stored, embedder } = await embedding();
    state.poison("bad", status);
    await embed(issue(1, "a"), issue(2, "bad"), issue(3, "c"), issue(4, "d"));
    expect(outcome()).toEqual(["1 done", "2 skipped", "3 done", "4 done"]);
    expect(stored[1]).toMatchObject({ reason: `refused_${status}`, vectors: [] });
    expect(embedder.waitMs).toBe(0);
  });

  test("is told from a refused request by as many harmless texts", async () => {
    const { state, embed } = await embedding();
    state.poison("bad");
    await embed(issue(1, "bad one", "bad two"));
    expect(state.calls().map(({ inputs }) => inputs)).toEqual([
      ["bad one", "bad two"],
      ["text", "text"],
    ]);
  });

  test("in one of several calls of an issue skips the issue", async () => {
    const { state, embed, outcome } = await embedding({ batchSize: 1 });
    state.poison("bad");
    await embed(issue(1, "a", "bad", "c"));
    expect(outcome()).toEqual(["1 skipped"]);
  });
});

describe("a provider that refuses every request", () => {
  test.each([400, 401, 403, 404, 409, 302])(
    "with %i is asked again after five minutes",
    async (status) => {
      const { state, embed, outcome, embedder, clock } = await embedding();
      state.always({ status });
      expect(await embed(issue(1, "a"), issue(2, "b"))).toBe(false);
      expect(outcome()).toEqual([]);
      expect(embedder.waitMs).toBe(300_000);
      clock.advance(299_999);
      expect(embedder.waitMs).toBe(1);
    },
  );

  test("may be asked at once when the key has changed", async () => {
    const { state, embed, embedder } = await embedding();
    state.always({ status: 401 });
    await embed(issue(1, "a"));
    embedder.beginAgain();
    expect(embedder.waitMs).toBe(0);
  });
});

describe("a provider that is busy", () => {
  test.each([
    ["2", 2000],
    ["0", 1000],
    ["7200", 3_600_000],
    ["Thu, 01 Jan 2026 00:00:07 GMT", 7000],
    ["Thu, 01 Jan 2015 00:00:00 GMT", 1000],
  ])("with Retry-After %s is asked again after %i ms", async (header, ms) => {
    const { state, embed, embedder } = await embedding();
    state.always({ status: 429, headers: { "retry-after": header } });
    await embed(issue(1, "a"));
    expect(embedder.waitMs).toBe(ms);
  });

  test("or faulty is asked again after a second, then after twice the time up to five minutes", async () => {
    const { state, embed, embedder, clock } = await embedding();
    state.always({ status: 503 });
    const waits: number[] = [];
    for (let times = 0; times < 11; times++) {
      await embed(issue(1, "a"));
      waits.push(embedder.waitMs);
      clock.advance(embedder.waitMs);
    }
    expect(waits.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
    expect(waits.slice(-2)).toEqual([300_000, 300_000]);
    state.always();
    await embed(issue(1, "a"));
    state.always({ body: "not JSON" });
    await embed(issue(2, "b"));
    expect(embedder.waitMs).toBe(1000);
  });

  test("a call that a stop ended has no consequences", async () => {
    const { state, embed, embedder, stop } = await embedding();
    state.hold();
    const embedded = embed(issue(1, "a"));
    await state.hasBeenCalled(1);
    stop.abort();
    expect(await embedded).toBe(false);
    expect(embedder.waitMs).toBe(0);
  });
});

describe("a provider that takes fewer texts than configured", () => {
  test("gets smaller calls from then on", async () => {
    const { state, embed, embedder, outcome } = await embedding();
    state.behave({ mostInputs: 2 });
    await embed(issue(1, "a"), issue(2, "b"), issue(3, "c"), issue(4, "d"));
    expect(outcome()).toEqual(["1 done", "2 done", "3 done", "4 done"]);
    expect(embedder.most).toBe(2);
    state.forgetCalls();
    await embed(issue(5, "a", "b", "c"));
    expect(state.calls().map(({ inputs }) => inputs.length)).toEqual([2, 1]);
    embedder.beginAgain();
    expect(embedder.most).toBe(4);
  });

  test("and answers 500 to more gets smaller calls from then on, also for the chunks of one issue", async () => {
    const { state, embed, embedder, outcome, clock } = await embedding();
    state.behave({ mostInputs: 2, statusOfMore: 500 });
    const four = [issue(1, "a"), issue(2, "b"), issue(3, "c"), issue(4, "d")];
    while (!(await embed(...four))) clock.advance(embedder.waitMs);
    expect(outcome()).toEqual(["1 done", "2 done", "3 done", "4 done"]);
    expect(embedder.most).toBe(2);
    state.behave({ mostInputs: 1 });
    while (!(await embed(issue(5, "a", "b", "c")))) clock.advance(embedder.waitMs);
    expect(embedder.most).toBe(1);
  });

  test("but not if the failure was that of one text", async () => {
    const { state, embed, embedder, outcome, clock } = await embedding();
    state.poison("bad", 500);
    const four = [issue(1, "a"), issue(2, "bad"), issue(3, "c"), issue(4, "d")];
    while (!(await embed(...four))) clock.advance(embedder.waitMs);
    expect(outcome()).toContain("2 skipped");
    expect(embedder.most).toBe(4);
  });

  test("or whose answers are too large gets smaller calls from then on", async () => {
    const { state, embed, embedder, outcome } = await embedding();
    const tooLarge = { status: 200, body: " ".repeat(2 * 1024 * 1024) };
    state.next(tooLarge, tooLarge);
    await embed(issue(1, "a"), issue(2, "b"), issue(3, "c"), issue(4, "d"));
    expect(state.calls().map(({ inputs }) => inputs.length)).toEqual([4, 2, 1, 1, 2]);
    expect(outcome()).toEqual(["1 done", "2 done", "3 done", "4 done"]);
    expect(embedder.waitMs).toBe(0);
  });

  test("and whose answer to a single text is too large is asked again later", async () => {
    const { state, embed, embedder, outcome } = await embedding();
    state.always({ status: 200, body: " ".repeat(2 * 1024 * 1024) });
    expect(await embed(issue(1, "a"))).toBe(false);
    expect(outcome()).toEqual([]);
    expect(embedder.waitMs).toBe(1000);
  });

  test("and refuses a single text as too large skips its issue", async () => {
    const { state, embed, outcome, stored } = await embedding();
    state.poison("huge", 413);
    await embed(issue(1, "huge"), issue(2, "b"));
    expect(outcome()).toEqual(["1 skipped", "2 done"]);
    expect(stored[0]?.reason).toBe("refused_413");
  });
});
