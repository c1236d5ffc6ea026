import { expect, test } from "vitest";
import { columnsIn, isBeside, laneWidth, rowHeight, shapeOf } from "../../web/room.ts";

test.each([
  [360, "column"],
  [699, "column"],
  [700, "panel"],
  [1099, "panel"],
  [1100, "side"],
  [2560, "side"],
])("a window of %i pixels has the layout %s", (width, shape) => {
  expect(shapeOf(width)).toBe(shape);
});

test.each([
  [699, 48],
  [700, 36],
])("in a window of %i pixels each row is %i pixels high", (width, height) => {
  expect(rowHeight(width)).toBe(height);
});

test.each([
  [1099, "auto", false, false],
  [1100, "auto", false, true],
  [1100, "stacked", false, false],
  [699, "split", false, false],
  [700, "split", false, true],
  [1699, "auto", true, false],
  [1700, "auto", true, true],
] as const)(
  "a window of %i pixels with the layout %s and with lanes (%s) shows the issue beside the list: %s",
  (...given) => {
    const [width, layout, lanes, shown] = given;
    expect(isBeside(width, layout, lanes)).toBe(shown);
  },
);

test.each([
  [0, 4, 0],
  [1023, 4, 331],
  [1024, 4, 256],
  [1064, 4, 266],
  [2344, 4, 360],
  [1064, 300, 259],
  [360, 4, 332],
  [360, 1, 360],
])("in a window of %i pixels each of %i lanes is %i pixels wide", (width, lanes, each) => {
  expect(laneWidth(width, lanes)).toBe(each);
});

const ALL = ["priority", "age", "owner", "labels", "due", "author", "created"] as const;

test("columns disappear in the order id, made, author, age, labels, due, owner, as the row gets narrower", () => {
  const seen = new Set<string>();
  const last: string[] = [];
  for (let width = 2400; width >= 300; width -= 1) {
    const { columns, id } = columnsIn(width, ALL);
    const now = [...columns, ...(id ? ["id"] : [])];
    for (const name of last.filter((one) => !now.includes(one as never))) seen.add(name);
    last.splice(0, last.length, ...now);
  }
  expect([...seen]).toEqual(["id", "created", "author", "age", "labels", "due", "owner"]);
  expect(columnsIn(300, ALL)).toMatchObject({ columns: ["priority"], id: false });
});

test("hidden columns take no room", () => {
  expect(columnsIn(2000, ["age"])).toEqual({ columns: ["age"], id: true, initials: false });
});
