import { expect, test } from "vitest";
import { Backlog } from "../../src/meaning/backlog.ts";

test("the newest issues of the backlog come first, whatever the order in which they were found", () => {
  const backlog = new Backlog();
  for (const id of [5, 9, 2, 7]) backlog.add(id);
  expect(backlog.newest(3)).toEqual([9, 7, 5]);
  backlog.delete(9);
  backlog.delete(5);
  backlog.add(3);
  backlog.add(3);
  expect(backlog.newest(10)).toEqual([7, 3, 2]);
  expect(backlog.size).toBe(3);
});

test("an issue that was removed and found again occurs once", () => {
  const backlog = new Backlog();
  for (const id of [1, 2, 3]) backlog.add(id);
  backlog.delete(3);
  backlog.delete(1);
  backlog.add(3);
  backlog.add(1);
  backlog.add(4);
  expect(backlog.newest(10)).toEqual([4, 3, 2, 1]);
  for (const id of [1, 2, 3, 4]) backlog.delete(id);
  expect(backlog.newest(10)).toEqual([]);
});
