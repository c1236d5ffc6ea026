import { expect, test } from "vitest";
import { launchUrl } from "../../src/domain/launch-url.ts";

const UID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

test.each([
  "http://127.0.0.1:4000",
  "http://[::1]:4000",
  "https://tracker.example.com",
  "https://tracker.example.com:8443",
])("%s is accepted as an origin, and the launch address of an issue begins with it", (origin) => {
  expect(launchUrl(origin, UID)).toBe(`${origin}/svc?issue=${UID}#direct=1`);
});

test.each([
  undefined,
  "",
  "tracker.example.com",
  "https://tracker.example.com/",
  "https://tracker.example.com/issues",
  "https://tracker.example.com?x=1",
  "https://tracker.example.com#x",
  "https://ann@tracker.example.com",
  "https://ann:secret@tracker.example.com",
  "https://tracker.example.com:443",
  "https://Tracker.example.com",
  "ftp://tracker.example.com",
  "file:///tmp",
  "javascript:alert(1)",
  "null",
])("%j is no plain origin, so no launch address is made", (origin) => {
  expect(launchUrl(origin, UID)).toBeUndefined();
});
