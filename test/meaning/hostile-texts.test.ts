import { describe, expect, test } from "vitest";
import { embedding, issue } from "./embedding.ts";

type Embedding = Awaited<ReturnType<typeof embedding>>;
type Issue = ReturnType<typeof issue>;

/** Embeds the issues again after each wait, until that ends without one. Returns the waits. */
async function embedAll(
  { embed, embedder, clock, stored }: Embedding,
  issues: readonly Issue[],
): Promise<readonly number[]> {
  const waits: number[] = [];
  for (let times = 0; times < 20; times++) {
    const done = new Set(stored.map(({ issue_id }) => issue_id));
    const left = issues.filter(({ mark }) => !done.has(mark.id));
    if ((await embed(...left)) && left.length === 0) return waits;
    if (embedder.waitMs > 0) waits.push(embedder.waitMs);
    clock.advance(embedder.waitMs);
  }
  throw new Error("the issues are not embedded after twenty tries");
}

describe("a provider that answers 5xx to a text that is too long for it", () => {
  test.each([500, 501])(
    "does not hold up the others: after three times %i the text is found and its issue is skipped",
    async (status) => {
      const world = await embedding({ batchSize: 8 });
      const { state, stored, outcome, answers } = world;
      state.poison("too long", status);
      const issues = ["a", "b", "c", "d", "e", "too long", "g", "h"].map((text, at) =>
        issue(at + 1, text),
      );
      expect(await embedAll(world, issues)).toEqual([1000, 2000]);
      expect(outcome().sort()).toEqual([
        ...["1 done", "2 done", "3 done", "4 done", "5 done", "6 skipped", "7 done", "8 done"],
      ]);
      expect(stored.find(({ issue_id }) => issue_id === 6)).toMatchObject({
        reason: `failed_${status}`,
        vectors: [],
      });
      expect(answers.filter((answer) => "status" in answer)).toHaveLength(8);
      expect(answers.at(-1)).toHaveProperty("vectors");
    },
  );

  test("is asked with harmless texts after each call that fails while the text is looked for, and once more before it is skipped", async () => {
    const world = await embedding({ batchSize: 2 });
    const { state } = world;
    state.poison("too long", 500);
    await embedAll(world, [issue(1, "a"), issue(2, "too long")]);
    expect(state.calls().map(({ inputs }) => inputs)).toEqual([
      ["a", "too long"],
      ["a", "too long"],
      ["a", "too long"],
      ["text", "text"],
      ["a", "too long"],
      ["a"],
      ["too long"],
      ["text"],
      ["too long"],
    ]);
  });

  test("has each of several such texts skipped, and no other", async () => {
    const world = await embedding({ batchSize: 4 });
    const { state, outcome } = world;
    state.poison("too long", 500);
    const texts = ["too long", "b", "c", "too long", "e", "too long", "too long", "h"];
    const issues = texts.map((text, at) => issue(at + 1, text));
    await embedAll(world, issues.slice(0, 4));
    await embedAll(world, issues.slice(4));
    expect(outcome().sort()).toEqual(
      texts.map((text, at) => `${at + 1} ${text === "too long" ? "skipped" : "done"}`),
    );
  });

  test("fails three times again at the next such text, and is not thought to be at its end before", async () => {
    const world = await embedding({ batchSize: 1 });
    const { state, outcome } = world;
    state.poison("too long", 500);
    expect(await embedAll(world, [issue(1, "too long")])).toEqual([1000, 2000]);
    state.poison("too long", null);
    state.next({ status: 500 }, { status: 500 });
    expect(await embedAll(world, [issue(2, "b")])).toEqual([1000, 2000]);
    expect(outcome()).toEqual(["1 skipped", "2 done"]);
  });

  test("and takes a long issue in smaller calls has it embedded whole", async () => {
    const world = await embedding({ batchSize: 8 });
    const { state, stored, embed, embedder, clock } = world;
    state.behave({ mostInputs: 3, statusOfMore: 504 });
    const long = issue(1, "a", "b", "c", "d", "e", "f", "g", "h", "i");
    for (let times = 0; times < 20 && stored.length === 0; times++) {
      await embed(long);
      clock.advance(embedder.waitMs);
    }
    expect(stored).toMatchObject([{ state: "done", reason: null }]);
    expect(stored[0]?.vectors).toHaveLength(9);
  });
});

describe("a provider that recovers after three answers with 500", () => {
  test("has an issue that it was sent alone embedded, and not skipped", async () => {
    const world = await embedding();
    world.state.next({ status: 500 }, { status: 500 }, { status: 500 });
    expect(await embedAll(world, [issue(1, "a")])).toEqual([1000, 2000]);
    expect(world.outcome()).toEqual(["1 done"]);
    expect(world.state.inputs()).toEqual(["a", "a", "a", "text", "a"]);
  });

  test("gets the same call again, and no halves of it", async () => {
    const world = await embedding();
    world.state.next({ status: 500 }, { status: 500 }, { status: 500 });
    await embedAll(world, [issue(1, "a"), issue(2, "b")]);
    expect(world.state.calls().slice(3)).toMatchObject([
      { inputs: ["text", "text"] },
      { inputs: ["a", "b"] },
    ]);
  });

  test("and is busy then is waited for", async () => {
    const { state, embed, embedder, clock, stored } = await embedding({ batchSize: 1 });
    const good = { body: JSON.stringify({ data: [{ embedding: [1, 2, 3] }] }) };
    const busy = { status: 429, headers: { "retry-after": "7" } };
    state.next({ status: 500 }, { status: 500 }, { status: 500 }, good, busy);
    for (let times = 0; times < 3; times++) {
      clock.advance(embedder.waitMs);
      expect(await embed(issue(1, "a"))).toBe(false);
    }
    expect(embedder.waitMs).toBe(7000);
    expect(stored).toEqual([]);
  });
});

describe.each([502, 503, 504])("a provider that answers %i to one text only", (status) => {
  test("has no issue skipped, embeds the others, and gets that text again after longer and longer waits", async () => {
    const { state, embed, embedder, clock, outcome, answers } = await embedding({ batchSize: 8 });
    state.poison("never", status);
    const issues = [issue(1, "a"), issue(2, "never"), issue(3, "c"), issue(4, "d")];
    for (let times = 0; times < 3; times++) {
      clock.advance(embedder.waitMs);
      expect(await embed(...issues)).toBe(false);
    }
    expect(outcome()).toEqual(["1 done", "3 done", "4 done"]);
    const waits: number[] = [];
    for (let times = 0; times < 12; times++) {
      clock.advance(embedder.waitMs);
      expect(await embed(issue(2, "never"))).toBe(false);
      waits.push(embedder.waitMs);
    }
    expect(waits.slice(0, 3)).toEqual([1000, 2000, 4000]);
    expect(waits.at(-1)).toBe(300_000);
    expect(answers.at(-1)).toEqual({ status });
    state.poison("never", null);
    expect(await embed(issue(2, "never"))).toBe(true);
    expect(outcome()).toEqual(["1 done", "3 done", "4 done", "2 done"]);
  });

  test("and 500 to it in between has no issue skipped", async () => {
    const { state, embed, embedder, clock, stored } = await embedding();
    const good = { body: JSON.stringify({ data: [{ embedding: [1, 2, 3] }] }) };
    state.next({ status: 500 }, { status: 500 }, { status: 500 }, good, { status });
    for (let times = 0; times < 3; times++) {
      clock.advance(embedder.waitMs);
      expect(await embed(issue(1, "a"))).toBe(false);
    }
    expect(state.calls()).toHaveLength(5);
    expect(stored).toEqual([]);
  });
});

describe("a provider that answers 5xx to every text", () => {
  test("is waited for as long as it takes, and no issue is skipped", async () => {
    const { state, embed, embedder, clock, stored } = await embedding();
    state.always({ status: 503 });
    const waits: number[] = [];
    for (let times = 0; times < 12; times++) {
      expect(await embed(issue(1, "a"), issue(2, "b"))).toBe(false);
      waits.push(embedder.waitMs);
      clock.advance(embedder.waitMs);
    }
    expect(stored).toEqual([]);
    expect(waits).toEqual([
      ...[1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000],
      ...[300_000, 300_000, 300_000],
    ]);
    const probes = state.calls().filter(({ inputs }) => inputs.every((text) => text === "text"));
    expect(probes).toHaveLength(4);
    state.always();
    expect(await embed(issue(1, "a"), issue(2, "b"))).toBe(true);
    expect(stored).toHaveLength(2);
  });

  test("and goes down while the text is looked for has no issue skipped for that", async () => {
    const { state, embed, embedder, clock, stored } = await embedding();
    state.poison("too long", 500);
    const issues = [issue(1, "too long"), issue(2, "b")];
    for (let times = 0; times < 2; times++) {
      await embed(...issues);
      clock.advance(embedder.waitMs);
    }
    const data = [{ embedding: [1, 2, 3] }, { embedding: [1, 2, 3] }];
    const good = { body: JSON.stringify({ data }) };
    state.forgetCalls();
    state.next({ status: 500 }, good, { status: 500 }, { status: 500 }, { status: 503 });
    expect(await embed(...issues)).toBe(false);
    expect(state.calls().map(({ inputs }) => inputs)).toEqual([
      ["too long", "b"],
      ["text", "text"],
      ["too long", "b"],
      ["too long"],
      ["text"],
    ]);
    expect(stored).toEqual([]);
  });
});
