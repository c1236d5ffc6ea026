import { expect, test } from "vitest";
import { hasSameWords } from "../../src/domain/words.ts";

test.each([
  ["Slow pages", "slow, PAGES!", true],
  ["Das Café", "das cafe", true],
  ["Slow pages", "pages slow", false],
  ["Slow pages", "slow", false],
  ["Slow pages", "slow pages today", false],
  ["…", "!", false],
])("whether the title %j has just the words of %j: %s", (title, query, same) => {
  expect(hasSameWords(title, query)).toBe(same);
  expect(hasSameWords(query, title)).toBe(same);
});
