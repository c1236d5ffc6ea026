import { expect, test } from "vitest";
import type { RemoteIssue } from "../../src/domain/issue-sync/remote-issue.ts";
import { ChunkSizes } from "../../src/sync/chunks.ts";
import { comment, newIssue } from "../ops/issue-sync/host.ts";

function issues(count: number, comments = 0): readonly RemoteIssue[] {
  return Array.from({ length: count }, (_none, at) => ({
    ...newIssue(at + 1),
    comments: Array.from({ length: comments }, (_no, id) => comment(id)),
  }));
}

/** Takes parts of as many issues as a part may have, each written in `ms`. */
function afterParts(sizes: ChunkSizes, count: number, ms: number): number {
  for (let part = 0; part < count; part += 1) {
    Array.from(sizes.parts(issues(sizes.size)));
    sizes.took(ms);
  }
  return sizes.size;
}

test("parts grow while they are written fast, to at most 5,000 issues and comments", () => {
  const sizes = new ChunkSizes();
  expect(sizes.size).toBe(50);
  expect(afterParts(sizes, 1, 100)).toBe(100);
  expect(afterParts(sizes, 20, 1)).toBe(5000);
});

test("after a part that takes longer than 200 ms, the next one is smaller, but has at least 5", () => {
  const sizes = new ChunkSizes();
  expect(afterParts(sizes, 1, 500)).toBe(20);
  expect(afterParts(sizes, 1, 60_000)).toBe(5);
});

test("a small part that is written fast does not make the next part larger", () => {
  const sizes = new ChunkSizes();
  Array.from(sizes.parts(issues(10)));
  sizes.took(1);
  expect(sizes.size).toBe(50);
});

test("an issue and its comments are counted together and stay in one part if they fit", () => {
  const parts = [...new ChunkSizes().parts(issues(7, 19))];
  expect(parts.map((part) => part.map(({ number }) => number))).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
    [7],
  ]);
});

test("an issue with too many comments for one part is in several parts, each with the next comments", () => {
  const parts = [...new ChunkSizes().parts([...issues(1, 120), newIssue(2)])];
  expect(
    parts.map((part) => part.map(({ number, comments }) => [number, comments.length])),
  ).toEqual([[[1, 50]], [[1, 50]], [[1, 20]], [[2, 0]]]);
  const keys = parts.flatMap((part) =>
    part.flatMap(({ comments }) => comments.map(({ key }) => key)),
  );
  expect(new Set(keys).size).toBe(120);
});
