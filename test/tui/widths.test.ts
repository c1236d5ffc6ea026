import { createRequire } from "node:module";
import fc from "fast-check";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { graphemes } from "../../src/base/graphemes.ts";
import { ASCII, UNICODE } from "../../src/screen/glyphs.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { clean, head } from "../../tui/text.ts";
import { emulator } from "../support/emulator.ts";
import { issue, NOW, type Session, screen } from "./support.ts";

/** Ink measures text with its own package, and cuts a line that this package measures as too wide. */
const ofInk = createRequire(createRequire(import.meta.url).resolve("ink")).resolve("string-width");
const { default: widthForInk } = (await import(ofInk)) as { readonly default: typeof stringWidth };

/** The parts of texts by people, agents and other programs. */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 4, arbitrary: fc.string({ unit: "grapheme", maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "日本語",
      "ｶﾞ",
      "👩‍💻",
      "👨‍👩‍👧‍👦",
      "🏳️‍🌈",
      "🇫🇷",
      "🇫",
      "👍🏽",
      "👍𑤰",
      "🏽",
      "❤️",
      "⌚︎",
      "1️⃣",
      "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
      "e\u0301\u0302",
      "\u0301",
      "क्षि",
      "का",
      "น้ำ",
      "한글",
      "\u1112\u1161\u11AB",
      "\u1100\u1100",
      "שלום",
      "مرحبا",
      "\u0600١",
      "می\u200Cروم",
      "\u202Egnp\u202C",
      "\u200B\uFEFF\u00AD",
      "\u001B[31m",
      "\u001B]0;title\u0007",
      "\u001B[2J\u001B[H",
      "\u009B5A",
      "\u001B[?1049l",
      "\r\n\t\u0000\u007F",
      "\uD83D",
    ),
  },
);
const unicode = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
const size = fc.record({
  columns: fc.integer({ min: 40, max: 250 }),
  rows: fc.integer({ min: 10, max: 70 }),
});

const SCREENS = [
  [],
  ["enter"],
  ["v", "v"],
  ["2"],
  ["3"],
  ["5"],
  ["6"],
  ["n"],
  ["/"],
  ["?"],
] as const;

const told = fc.record({
  title: unicode,
  body: unicode,
  owner: unicode,
  label: unicode,
  typed: unicode,
  size,
  keys: fc.constantFrom(...SCREENS),
  glyphs: fc.constantFrom(ASCII, UNICODE),
});

const COLOURS = new RegExp(String.raw`\u001B\[[\d;]*m`, "g");

function withRequest(session: Session, title: string, owner: string): Session {
  const { uid } = issue(1);
  session.tell({
    type: "inbox",
    address: "ana",
    all: false,
    inbox: {
      requests: [
        {
          to: owner,
          ref: "product#k001",
          issue_uid: uid,
          project_id: 1,
          title,
          from: owner,
          message: title,
          requested_at: NOW,
        },
      ],
    },
  });
  return session;
}

test("every line is as wide as the terminal, whatever the daemon's texts contain", async () => {
  await fc.assert(
    fc.asyncProperty(told, async ({ title, body, owner, label, typed, size, keys, glyphs }) => {
      const { columns, rows } = size;
      const session = screen(columns, rows, [
        issue(1, {
          title,
          body,
          owner,
          labels: [label, owner],
          child_counts: { open: 1, total: 1 },
        }),
        issue(2, { title: body, parent: issue(1).uid, owner: title, labels: [title] }),
      ]);
      withRequest(session, title, owner).keys(...keys);
      session.tell({ type: "paste", text: typed });
      const shown = emulator(columns + 20, rows + 2);
      const lines = frame(session.state, painter("dark", { glyphs }));
      expect(lines).toHaveLength(rows);
      for (const [y, line] of lines.entries()) {
        const text = line.replaceAll(COLOURS, "");
        expect(text, "only colours reach the terminal").toBe(clean(text));
        expect(stringWidth(text), JSON.stringify(text)).toBe(columns);
        await new Promise<void>((done) => shown.write(`\u001B[${y + 1};1H${line}`, done));
        const { cursorX, cursorY, baseY } = shown.buffer.active;
        expect([cursorX, cursorY, baseY], JSON.stringify(text)).toEqual([columns, y, 0]);
      }
      shown.dispose();
    }),
    { numRuns: 60 },
  );
}, 60_000);

test("a text that was cleaned for drawing is not changed by cleaning it again", () => {
  fc.assert(
    fc.property(unicode, (text) => {
      expect(clean(clean(text))).toBe(clean(text));
    }),
  );
});

test("a cut text ends between whole characters", () => {
  fc.assert(
    fc.property(unicode, fc.integer({ min: 0, max: 30 }), (text, width) => {
      const whole = clean(text);
      const kept = head(whole, width);
      const parts = graphemes(whole);
      expect(kept).toBe(parts.slice(0, graphemes(kept).length).join(""));
      expect(stringWidth(kept)).toBeLessThanOrEqual(Math.max(0, width));
    }),
  );
});

test.each([
  ["👩‍💻", "👩💻", 4],
  ["👍🏽", "👍", 2],
  ["❤️", "❤", 1],
  ["🇫🇷", "FR", 2],
  ["1️⃣", "1", 1],
  ["\u1112\u1161\u11AB", "한", 2],
  ["می\u200Cروم", "می\u200Cروم", 5],
  ["น้ำ", "น้\u0E4D\u0E32", 2],
  ["e\u0301", "é", 1],
  ["e\u200D\u0301", "é", 1],
])("%s is drawn as %s, %i cells wide on any terminal", (text, drawn, width) => {
  expect(clean(text)).toBe(drawn);
  expect(stringWidth(drawn)).toBe(width);
  expect(widthForInk(drawn)).toBe(width);
  expect([...drawn].reduce((sum, one) => sum + stringWidth(one), 0)).toBe(width);
});
