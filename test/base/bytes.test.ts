import { expect, test } from "vitest";
import { base64ToBytes, bytesToBase64, sameBytes } from "../../src/base/bytes.ts";

test("bytes that become base64 are read back as the same bytes, even as a part of a buffer", () => {
  const all = Uint8Array.from({ length: 300 }, (_, at) => at % 256);
  for (const bytes of [all, all.subarray(7, 20), new Uint8Array()]) {
    const read = base64ToBytes(bytesToBase64(bytes));
    expect(read !== undefined && sameBytes(read, bytes)).toBe(true);
  }
});

test.each(["A", "AA", "AA=", "AB==", "A-_=", "AA==\n", "é"])(
  "text that is not standard base64 with padding is refused: %j",
  (text) => expect(base64ToBytes(text)).toBeUndefined(),
);
