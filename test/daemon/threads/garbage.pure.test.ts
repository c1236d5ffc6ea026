import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { Garbage } from "../../../src/daemon/threads/garbage.ts";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/** About 24 MiB of objects that are old after two collections. */
function oldObjects(): readonly object[] {
  const objects = Array.from({ length: 500_000 }, (_, at) => ({ at: [at] }));
  gc();
  gc();
  return objects;
}

test("old objects are collected once many have gathered, and not before", () => {
  let collections = 0;
  const garbage = new Garbage(() => {
    collections += 1;
    gc();
  });
  garbage.collect();
  expect(collections).toBe(0);
  const objects = oldObjects();
  garbage.collect();
  expect(collections).toBe(1);
  // They live, so collecting them again would gain nothing.
  garbage.collect();
  expect(collections).toBe(1);
  expect(objects).toHaveLength(500_000);
});

test("a program that may not collect is left alone", () => {
  const garbage = new Garbage(undefined);
  const objects = oldObjects();
  garbage.collect();
  expect(objects).toHaveLength(500_000);
});
