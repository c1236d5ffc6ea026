import { expect, test } from "vitest";
import { slicesById } from "../../src/base/slices.ts";

/** Reads rows with the ids 1 to `count`, two at a time, and records after which ids it was asked. */
function reader(count: number) {
  const asked: number[] = [];
  const read = async (after: number) => {
    asked.push(after);
    const left = Array.from({ length: count }, (_, at) => ({ id: at + 1 }));
    return left.filter(({ id }) => id > after).slice(0, 2);
  };
  return { asked, read };
}

async function slicesOf(count: number, from: number) {
  const { asked, read } = reader(count);
  const slices: number[][] = [];
  for await (const slice of slicesById(2, from, read)) slices.push(slice.map(({ id }) => id));
  return { slices, asked };
}

test.each([
  { count: 0, slices: [], asked: [0] },
  { count: 1, slices: [[1]], asked: [0] },
  { count: 2, slices: [[1, 2]], asked: [0, 2] },
  { count: 3, slices: [[1, 2], [3]], asked: [0, 2] },
])("$count rows are read in slices until a slice is not full", async ({ count, slices, asked }) => {
  expect(await slicesOf(count, 0)).toEqual({ slices, asked });
});

test("slices start after the given id", async () => {
  expect(await slicesOf(3, 2)).toEqual({ slices: [[3]], asked: [2] });
});
