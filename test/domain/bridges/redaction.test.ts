import fc from "fast-check";
import { expect, test } from "vitest";
import { stopwatch } from "../../../src/base/clock.ts";
import { redactor } from "../../../src/domain/bridges/redaction.ts";

const escaped = (text: string, digits: (hex: string) => string): string =>
  text
    .split("")
    .map((unit) => `\\u${digits(unit.charCodeAt(0).toString(16).padStart(4, "0"))}`)
    .join("");

test.each([
  ["as it is", "key=s3cret/K!", "key=[redacted]"],
  ["in the middle of a word", "xs3cret/K!y", "x[redacted]y"],
  ["with a short escape", String.raw`s3cret\/K!`, "[redacted]"],
  ["as lower-case escapes", escaped("s3cret/K!", (hex) => hex), "[redacted]"],
  ["as upper-case escapes", escaped("s3cret/K!", (hex) => hex.toUpperCase()), "[redacted]"],
  ["as letters and escapes", String.raw`s3\u0063ret/\u004b!`, "[redacted]"],
  ["as escapes of JSON in JSON", String.raw`s3\\u0063ret\\\/K!`, "[redacted]"],
  ["twice", "s3cret/K!s3cret/K!", "[redacted][redacted]"],
  ["in another case of letters", "S3CRET/K!", "S3CRET/K!"],
  ["not at all", "s3cret", "s3cret"],
])("a secret that occurs %s is replaced in each spelling and nowhere else", (_, text, shown) => {
  expect(redactor(["s3cret/K!"])(text)).toBe(shown);
});

test.each([
  ["a line break", "a\nb", String.raw`a\nb a\u000ab a\u000Ab`],
  ["quotes and backslashes", 'a"\\b', String.raw`a\"\\b a\u0022\u005cb a"\b`],
  ["a character of two units", "k😀y", String.raw`k\ud83d\ude00y k\uD83D\uDE00y k😀y`],
  [
    "signs of patterns",
    "a.*+?(b)[c]{d}|^$",
    String.raw`a.*+?(b)[c]{d}|^$ a.*+?(b)[c]{d}|^\u0024 a.*+?(b)[c]{d}|^$`,
  ],
])("a secret with %s is replaced", (_, secret, text) => {
  expect(redactor([secret])(text)).toBe("[redacted] [redacted] [redacted]");
});

test("of two secrets of which one contains the other, the longer one is replaced as a whole", () => {
  expect(redactor(["pass", "password", ""])("password pass")).toBe("[redacted] [redacted]");
});

test("two secrets that overlap in a text are replaced as a whole", () => {
  expect(redactor(["abcd", "cdef"])("xabcdefy")).toBe("x[redacted]y");
});

test("a secret that ends with a backslash is found in JSON, where a quote follows it", () => {
  const text = JSON.stringify({ path: 'a"c\\' });
  expect(redactor(['a"c\\'])(text)).not.toContain(String.raw`a\"c`);
});

test("a secret that looks like an escape is found as it is and escaped", () => {
  const secret = String.raw`C:\new\u0041`;
  const text = `${secret} ${JSON.stringify(secret)} ${escaped(secret, (hex) => hex)}`;
  expect(redactor([secret])(text)).toBe('[redacted] "[redacted]" [redacted]');
});

test("a key of 16 KiB is found as it is and as JSON, and its text is in no error", () => {
  const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n";
  const key = line.repeat(310);
  const redact = redactor([key]);
  const text = `${key} ${JSON.stringify(key)} ${escaped(key, (hex) => hex)}`;
  expect(redact(text)).toBe('[redacted] "[redacted]" [redacted]');
});

test("a secret that begins with 40 backslashes is searched for in less than 2 s", () => {
  const secret = `${"\\".repeat(40)}x`;
  const elapsed = stopwatch();
  expect(redactor([secret])(`${secret} ${"\\".repeat(1000)}y`)).toBe(
    `[redacted] ${"\\".repeat(1000)}y`,
  );
  expect(elapsed()).toBeLessThan(2000);
});

test("a text of ten thousand broken escapes stays as it is", () => {
  const text = `${String.raw`\u004`.repeat(10_000)}g`;
  expect(redactor(["secret"])(text)).toBe(text);
});

test("without secrets a text stays as it is", () => {
  expect(redactor(["", ""])("a text")).toBe("a text");
});

test("no spelling of a secret is left in any text", () => {
  const unit = fc.constantFrom("a", "b", "\\", '"', "/", "\n", "é", "😀", "0");
  const secret = fc
    .array(unit, { minLength: 1, maxLength: 5 })
    .map((units) => units.join(""))
    // Backslashes alone are no secret.
    .filter((text) => /[^\\]/.test(text));
  fc.assert(
    fc.property(secret, fc.array(unit, { maxLength: 5 }), (hidden, around) => {
      const json = JSON.stringify(hidden).slice(1, -1);
      const wide = escaped(hidden, (hex) => hex);
      const [before, after] = ["«", "»"];
      for (const spelling of [hidden, json, wide])
        expect(redactor([hidden])(`${around.join("")}${before}${spelling}${after}`)).toMatch(
          /«\[redacted\]»$/,
        );
    }),
  );
});

test("a text of 1 MiB is searched for 20 secrets in less than 2 s", () => {
  const redact = redactor(Array.from({ length: 20 }, (_, at) => `secret number ${at}`));
  const text = "a long secret numbe text ".repeat(42_000);
  redact(text);
  const elapsed = stopwatch();
  expect(redact(text)).toBe(text);
  expect(elapsed()).toBeLessThan(2000);
});
