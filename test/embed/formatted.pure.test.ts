import { describe, expect, test } from "vitest";
import { FORMAT_BELOW_BYTES, Formatter, isFormatted, MAX_TAGS } from "../../web/embed/formatted.ts";

const html = async () => (text: string) => `<p>${text}</p>`;

test.each([
  ["empty", "", true],
  ["one byte below 16 KiB", "a".repeat(FORMAT_BELOW_BYTES - 1), true],
  ["16 KiB", "a".repeat(FORMAT_BELOW_BYTES), false],
  ["two bytes a character, below", "é".repeat(FORMAT_BELOW_BYTES / 2 - 1), true],
  ["two bytes a character, 16 KiB", "é".repeat(FORMAT_BELOW_BYTES / 2), false],
  ["three bytes a character, above", "語".repeat(FORMAT_BELOW_BYTES / 3 + 1), false],
])("a text is formatted only if it is shorter than 16 KiB as UTF-8: %s", (_what, text, is) => {
  expect(isFormatted(text)).toBe(is);
});

describe("a formatter", () => {
  test("loads the renderer for the first text and not before", async () => {
    let loads = 0;
    const formatter = new Formatter(async () => {
      loads += 1;
      return await html();
    });
    const long = "a".repeat(FORMAT_BELOW_BYTES);
    expect([await formatter.format(long), formatter.known(long), loads]).toEqual([
      "plain",
      "plain",
      0,
    ]);
    expect(await formatter.format("x")).toEqual({ html: "<p>x</p>" });
    expect(loads).toBe(1);
  });

  test("formats one text at a time, in the order in which they were given", async () => {
    const done: string[] = [];
    const formatter = new Formatter(async () => (text) => {
      done.push(text);
      return text;
    });
    await Promise.all(["a", "b", "c"].map(async (text) => await formatter.format(text)));
    expect(done).toEqual(["a", "b", "c"]);
  });

  test.each([
    [MAX_TAGS, { html: "<b>".repeat(MAX_TAGS) }],
    [MAX_TAGS + 1, "plain"],
  ])(
    "shows a text whose HTML has more than 4,000 tags as it was written: %i",
    async (tags, formatted) => {
      const formatter = new Formatter(async () => () => "<b>".repeat(tags));
      expect(await formatter.format("a")).toEqual(formatted);
      expect(formatter.known("a")).toEqual(formatted);
    },
  );

  test("formats a text once", async () => {
    let times = 0;
    const formatter = new Formatter(async () => (text) => {
      times += 1;
      return text;
    });
    await Promise.all([formatter.format("a"), formatter.format("a")]);
    expect([times, formatter.known("a")]).toEqual([1, { html: "a" }]);
  });

  test("shows a text as it was written while the renderer cannot be loaded, and tries again", async () => {
    let isThere = false;
    const formatter = new Formatter(async () => {
      if (!isThere) throw new TypeError("not loaded");
      return await html();
    });
    expect([await formatter.format("a"), formatter.known("a")]).toEqual(["plain", undefined]);
    isThere = true;
    expect(await formatter.format("a")).toEqual({ html: "<p>a</p>" });
  });
});
