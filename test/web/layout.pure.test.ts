import { describe, expect, test } from "vitest";
import { BOX, placesOf } from "../../web/graph/layout.ts";
import { lineThrough } from "../../web/graph/line.ts";
import { scaleToFit } from "../../web/graph/scale.ts";

describe("the layout of a graph", () => {
  test("puts blocked issues to the right of their blockers, and no box over another", () => {
    const links = [
      [0, 1],
      [1, 2],
      [0, 2],
      [3, 2],
    ] as const;
    const { boxes, width, height } = placesOf({ boxes: 4, links });
    for (const [from, to] of links)
      expect(boxes[to]?.[0] ?? 0).toBeGreaterThan((boxes[from]?.[0] ?? 0) + BOX.width);
    for (const [at, [x, y]] of boxes.entries())
      for (const [left, top] of boxes.slice(at + 1))
        expect(Math.abs(x - left) >= BOX.width || Math.abs(y - top) >= BOX.height).toBe(true);
    for (const [x, y] of boxes) {
      expect(x - BOX.width / 2).toBeGreaterThanOrEqual(0);
      expect(x + BOX.width / 2).toBeLessThanOrEqual(width);
      expect(y + BOX.height / 2).toBeLessThanOrEqual(height);
    }
  });

  test("leads a link from the right side of one box to the left side of the other", () => {
    const { boxes, links } = placesOf({ boxes: 2, links: [[0, 1]] });
    const [from, to] = boxes.map(([x, y]) => ({
      left: [x - BOX.width / 2, y],
      right: [x + BOX.width / 2, y],
    }));
    expect(links[0]?.[0]).toEqual(from?.right);
    expect(links[0]?.at(-1)).toEqual(to?.left);
  });

  test("is finished even for circular blockers, several links between two issues, and boxes without a link", () => {
    const circle = placesOf({
      boxes: 4,
      links: [
        [0, 1],
        [1, 2],
        [2, 0],
        [0, 1],
      ],
    });
    expect(circle.boxes).toHaveLength(4);
    expect(circle.links).toHaveLength(4);
    expect(circle.links.every((points) => points.length > 1)).toBe(true);
    expect(placesOf({ boxes: 2, links: [] }).boxes).toHaveLength(2);
  });
});

test.each([
  [[], ""],
  [[[1, 2]], ""],
  [
    [
      [0, 0],
      [10, 0],
    ],
    "M0 0L10 0",
  ],
  [
    [
      [0, 0],
      [10, 0],
      [10, 10],
      [20, 10],
    ],
    "M0 0Q10 0 10 5Q10 10 20 10",
  ],
] as const)("the path of a line through %j is %j", (points, line) => {
  expect(lineThrough(points)).toBe(line);
});

test.each([
  ["a small drawing keeps its own size", [100, 50], "whole", 1],
  ["a wide drawing is made to fit", [2000, 50], "whole", 0.2],
  ["a high drawing is made to fit", [100, 800], "whole", 0.25],
  ["a drawing never becomes smaller than 5 %", [100_000, 50], "whole", 0.05],
  [
    "a large drawing is first shown at a scale where titles can be read",
    [2000, 50],
    "readable",
    0.75,
  ],
  ["a drawing that nearly fits is first shown whole", [500, 50], "readable", 0.8],
] as const)("a drawing gets the right scale: %s", (_, [width, height], how, scale) => {
  expect(scaleToFit({ width, height }, { width: 400, height: 200 }, how)).toBe(scale);
});
