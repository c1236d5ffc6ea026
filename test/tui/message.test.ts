import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cursorIndex } from "../../src/screen/board/board.ts";
import { UNICODE } from "../../src/screen/glyphs.ts";
import { frame } from "../../tui/screens/frame.ts";
import { messageLines } from "../../tui/screens/message.ts";
import { CURSOR_END, CURSOR_START, painter } from "../../tui/style.ts";
import { cells } from "../../tui/text.ts";
import { issue, type Session, screen } from "./support.ts";

const rows = ({ state }: Session): readonly string[] =>
  messageLines(state, painter("none"), state.window.columns).map(stripVTControlCharacters);

/** Returns the only row of the message. */
const line = (session: Session): string => {
  const [only = "", ...more] = rows(session);
  expect(more).toEqual([]);
  return only;
};

const told = (columns: number, text: string): Session => {
  const session = screen(columns, 24);
  session.tell({ type: "failed", text });
  return session;
};

const REFUSED = "this issue has open children: product#5btp: close them first, or give --force";

describe("messages at the bottom of the screen", () => {
  test.each([
    [100, [`${` ! ${REFUSED}`.padEnd(96)}1/6`]],
    // The place is left out first, then the rest of the screen gives up lines.
    [80, [` ! ${REFUSED}`]],
    [
      79,
      [
        " ! this issue has open children: product#5btp: close them first, or give",
        `${"   --force".padEnd(75)}1/6`,
      ],
    ],
    [
      40,
      [
        " ! this issue has open children:",
        "   product#5btp: close them first, or",
        `${"   give --force".padEnd(36)}1/6`,
      ],
    ],
  ])("at %i columns an error is readable whole", (columns, expected) => {
    const drawn = rows(told(columns, REFUSED));
    for (const row of drawn) expect(cells(row)).toBe(columns);
    expect(drawn.map((row) => row.trimEnd())).toEqual(expected);
  });

  test.each([
    // This many words fill six rows of 80 columns, a quarter of the screen; one more does not fit.
    [66, false],
    [67, true],
  ])("a message of %i words of six letters is cut: %s", (count, isCut) => {
    const drawn = rows(told(80, Array.from({ length: count }, () => "refuse").join(" ")));
    expect(drawn).toHaveLength(6);
    expect(drawn.at(-1)?.includes("~   M shows all")).toBe(isCut);
  });

  test("keep the remedy if there is not enough room", () => {
    const why = Array.from({ length: 40 }, (_none, at) => `product#k${at}`).join(", ");
    const drawn = rows(told(40, `it has open children: ${why}: give --force`));
    expect(drawn.at(-1)?.trimEnd()).toMatch(/~: give --force {3}M shows all$/);
    expect(drawn).toHaveLength(6);
  });

  test("take one row while a question is open, and all their rows again afterwards", () => {
    const session = told(40, REFUSED);
    expect(rows(session.keys("n"))).toHaveLength(1);
    expect(rows(session.keys("esc"))).toHaveLength(3);
  });

  test("take only one row if they are not errors", () => {
    const session = screen(40, 24);
    session.tell({ type: "said", text: REFUSED });
    expect(line(session).trimEnd()).toBe(" this issue has open chil~   M shows all");
  });

  test.each([
    ["status:opne", " ! status:opne: status is one of open, ready, blocked, waiting, closed, all"],
    ["owner:bo p<=7", " ! p<=7: a priority is 0 to 4, as in p<=1"],
    ["owner:bo p<=4", ""],
  ])(
    "messages about the filter %j name the part and the reason, while the board is shown",
    (query, expected) => {
      const session = screen(80, 24);
      session.state = { ...session.state, board: { ...session.state.board, query } };
      expect(line(session).replace(/ +~?\d*\/?\d* *$/, "")).toBe(expected);
      expect(line(session.keys("4"))).not.toContain("!");
    },
  );

  test("stay until Escape if they are errors, and are shown whole under M", () => {
    const session = told(40, REFUSED).keys("M");
    const drawn = frame(session.state, painter("none")).map(stripVTControlCharacters);
    const said = drawn
      .slice(drawn.findIndex((one) => one.startsWith("-- messages")) + 1, -1)
      .map((one) => one.slice(1).trim())
      .join(" ");
    expect(said).toBe(`0s  ${REFUSED}`);
    session.keys("esc").tell({ type: "tick" });
    expect(rows(session)[0]).toContain("this issue");
    expect(line(session.keys("esc")).trim()).toBe("1/6");
  });

  test("name the position and how many issues are marked", () => {
    expect(line(screen(80, 24).keys("space")).trim()).toBe("2/6  1 marked");
  });

  test("explain a row that does not match the filter, when the cursor is on it", () => {
    const session = screen(80, 24).keys("/").type("replay").keys("enter");
    expect(line(session).trim()).toBe("1/1");
    expect(line(session.keys("k")).trim()).toMatch(/^~ does not match the filter: .* ~\/1$/);
    const signs = painter("none", { glyphs: UNICODE });
    const drawn = stripVTControlCharacters(messageLines(session.state, signs, 80).join("")).trim();
    expect(drawn).toMatch(/^· does not match the filter: .* ·\/1$/);
  });
});

describe("an error of several rows", () => {
  const LONG = Array.from({ length: 30 }, (_none, at) => `word${at}`).join(" ");
  const many = Array.from({ length: 60 }, (_none, at) =>
    issue(at + 1, { owner: `o${at % 5}`, labels: at % 3 === 0 ? ["one"] : [] }),
  );
  const views = [[], ["L"], ["v", "v"], ["v", "v", "v"], ["5"], ["shift+tab"]];
  const at = fc.record({
    columns: fc.integer({ min: 40, max: 200 }),
    rows: fc.integer({ min: 10, max: 60 }),
    keys: fc.constantFrom(...views),
    moves: fc.array(fc.constantFrom("j", "j", "pgdn", "G", "k", "pgup"), { maxLength: 8 }),
  });
  /** Returns the drawn row that keys act on; of a card, its first line. */
  const inFocus = (session: Session): string | undefined => {
    const lines = frame(session.state, painter("dark"));
    const line = lines.find((one) => one.includes(CURSOR_END)) ?? "";
    return line.split(CURSOR_END)[0]?.split(CURSOR_START)[1];
  };

  test("takes its rows from the list above it, and the row under the cursor stays visible", () => {
    fc.assert(
      fc.property(at, ({ columns, rows: height, keys, moves }) => {
        const session = screen(columns, height, many).keys(...keys, ...moves);
        const before = inFocus(session);
        session.tell({ type: "failed", text: LONG });
        const lines = frame(session.state, painter("none")).map(stripVTControlCharacters);
        expect(lines.map(cells)).toEqual(Array.from({ length: height }, () => columns));
        expect(inFocus(session)).toBe(before);
        const said = rows(session).join(" ");
        const isWhole = !said.includes("M shows all");
        expect(isWhole || rows(session).length === Math.floor(height / 4)).toBe(true);
        if (isWhole) expect(said.replaceAll(/ +/g, " ")).toContain(LONG);
        expect(inFocus(session.keys("esc"))).toBe(before);
      }),
    );
  });

  test("does not shift the rows that a click selects, and cannot be clicked itself", () => {
    const session = screen(80, 24, many).keys("L");
    session.tell({ type: "failed", text: LONG });
    const lines = frame(session.state, painter("none")).map(stripVTControlCharacters);
    const taken = rows(session).length;
    expect(taken).toBe(3);
    session.tell({ type: "mouse", act: "click", x: 5, y: 22 - taken });
    expect(lines[22 - taken]).toContain(` ${session.cursor}`);
    const { cursor } = session;
    for (let y = 23 - taken; y < 24; y += 1) {
      session.tell({ type: "mouse", act: "click", x: 5, y });
      expect([y, session.cursor]).toEqual([y, cursor]);
    }
  });

  test("shortens a page of the list to the rows that stay visible", () => {
    const session = screen(80, 24, many).keys("L");
    const page = (): number => {
      const cursor = () => cursorIndex(session.keys("g").state);
      const start = cursor();
      return cursorIndex(session.keys("pgdn").state) - start;
    };
    expect(page()).toBe(18);
    session.tell({ type: "failed", text: LONG });
    expect(page()).toBe(16);
  });

  test("keeps the selected mention in an open issue visible", () => {
    const body = Array.from(
      { length: 40 },
      (_none, number) => `see #k${String(number + 10).padStart(3, "0")}`,
    );
    const session = screen(80, 24, [issue(1, { body: body.join("\n\n") }), ...many.slice(9, 30)]);
    session.keys("G", "enter", "j", "j", "j", "j", "j", "j", "j");
    expect(session.state.detail.scroll).toBe(0);
    const chosen = inFocus(session);
    expect(chosen).toMatch(/^#k/);
    session.tell({ type: "failed", text: LONG });
    expect(inFocus(session)).toBe(chosen);
  });
});

describe("the key q", () => {
  const asked = (confirmQuit: boolean): Session => {
    const session = screen(80, 24);
    session.state = {
      ...session.state,
      preferences: { ...session.state.preferences, confirmQuit },
    };
    return session;
  };
  const quits = ({ effects }: Session): boolean => effects.some(({ effect }) => effect === "quit");

  test("leaves at once if nothing would be lost", () => {
    expect(quits(asked(false).keys("q"))).toBe(true);
  });

  test("asks while a change is unanswered, and always if the person has configured that", () => {
    for (const session of [asked(false).keys("x"), asked(true)]) {
      expect(quits(session.keys("q"))).toBe(false);
      expect(session.state.dialog?.dialog).toBe("quit");
    }
  });

  test.each([
    ["y", true, undefined],
    ["n", false, undefined],
    ["esc", false, undefined],
    ["j", false, "quit"],
    ["q", false, "quit"],
    ["enter", false, "quit"],
  ])("leaves the screen if its question is answered with %s: %s", (key, leaves, dialog) => {
    const session = asked(true).keys("q", key);
    expect(quits(session)).toBe(leaves);
    if (!leaves) expect(session.state.dialog?.dialog).toBe(dialog);
  });
});
