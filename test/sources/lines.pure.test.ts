import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Line, readLines } from "../../src/sources/files/lines.ts";

async function lines(chunks: readonly Uint8Array[], maxBytes?: number): Promise<readonly Line[]> {
  const found: Line[] = [];
  for await (const line of readLines(from(chunks), maxBytes)) found.push(line);
  return found;
}

async function* from(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

describe("splitting a stream into lines", () => {
  test.each([
    ["", []],
    ["\n\n", []],
    ["a", [[1, "a"]]],
    ["a\n", [[1, "a"]]],
    [
      "a\r\nb\r\n",
      [
        [1, "a"],
        [2, "b"],
      ],
    ],
    [
      "\ufeffa\n\n  \nb",
      [
        [1, "a"],
        [4, "b"],
      ],
    ],
    [
      "é\n😀",
      [
        [1, "é"],
        [2, "😀"],
      ],
    ],
  ])("the text %j is split into %j", async (text, expected) => {
    const found = await lines([Buffer.from(text)]);
    expect(found.map(({ number, text }) => [number, text])).toEqual(expected);
  });

  test("gives the same lines wherever the stream is cut", async () => {
    const text = Buffer.from("a😀\r\n\nbb\n€c\n");
    const whole = await lines([text]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: text.length })), async (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const chunks = at.slice(1).map((end, i) => text.subarray(at[i], end));
        expect(await lines(chunks)).toEqual(whole);
      }),
    );
  });

  test("refuses bytes that are no UTF-8 by their line", async () => {
    const bytes = Buffer.from([0x61, 0x0a, 0xff, 0x0a]);
    await expect(lines([bytes])).rejects.toMatchObject({ code: "validation", data: { line: 2 } });
  });

  test("accepts a line as long as the limit and no longer", async () => {
    expect(await lines([Buffer.from("abc\n")], 3)).toHaveLength(1);
    await expect(lines([Buffer.from("\nabcd\n")], 3)).rejects.toMatchObject({ data: { line: 2 } });
    await expect(lines([Buffer.from("ab"), Buffer.from("cd")], 3)).rejects.toMatchObject({
      data: { line: 1 },
    });
  });
});
