import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bitBytesOf,
  bytesOf,
  cosine,
  normalised,
  putBits,
  readBits,
  readVector,
  wordsOf,
} from "../../../src/domain/meaning/vectors.ts";

describe("scaling a vector of a provider to length 1", () => {
  test.each([
    ["small numbers", [3, 4], [0.6, 0.8]],
    ["numbers whose squares are infinite", [3e300, -4e300], [0.6, -0.8]],
    ["numbers whose squares are zero", [3e-300, 4e-300], [0.6, 0.8]],
    ["the smallest number there is", [5e-324, 0], [1, 0]],
    ["minus zero", [-0, -2], [0, -1]],
  ])("works for %s", (_what, values, expected) => {
    const vector = normalised(values, 2);
    expect(vector).toBeInstanceOf(Float32Array);
    expect([...(vector as Float32Array)]).toEqual(
      expected.map((value) => expect.closeTo(value, 6)),
    );
  });

  test.each([
    [[1], "width"],
    [[1, 2, 3], "width"],
    [[], "width"],
    [[1, null], "component"],
    [[1, "2"], "component"],
    [[true, 1], "component"],
    [[1, Number.NaN], "component"],
    [[1, Number.POSITIVE_INFINITY], "component"],
    [[[1], 1], "component"],
    [[undefined, 1], "component"],
    [[0, 0], "zero"],
    [[0, -0], "zero"],
  ])("refuses %j because of its %s", (values, fault) => {
    expect(normalised(values, 2)).toBe(fault);
  });
});

describe("the stored form of a vector", () => {
  const vector = Float32Array.of(0.6, -0.8);

  test("is four bytes for each component, little endian", () => {
    expect(bytesOf(Float32Array.of(1, -2))).toEqual(Uint8Array.of(0, 0, 128, 63, 0, 0, 0, 192));
  });

  test("is read back as it was, also from the middle of a buffer", () => {
    const read = new Float32Array(2);
    expect(readVector(bytesOf(vector), read)).toBe(true);
    expect(read).toEqual(vector);
    const shifted = Uint8Array.of(7, ...bytesOf(vector), 7).subarray(1, 9);
    const again = new Float32Array(2);
    expect(readVector(shifted, again)).toBe(true);
    expect(again).toEqual(vector);
  });

  test.each([
    ["is too short", bytesOf(vector).subarray(0, 7)],
    ["has another width", bytesOf(Float32Array.of(1))],
    ["holds what is not a number", bytesOf(Float32Array.of(Number.NaN, 1))],
    ["holds infinity", bytesOf(Float32Array.of(Number.POSITIVE_INFINITY, 0))],
    ["is longer than 1", bytesOf(Float32Array.of(1.002, 0))],
    ["is shorter than 1", bytesOf(Float32Array.of(0.998, 0))],
    ["is all zeros", new Uint8Array(8)],
  ])("is damaged if it %s", (_why, bytes) => {
    expect(readVector(bytes, new Float32Array(2))).toBe(false);
  });
});

describe("the cosine of two vectors", () => {
  test.each([1, 2, 3, 4, 5, 7, 8, 768])("sums all %i components", (dims) => {
    const ones = normalised(new Array(dims).fill(1), dims) as Float32Array;
    expect(cosine(ones, ones)).toBeCloseTo(1, 6);
    expect(
      cosine(
        ones,
        ones.map((value) => -value),
      ),
    ).toBeCloseTo(-1, 6);
  });

  test("is never over 1, though the sum of rounded numbers may be", () => {
    const long = Float32Array.of(1.0000001);
    expect(cosine(long, long)).toBe(1);
    expect(
      cosine(
        long,
        long.map((value) => -value),
      ),
    ).toBe(-1);
  });
});

describe("the sign bits of a vector", () => {
  test.each([
    [1, 1],
    [32, 1],
    [33, 2],
    [768, 24],
  ])("of %i components take %i words", (dims, words) => {
    expect(wordsOf(dims)).toBe(words);
  });

  test("are 1 where the component is over 0", () => {
    const bits = new Uint32Array(3);
    putBits(
      Float32Array.from({ length: 33 }, (_, at) => (at % 31 === 0 ? 1 : -1)),
      bits,
      1,
    );
    putBits(Float32Array.of(0, -0, 1), bits, 0);
    expect([...bits]).toEqual([0b100, 0x8000_0001, 0]);
  });

  test("are stored for several vectors and read back", () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 70 })
          .chain((dims) =>
            fc
              .array(fc.float32Array({ minLength: dims, maxLength: dims }), { maxLength: 4 })
              .map((vectors) => ({ dims, vectors })),
          ),
        ({ dims, vectors }) => {
          const words = wordsOf(dims);
          const expected = new Uint32Array(vectors.length * words + 1);
          for (const [number, vector] of vectors.entries())
            putBits(vector, expected, 1 + number * words);
          const read = new Uint32Array(expected.length);
          readBits(bitBytesOf(vectors, dims), read, 1);
          expect(read).toEqual(expected);
        },
      ),
    );
  });
});
