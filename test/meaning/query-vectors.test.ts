import { expect, onTestFinished, test } from "vitest";
import { yieldToLoop } from "../../src/base/yield-to-loop.ts";
import type { Embedded } from "../../src/meaning/provider.ts";
import { QueryVectors } from "../../src/meaning/query-vectors.ts";
import { FakeClock } from "../support/clock.ts";

const VECTOR = Float32Array.of(1, 0);
const SILENT = { unavailable: "provider_silent" };

function queries() {
  const clock = new FakeClock();
  const calls: { readonly text: string; answer(answer: Embedded): void }[] = [];
  const provider = {
    embed: async ([text = ""]: readonly string[]) =>
      await new Promise<Embedded>((answer) => void calls.push({ text, answer })),
  };
  const vectors = new QueryVectors({ clock, provider, fingerprint: "f" });
  onTestFinished(() => vectors.stop());
  const asked = async (text: string, answer: Embedded) => {
    const found = vectors.of(text);
    await yieldToLoop();
    calls.at(-1)?.answer(answer);
    return await found;
  };
  return { clock, calls, vectors, asked };
}

test("the vector of a query is remembered, until a hundred others were asked for", async () => {
  const { calls, vectors, asked } = queries();
  expect(await asked("owl", { vectors: [VECTOR] })).toEqual({ vector: VECTOR });
  expect(await vectors.of("owl")).toEqual({ vector: VECTOR });
  expect(calls).toHaveLength(1);
  for (let number = 0; number < 100; number++)
    await asked(`query ${number}`, { vectors: [VECTOR] });
  void vectors.of("owl");
  await yieldToLoop();
  expect(calls).toHaveLength(102);
});

test("equal queries at the same time share one call", async () => {
  const { calls, vectors, asked } = queries();
  const first = vectors.of("owl");
  const second = asked("owl", { vectors: [VECTOR] });
  expect(await Promise.all([first, second])).toEqual([{ vector: VECTOR }, { vector: VECTOR }]);
  expect(calls).toHaveLength(1);
});

test("only the first 2,000 characters of a query are sent", async () => {
  const { calls, asked } = queries();
  await asked("x".repeat(5000), { vectors: [VECTOR] });
  expect(calls[0]?.text).toHaveLength(2000);
});

test("a provider that gives no answer counts as silent after 3 s", async () => {
  const { clock, vectors } = queries();
  const found = vectors.of("owl");
  let answer: unknown;
  void found.then((value) => (answer = value));
  clock.advance(2999);
  await yieldToLoop();
  expect(answer).toBeUndefined();
  clock.advance(1);
  expect(await found).toEqual(SILENT);
});

test.each([
  [{ status: 400 }, "provider_refused"],
  [{ status: 401 }, "provider_refused"],
  [{ status: 302 }, "provider_refused"],
  [{ fault: "invalid" }, "provider_refused"],
  [{ status: 429 }, "provider_silent"],
  [{ status: 503 }, "provider_silent"],
  [{ fault: "timeout" }, "provider_silent"],
  [{ fault: "transport" }, "provider_silent"],
] as const)("the answer %j counts as %s", async (answer, unavailable) => {
  const { asked } = queries();
  expect(await asked("owl", answer)).toEqual({ unavailable });
});

test("after three failures in a row the provider is left alone for 5 s", async () => {
  const { clock, calls, vectors, asked } = queries();
  for (const text of ["a", "b", "c"])
    expect(await asked(text, { fault: "transport" })).toEqual(SILENT);
  expect(await vectors.of("d")).toEqual(SILENT);
  expect(calls).toHaveLength(3);
  clock.advance(5000);
  expect(await asked("d", { vectors: [VECTOR] })).toEqual({ vector: VECTOR });
});

test("a good answer in between keeps the provider in use", async () => {
  const { calls, asked } = queries();
  for (const text of ["a", "b"]) await asked(text, { status: 500 });
  await asked("c", { vectors: [VECTOR] });
  for (const text of ["d", "e"]) await asked(text, { status: 500 });
  await asked("f", { vectors: [VECTOR] });
  expect(calls).toHaveLength(6);
});

test("at most 16 calls run at once, and the others wait for their turn", async () => {
  const { calls, vectors } = queries();
  const found = Array.from(
    { length: 20 },
    async (_, number) => await vectors.of(`query ${number}`),
  );
  await yieldToLoop();
  expect(calls).toHaveLength(16);
  for (const { answer } of calls.slice(0, 4)) answer({ vectors: [VECTOR] });
  await yieldToLoop();
  expect(calls).toHaveLength(20);
  for (const { answer } of calls) answer({ vectors: [VECTOR] });
  expect(await Promise.all(found)).toEqual(new Array(20).fill({ vector: VECTOR }));
});

/** Begins searches for as many texts as there are names. */
async function begun(vectors: QueryVectors, name: string, count: number) {
  const found = Array.from(
    { length: count },
    async (_, number) => await vectors.of(`${name} ${number}`),
  );
  await yieldToLoop();
  return found;
}

test("a query that has waited too long for its turn is not sent, and the provider stays in use", async () => {
  const { clock, calls, vectors, asked } = queries();
  const found = await begun(vectors, "query", 32);
  clock.advance(2000);
  for (const { answer } of calls.slice(0, 16)) answer({ vectors: [VECTOR] });
  expect(await Promise.all(found)).toEqual([
    ...new Array<unknown>(16).fill({ vector: VECTOR }),
    ...new Array<unknown>(16).fill(SILENT),
  ]);
  expect(calls).toHaveLength(16);
  expect(await asked("another", { vectors: [VECTOR] })).toEqual({ vector: VECTOR });
});

test.each([
  [1000, { fault: "timeout" }, 33],
  [1000, { fault: "stopped" }, 33],
  [1000, { fault: "transport" }, 32],
  [1000, { status: 503 }, 32],
  [500, { fault: "timeout" }, 32],
] as const)(
  "queries that waited %i ms for their turn and ended with %j are followed by a call number %i at most",
  async (waitMs, answer, most) => {
    const { clock, calls, vectors } = queries();
    const found = await begun(vectors, "query", 32);
    clock.advance(waitMs);
    for (const call of calls.slice(0, 16)) call.answer({ vectors: [VECTOR] });
    await yieldToLoop();
    expect(calls).toHaveLength(32);
    for (const call of calls.slice(16)) call.answer(answer);
    expect((await Promise.all(found)).slice(16)).toEqual(new Array<unknown>(16).fill(SILENT));
    void vectors.of("another");
    await yieldToLoop();
    expect(calls).toHaveLength(most);
  },
);
