import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { wrap } from "../../src/cli/render/columns.ts";
import { failureText } from "../../src/cli/render/failure.ts";
import { paintFor } from "../../src/cli/render/palette.ts";
import { flatRows, nestedRows, type RowIssue } from "../../src/cli/render/rows.ts";
import { cut, padEnd, widthOf } from "../../src/cli/render/width.ts";
import { isAtLeast } from "../../src/cli/session/session.ts";
import { codeFence, fieldText, line } from "../../src/shared/agent.ts";
import { nearest } from "../../src/shared/nearest.ts";
import { manyLines, oneLine } from "../../src/shared/text.ts";

describe("untrusted text", () => {
  test.each([
    ["plain", "plain", "plain"],
    ["", "", ""],
    ["two\nlines\tand a tab", "two\\nlines and a tab", "two\nlines\tand a tab"],
    ["dos\r\nlines", "dos\\nlines", "dos\nlines"],
    ["\u001b[31mred\u001b[0m", "red", "red"],
    ["\u001b]8;;https://x\u0007link\u001b]8;;\u001b\\", "link", "link"],
    ["\u009b31mred", "red", "red"],
    ["\u001b", "", ""],
    ["bell\u0007 null\u0000 del\u007f", "bell null del", "bell null del"],
    ["\u202eabc\u202c", "abc", "abc"],
    ["zero\u200bwidth\ufeff", "zerowidth", "zerowidth"],
    ["👩‍👩‍👧 family", "👩‍👩‍👧 family", "👩‍👩‍👧 family"],
    ["日本語", "日本語", "日本語"],
    ["half \ud800", "half ", "half "],
  ])("%j is shown as %j on one line and as %j on several lines", (text, one, many) => {
    expect(oneLine(text)).toBe(one);
    expect(manyLines(text)).toBe(many);
  });

  test("never contains a control character after cleaning", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({
        unit: fc.constantFrom("\u001b", "[", "]", "m", "\u0007", "a", "\n", "\u009b", ";", "1"),
      }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(oneLine(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(manyLines(text)).not.toMatch(/(?![\n\t])\p{Cc}/u);
      }),
    );
  });
});

describe("columns of text", () => {
  test.each([
    ["abc", 3],
    ["日本", 4],
    ["e\u0301", 1],
    ["👍🏽", 2],
    ["👩‍👩‍👧", 2],
    ["한글", 4],
  ])("the text %s takes %i cells", (text, width) => {
    expect(widthOf(text)).toBe(width);
    expect(widthOf(padEnd(text, 10))).toBe(10);
  });

  test("the cells of a text are counted exactly as the package string-width counts them", () => {
    const counted = (code: number): string | undefined => {
      const text = String.fromCharCode(code);
      return widthOf(text) === stringWidth(text) ? undefined : `U+${code.toString(16)}`;
    };
    const wrong = Array.from({ length: 0x3000 }, (_, code) => counted(code + 0x20));
    expect(wrong.filter((one) => one !== undefined)).toEqual([]);
    const letters = fc.constantFrom(
      "a",
      "é",
      "ß",
      "®",
      "○",
      "●",
      "✓",
      "…",
      "─",
      "└",
      "\u0301",
      "\ufe0f",
      "日",
    );
    fc.assert(
      fc.property(fc.string({ unit: letters }), (text) => {
        expect(widthOf(text)).toBe(stringWidth(text));
      }),
    );
  });

  test.each([
    ["ÜberGröße", 6, "ÜberG…"],
    ["└─ ○ abc", 7, "└─ ○ a…"],
    ["abcdef", 6, "abcdef"],
    ["abcdef", 5, "abcd…"],
    ["日本語です", 10, "日本語です"],
    ["日本語です", 9, "日本語で…"],
    ["日本語です", 8, "日本語…"],
    ["a👩‍👩‍👧b", 3, "a…"],
    ["one two", 5, "one…"],
  ])("the text %s cut to %i cells is %s", (text, width, expected) =>
    expect(cut(text, width)).toBe(expected),
  );

  test("a cut text never takes more cells than requested", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 1, max: 20 }),
        (text, width) => {
          expect(widthOf(cut(oneLine(text), width))).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe("the agent format", () => {
  test.each([
    [{ a: "x" }, "a=x"],
    [{ a: "" }, 'a=""'],
    [{ a: undefined, b: null, c: [] }, ""],
    [{ a: ["x", "y"] }, "a=x,y"],
    [{ a: 0, b: false }, "a=0 b=false"],
    [{ a: "two words" }, 'a="two words"'],
    [{ a: 'a"b' }, 'a="a\\"b"'],
    [{ a: "a\\b" }, 'a="a\\\\b"'],
    [{ a: "a\nb" }, 'a="a\\nb"'],
    [{ a: "a=b" }, "a=a=b"],
    [{ a: "a\u001b[1mb" }, "a=ab"],
  ])("writes %j as %s", (fields, text) => expect(fieldText(fields)).toBe(text));

  test("reads back every value that it wrote", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 4 }),
        (values) => {
          const clean = values.map(manyLines);
          const text = fieldText(Object.fromEntries(clean.map((value, at) => [`k${at}`, value])));
          expect(readFields(text)).toEqual(clean);
        },
      ),
    );
  });

  test.each([
    ["plain", ["```text", "plain", "```"]],
    ["a ``` b", ["````text", "a ``` b", "````"]],
    ["````", ["`````text", "````", "`````"]],
    ["one\ntwo\n", ["```text", "one", "two", "```"]],
  ])("puts a long enough fence around %j", (text, lines) => expect(codeFence(text)).toEqual(lines));

  test("omits the line of a missing value", () => {
    expect(line("Owner", undefined)).toEqual([]);
    expect(line("Owner", "a\nb")).toEqual(["Owner: a\\nb"]);
  });
});

/** Parses `k=v k="v w"` as an agent would. */
function readFields(text: string): readonly string[] {
  const found = text.matchAll(/k\d=("(?:[^"\\]|\\.)*"|\S*)(?: |$)/g);
  return [...found].map(([, value = ""]) => (value.startsWith('"') ? JSON.parse(value) : value));
}

describe("rows of issues", () => {
  const style = { paint: paintFor("none"), columns: undefined, quiet: false };
  const options = { qualified: false, nobody: "-" };
  const peer = (uid: string) => ({
    uid,
    short_id: uid,
    project: "web",
    qualified_id: `web#${uid}`,
  });
  const row = (uid: string, parent?: string): RowIssue => ({
    uid,
    short_id: uid,
    qualified_id: `web#${uid}`,
    title: uid,
    status: "open",
    ...(parent === undefined ? {} : { parent: peer(parent) }),
  });

  test("are nested as deep as the issues are, and no issue is left out", () => {
    const rows = [
      ...nestedRows(
        [row("c", "b"), row("a"), row("b", "a"), row("d", "a"), row("e", "elsewhere")],
        options,
        style,
      ),
    ];
    expect(rows.map((text) => text.replace(/ +\w \(-\)$/, ""))).toEqual([
      "○ a",
      "├─ ○ b",
      "│  └─ ○ c",
      "└─ ○ d",
      "○ e",
    ]);
  });

  test("have their ids in one column that is as wide as the widest id", () => {
    const long = { ...row("b"), short_id: "abcdefg", qualified_id: "other#abcdefg", priority: 3 };
    expect([...flatRows([row("a"), long], options, style)]).toEqual([
      "○ a              a (-)",
      "○ abcdefg  • P3  b (-)",
    ]);
    expect([...flatRows([row("a"), long], { ...options, qualified: true }, style)][0]).toBe(
      "○ web#a                a (-)",
    );
  });

  test("have colours for the state of the issue, which take no width", () => {
    const urgent = { ...row("a"), priority: 0, labels: ["bug", "epic"], blocked: true };
    const [plain] = flatRows([urgent], options, style);
    const [coloured = ""] = flatRows([urgent], options, { ...style, paint: paintFor("dark") });
    expect(plain).toBe("● a     • P0  [epic] [bug] a (-)");
    // oxlint-disable-next-line no-control-regex
    expect(coloured.replaceAll(/\u001b\[[0-9;]*m/g, "")).toBe(plain);
    expect(coloured).toContain("\u001b[1;91m• P0\u001b[0m");
    expect(coloured).toContain("\u001b[31m●\u001b[0m");
  });

  test("rows with thousands of siblings or in a deep chain are drawn without trouble", () => {
    const chain = Array.from({ length: 500 }, (_, at) =>
      row(`n${at}`, at === 0 ? undefined : `n${at - 1}`),
    );
    const wide = Array.from({ length: 20_000 }, (_, at) => row(`w${at}`));
    expect([...nestedRows([...chain, ...wide], options, style)]).toHaveLength(20_500);
  });
});

describe("a failure is shown", () => {
  const failure = {
    kind: "conflict",
    code: "duplicate_candidates",
    message: "looks like another\nsecond line",
    hint: "look",
    data: { candidates: [{ qualified_id: "web#abc4", title: "a\u001b[1m" }, { nonsense: true }] },
  } as const;

  test("a failure is shown differently to a person, an agent and a program", () => {
    expect(failureText(failure, "human", "create")).toBe(
      "svc: looks like another\nsecond line\n  web#abc4  a\nhint: look",
    );
    expect(failureText(failure, "agent", "create")).toBe(
      "ERR create conflict: looks like another (web#abc4)\nHint: look\nCode: duplicate_candidates\nExit-Code: 5",
    );
    expect(JSON.parse(failureText(failure, "json", "create"))).toEqual({
      error: { ...failure, exit_code: 5 },
    });
  });
});

test.each([
  ["a b c", 5, ["a b c"]],
  ["a b c", 4, ["a b", "c"]],
  ["longword a", 4, ["longword", "a"]],
  ["", 4, [""]],
])("%j is wrapped at %i columns into the lines %j", (text, columns, lines) =>
  expect(wrap(text, columns)).toEqual(lines),
);

test.each([
  ["lst", "list"],
  ["craete", "create"],
  ["lits", "list"],
  ["zzzz", undefined],
  ["l", undefined],
])("the suggestion for the unknown command %s is %s", (word, name) =>
  expect(nearest(word, ["list", "create", "show"])).toBe(name),
);

test.each([
  ["0.8.0", "0.8.0", true],
  ["0.14.0", "0.8.0", true],
  ["0.7.9", "0.8.0", false],
  ["1.0.0", "0.9.0", true],
  ["0.8", "0.8.0", true],
])("version %s is at least %s: %s", (version, least, expected) =>
  expect(isAtLeast(version, least)).toBe(expected),
);
