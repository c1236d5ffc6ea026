import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeControls, isInvisible } from "../../src/base/visible.ts";
import { escapeControlBytes } from "../../src/base/visible-bytes.ts";

describe("a text for a terminal", () => {
  test.each([
    ["", true],
    [" \t\n\u00a0\u3000", true],
    ["\u200b\u200c\u200d\u2060\ufeff", true],
    ["\u202e\u2066\u061c", true],
    ["\u3164\u115f\uffa0", true],
    ["\u2800", true],
    ["\ufe0f\u{e0100}\u{e0041}", true],
    ["\u0007\u0085", true],
    ["\u200ba", false],
    [" .", false],
    ["日本", false],
    ["👩‍💻", false],
    ["\u200e٣", false],
  ])("%j is invisible: %s", (text, invisible) => {
    expect(isInvisible(text)).toBe(invisible);
  });
});

describe("JSON for a terminal", () => {
  const RISKY = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.stringMatching(/^[a\u007f-\u00a0\u061b-\u061d\u200d-\u2010\u2029-\u202f\u2065-\u206a]*$/),
  );

  test("has no control character, and parses to the same value", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const json = JSON.stringify({ [text]: text });
        const escaped = escapeControls(json);
        expect(RISKY.test(escaped)).toBe(false);
        expect(JSON.parse(escaped)).toEqual(JSON.parse(json));
        expect(escapeControlBytes(Buffer.from(json)).toString()).toBe(escaped);
      }),
    );
  });

  test("is unchanged if it is plain", () => {
    const json = Buffer.from('{"title":"größer → 日本 👩‍💻"}');
    expect(escapeControlBytes(json)).toBe(json);
  });
});
