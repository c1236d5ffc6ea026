import { expect, test } from "vitest";
import { linkTo, pageOf } from "../../../src/sync/github/page-link.ts";

test.each([
  ['<https://h/x?page=2>; rel="next", <https://h/x?page=9>; rel="last"', "https://h/x?page=2"],
  ['<https://h/x?page=1>; rel="prev", <https://h/x?page=3>; rel="next"', "https://h/x?page=3"],
  ['<https://h/x?a=1,2;b>; rel="next"', "https://h/x?a=1,2;b"],
  ["<https://h/x>; rel=next", "https://h/x"],
  ['<https://h/x>; title="rel=last"; REL="Next"', "https://h/x"],
  ['<https://h/x>; rel="first next"', "https://h/x"],
  ['<https://h/x>; rel="nextdoor"', undefined],
  ['<https://h/x>; rel="last"', undefined],
  ["<https://h/x>", undefined],
  ["", undefined],
  [undefined, undefined],
])("the next page that the Link header %j names is %s", (header, address) => {
  expect(linkTo("next", header)).toBe(address);
});

test.each([
  ["https://h/x?page=12", 12],
  ["https://h/x?a=1&page=12&b=2", 12],
  ["https://h/x?per_page=100", undefined],
  ["https://h/x?page=12345678901", undefined],
  [undefined, undefined],
])("the number of the page %s is %s", (address, page) => {
  expect(pageOf(address)).toBe(page);
});

test("a Link header of 16,000 brackets names no page", () => {
  expect(linkTo("next", "<".repeat(16_000))).toBeUndefined();
});
