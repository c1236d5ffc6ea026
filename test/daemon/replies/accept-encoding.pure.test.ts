import { expect, test } from "vitest";
import { bestCoding } from "../../../src/daemon/replies/accept-encoding.ts";

test.each([
  ["br, gzip", "br"],
  ["gzip, br", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["GZIP", "gzip"],
  ["gzip;q=1, br;q=0.9", "gzip"],
  ["gzip; q=0.5, br; q=0.6", "br"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0, gzip;q=0", undefined],
  ["br;q=0.000", undefined],
  ["br;q=0, *", "gzip"],
  ["*", "br"],
  ["*;q=0", undefined],
  ["gzip, *;q=0", "gzip"],
  ["identity", undefined],
  ["identity;q=0, gzip;q=0.1", "gzip"],
  ["deflate", undefined],
  ["br;q=no", undefined],
  ["", undefined],
])("with brotli and gzip available, a client that sends %j gets %s", (header, coding) => {
  expect(bestCoding(header, ["br", "gzip"])).toBe(coding);
});

test("an unavailable encoding is not chosen", () => {
  expect(bestCoding("br, gzip;q=0.1", ["gzip"])).toBe("gzip");
  expect(bestCoding("br, gzip", [])).toBeUndefined();
});
