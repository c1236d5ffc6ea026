import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { frame } from "../../tui/screens/frame.ts";
import { messageLine } from "../../tui/screens/message.ts";
import { painter } from "../../tui/style.ts";
import { cells } from "../../tui/text.ts";
import { type Session, screen } from "./support.ts";

const line = ({ state }: Session): string =>
  stripVTControlCharacters(messageLine(state, painter("none"), state.columns));

const told = (columns: number, text: string): Session => {
  const session = screen(columns, 24);
  session.tell({ type: "failed", text });
  return session;
};

const REFUSED = "this issue has open children: product#5btp: close them first, or give --force";

describe("what was said", () => {
  test.each([
    [100, `${` ! ${REFUSED}`.padEnd(96)}1/6`],
    // The place gives way first, then the beginning; what mends it stays as long as it can.
    [80, ` ! ${REFUSED}`],
    [79, " ! this issue has open childr~: close them first, or give --force   M shows all"],
    [60, " ! this is~: close them first, or give --force   M shows all"],
    [40, " ! this issue has open ch~   M shows all"],
  ])("at %i columns keeps what mends it", (columns, expected) => {
    const drawn = line(told(columns, REFUSED));
    expect(cells(drawn)).toBe(columns);
    expect(drawn.trimEnd()).toBe(expected);
  });

  test.each([
    ["status:opne", " ! status:opne: status is one of open, ready, blocked, waiting, closed, all"],
    ["owner:bo p<=7", " ! p<=7: a priority is 0 to 4, as in p<=1"],
    ["owner:bo p<=4", ""],
  ])(
    "of the filter %j names the part and the reason, while the board is shown",
    (query, expected) => {
      const session = screen(80, 24);
      session.state = { ...session.state, board: { ...session.state.board, query } };
      expect(line(session).replace(/ +~?\d*\/?\d* *$/, "")).toBe(expected);
      expect(line(session.keys("4"))).not.toContain("!");
    },
  );

  test("is cut with a mark at any width, and M shows the rest", () => {
    for (let columns = 40; columns < 100; columns += 1) {
      const drawn = line(told(columns, REFUSED));
      expect([columns, cells(drawn)]).toEqual([columns, columns]);
      const isWhole = drawn.includes(REFUSED);
      expect([columns, drawn.includes("~"), drawn.includes("M shows all")]).toEqual([
        columns,
        !isWhole,
        !isWhole,
      ]);
    }
  });

  test("stays until Escape where something went wrong, and is read whole under M", () => {
    const session = told(40, REFUSED).keys("M");
    const drawn = frame(session.state, painter("none")).map(stripVTControlCharacters);
    const said = drawn
      .slice(drawn.findIndex((one) => one.startsWith("-- messages")) + 1, -1)
      .map((one) => one.slice(1).trim())
      .join(" ");
    expect(said).toBe(`0s  ${REFUSED}`);
    session.keys("esc").tell({ type: "tick" });
    expect(line(session)).toContain("this issue");
    expect(line(session.keys("esc")).trim()).toBe("1/6");
  });

  test("names the place and how many are marked", () => {
    expect(line(screen(80, 24).keys("space")).trim()).toBe("2/6  1 marked");
  });

  test("tells why a row is shown that does not match, when the cursor is put there", () => {
    const session = screen(80, 24).keys("/").type("replay").keys("enter");
    expect(line(session).trim()).toBe("1/1");
    expect(line(session.keys("k")).trim()).toMatch(/^~ does not match the filter: .* ~\/1$/);
  });
});

describe("q", () => {
  const asked = (confirmQuit: boolean): Session => {
    const session = screen(80, 24);
    session.state = { ...session.state, confirmQuit };
    return session;
  };
  const quits = ({ effects }: Session): boolean => effects.some(({ effect }) => effect === "quit");

  test("leaves at once where nothing would be lost", () => {
    expect(quits(asked(false).keys("q"))).toBe(true);
  });

  test("asks while a change is on its way, and where a person wants to be asked always", () => {
    for (const session of [asked(false).keys("x"), asked(true)]) {
      expect(quits(session.keys("q"))).toBe(false);
      expect(session.state.sheet?.sheet).toBe("quit");
    }
  });

  test.each([
    ["y", true, undefined],
    ["n", false, undefined],
    ["esc", false, undefined],
    ["j", false, "quit"],
    ["q", false, "quit"],
    ["enter", false, "quit"],
  ])("takes %s for an answer or waits for one", (key, leaves, sheet) => {
    const session = asked(true).keys("q", key);
    expect(quits(session)).toBe(leaves);
    if (!leaves) expect(session.state.sheet?.sheet).toBe(sheet);
  });
});
