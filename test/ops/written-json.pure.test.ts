import { expect, test } from "vitest";
import { yieldToLoop } from "../../src/base/yield-to-loop.ts";
import { DeferredField, StreamedRows } from "../../src/ops/streamed-rows.ts";
import { writtenJson } from "../../src/ops/written-json.ts";

function rows(count: number): { readonly n: number; readonly text: string }[] {
  return Array.from({ length: count }, (_, n) => ({ n, text: `"ä" 𝄞 ${n}` }));
}

async function* parts<T>(given: readonly (readonly T[])[]) {
  yield* given;
}

test.each([
  { sizes: [], texts: 1 },
  { sizes: [0], texts: 1 },
  { sizes: [1], texts: 2 },
  { sizes: [100], texts: 2 },
  { sizes: [101], texts: 3 },
  { sizes: [0, 100, 0, 101, 3], texts: 5 },
])(
  "a list read in parts of $sizes rows is written as the same JSON, in $texts texts",
  async ({ sizes, texts }) => {
    const given = sizes.map(rows);
    const written = await writtenJson({
      head: "h",
      rows: new StreamedRows(parts(given)),
      none: new DeferredField(() => undefined),
      count: new DeferredField(async () => given.flat().length),
    });
    const whole = { head: "h", rows: given.flat(), count: given.flat().length };
    expect(written.parts.join("")).toBe(JSON.stringify(whole));
    expect(written.parts).toHaveLength(texts);
  },
);

test("other work can run after each text of a list is written", async () => {
  let turns = 0;
  let ended = false;
  const other = (async () => {
    for (; !ended; turns++) await yieldToLoop();
  })();
  const { parts: texts } = await writtenJson({ rows: new StreamedRows(parts([rows(1000)])) });
  ended = true;
  await other;
  expect(texts).toHaveLength(11);
  expect(turns).toBeGreaterThanOrEqual(10);
});

test("an error while a part is read is thrown, and nothing is written", async () => {
  async function* broken() {
    yield rows(200);
    throw new Error("the database is gone");
  }
  await expect(writtenJson({ rows: new StreamedRows(broken()) })).rejects.toThrow(
    "the database is gone",
  );
});
