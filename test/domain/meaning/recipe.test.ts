import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CHUNK_OVERLAP,
  type Chunk,
  chunksOf,
  fingerprintText,
  textOf,
} from "../../../src/domain/meaning/recipe.ts";

describe("the text of an issue that is embedded", () => {
  test("is the title, a blank line and the body", () => {
    expect(textOf({ title: "Slow pages", body: "They take\n4 s." })).toBe(
      "Slow pages\n\nThey take\n4 s.",
    );
  });

  test("is the title alone if there is no body", () => {
    expect(textOf({ title: "Slow pages", body: "" })).toBe("Slow pages");
  });
});

describe("cutting a text into chunks", () => {
  const borders = (text: string): readonly (readonly number[])[] =>
    chunksOf(text).map(({ from, to }) => [from, to]);

  test.each([
    [1, [[0, 1]]],
    [1999, [[0, 1999]]],
    [2000, [[0, 2000]]],
    [
      2001,
      [
        [0, 2000],
        [1800, 2001],
      ],
    ],
    [
      3800,
      [
        [0, 2000],
        [1800, 3800],
      ],
    ],
    [
      3801,
      [
        [0, 2000],
        [1800, 3800],
        [3600, 3801],
      ],
    ],
  ])("%i characters give these chunks", (length, expected) => {
    expect(borders("x".repeat(length))).toEqual(expected);
    expect(borders("😀".repeat(length))).toEqual(expected);
  });

  test.each(["", " ", "\r\n\t ", "\u00a0"])("the blank text %j gives no chunk", (text) => {
    expect(chunksOf(text)).toEqual([]);
  });

  test.each([
    ["one long word", "x".repeat(1_000_000)],
    ["emoji", "😀".repeat(1_000_000)],
    ["lines", "0123456\r\n ".repeat(100_000)],
  ])("a million characters of %s give 556 chunks without a gap", (_what, text) => {
    const chunks = chunksOf(text);
    expect(chunks.map(({ number }) => number)).toEqual([...new Array(556).keys()]);
    expect(joined(chunks)).toBe(text);
  });

  test("no chunk begins or ends within a character", () => {
    const aroundBorders = `${"a".repeat(1799)}😀${"b".repeat(199)}😀${"c".repeat(1999)}😀`;
    for (const { text } of chunksOf(aroundBorders)) expect(text).not.toMatch(/\p{Surrogate}/u);
  });

  test("half of a surrogate pair becomes the replacement character", () => {
    expect(chunksOf("a\ud83db").map(({ text }) => text)).toEqual(["a\ufffdb"]);
  });

  test("chunks without what they have in common give the text again", () => {
    const texts = fc.record({
      unit: fc.string({ unit: "grapheme", minLength: 1, maxLength: 7 }),
      times: fc.nat(2500),
      end: fc.string({ unit: "grapheme" }),
    });
    fc.assert(
      fc.property(texts, ({ unit, times, end }) => {
        const text = `x${unit.repeat(times)}${end}`;
        expect(joined(chunksOf(text))).toBe(text);
      }),
      { numRuns: 50 },
    );
  });
});

describe("the fingerprint of a generation", () => {
  const settings = { model: "nomic", dims: 768, salt: "" };

  test("is made of model, dimensions, recipe and salt, in this order", () => {
    expect(fingerprintText(settings)).toBe('{"model":"nomic","dims":768,"recipe":1,"salt":""}');
  });

  test.each([{ model: "other" }, { dims: 384 }, { salt: "again" }])(
    "changes with %j",
    (changed) => {
      expect(fingerprintText({ ...settings, ...changed })).not.toBe(fingerprintText(settings));
    },
  );

  test("does not change with the address or the key of the provider", () => {
    const more = { ...settings, base_url: "http://127.0.0.1:1/v1", api_key: "secret" };
    expect(fingerprintText(more)).toBe(fingerprintText(settings));
  });
});

function joined(chunks: readonly Chunk[]): string {
  return chunks
    .map(({ number, text }) => (number === 0 ? text : [...text].slice(CHUNK_OVERLAP).join("")))
    .join("");
}
