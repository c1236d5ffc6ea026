import { expect, test } from "vitest";
import { checkedAddress } from "../../../src/cli/pages/page-address.ts";
import { UnavailableError } from "../../../src/shared/answer-errors.ts";

test.each([
  "http://127.0.0.1:7777/svc",
  "https://tracker.example.com/svc",
  "http://127.0.0.1:7777/svc?issue=01J#direct=1",
])("%s is accepted as the address of a page of svc", (text) => {
  expect(checkedAddress(text)).toBe(text);
});

test.each([
  "file:///svc",
  "javascript:alert(1)",
  "svc://host/svc",
  "http://ann:secret@tracker.example.com/svc",
  "https://tracker.example.com/",
  "https://tracker.example.com/svc/assets/x.js",
  "https://tracker.example.com/other",
  "--help",
  "undefined/svc",
  "",
])("the address %j is not opened", (text) => {
  expect(() => checkedAddress(text)).toThrow(UnavailableError);
});
