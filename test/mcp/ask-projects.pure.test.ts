import { describe, expect, test } from "vitest";
import { askProjects, MAX_PROJECTS } from "../../src/mcp/ask-projects.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

describe("asking many projects", () => {
  test.each([
    ["all", 20, Number.POSITIVE_INFINITY, 20],
    ["at most 500", 501, Number.POSITIVE_INFINITY, MAX_PROJECTS],
    ["no more than the batch that gives enough answers", 100, 10, 16],
    ["none if there are none", 0, 1, 0],
  ])("asks this many of the projects: %s", async (_what, count, enough, expected) => {
    const asked: number[] = [];
    const ask = async (at: number) => {
      asked.push(at);
      return at;
    };
    const answers = await askProjects(numbers(count), ask, ({ length }) => length >= enough);
    expect(asked).toEqual(numbers(expected));
    expect(answers).toEqual(numbers(expected));
  });

  test("asks eight projects at the same time", async () => {
    let running = 0;
    let most = 0;
    const ask = async () => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    };
    await askProjects(numbers(30), ask, () => false);
    expect(most).toBe(8);
  });
});
