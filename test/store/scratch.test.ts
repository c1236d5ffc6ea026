import { readdirSync, readlinkSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../src/base/json.ts";
import { IN_MEMORY, type KeyedMap } from "../../src/domain/maps.ts";
import { Scratch, withScratch } from "../../src/store/scratch.ts";

/** More than the map holds in memory. */
const MANY = 1200;

describe("a map in a temporary file", () => {
  test("behaves like a map in memory for every sequence of put, delete and get", async () => {
    const step = fc.tuple(fc.constantFrom("set", "delete", "get"), fc.nat(MANY), fc.nat(9));
    const steps = fc.array(step, { minLength: MANY, maxLength: 4 * MANY, size: "max" });
    await withScratch(async (scratch) => {
      fc.assert(
        fc.property(steps, (all) => {
          const [one, other] = [scratch.map<number>(), IN_MEMORY.map<number>()];
          for (const [what, key, value] of all) {
            if (what === "set") for (const map of [one, other]) map.set(`k${key}`, value);
            else if (what === "delete") for (const map of [one, other]) map.delete(`k${key}`);
            else expect(one.get(`k${key}`)).toBe(other.get(`k${key}`));
          }
          expect(one.size).toBe(other.size);
          const sorted = (map: KeyedMap<number>): readonly number[] => [...map.values()].sort();
          expect(sorted(one)).toEqual(sorted(other));
        }),
        { numRuns: 10 },
      );
    });
  });

  test("returns its values in the order of insertion, and keeps the spelling of numbers", async () => {
    await withScratch(async (scratch) => {
      const map = scratch.map<object>();
      const of = (n: number): string => `{"n":${n},"exact":1.0,"large":12345678901234567890}`;
      for (let n = MANY; n > 0; n -= 1) map.set(`k${n}`, parseJson(of(n)) as object);
      map.set(`k${MANY}`, parseJson(of(0)) as object);
      const texts = [...map.values()].map((value) => JSON.stringify(value));
      expect(texts).toHaveLength(MANY);
      expect([texts[0], texts[1], texts.at(-1)]).toEqual([of(0), of(MANY - 1), of(1)]);
    });
  });

  test("may be changed while its values are read", async () => {
    await withScratch(async (scratch) => {
      const [map, met] = [scratch.map<number>(), scratch.map<1>()];
      for (let n = 0; n < MANY; n += 1) map.set(`k${n}`, n);
      for (const value of map.values()) {
        met.set(`k${value}`, 1);
        map.set(`k${value}`, -1);
      }
      expect(met.size).toBe(MANY);
    });
  });
});

test("groups in a temporary file contain each member once", async () => {
  await withScratch(async (scratch) => {
    const groups = scratch.groups();
    for (const member of ["b", "a", "b"]) groups.add("one", member);
    groups.add("two", "c");
    groups.remove("one", "a");
    groups.remove("two", "a");
    expect([...groups.of("one")]).toEqual(["b"]);
    expect([...groups.of("two")]).toEqual(["c"]);
    expect([...groups.of("none")]).toEqual([]);
  });
});

test.skipIf(process.platform !== "linux")(
  "the temporary file has no name, so nothing remains of it after a kill",
  async () => {
    const before = filesWithoutName();
    const scratch = await Scratch.open();
    try {
      const map = scratch.map<string>();
      for (let n = 0; n < 4 * MANY; n += 1) map.set(`k${n}`, "x".repeat(8000));
      expect(filesWithoutName()).toBeGreaterThan(before);
    } finally {
      scratch.close();
    }
    expect(filesWithoutName()).toBe(before);
  },
);

/** How many files this process has open whose names are removed. */
function filesWithoutName(): number {
  return readdirSync("/proc/self/fd").filter((number) => {
    try {
      return readlinkSync(`/proc/self/fd/${number}`).endsWith(" (deleted)");
    } catch {
      return false;
    }
  }).length;
}
