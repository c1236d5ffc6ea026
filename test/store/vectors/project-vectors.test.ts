import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { bitBytesOf } from "../../../src/domain/meaning/vectors.ts";
import { ProjectVectors } from "../../../src/store/vectors/project-vectors.ts";
import { vector } from "./given.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const DIMS = 4096;
const MIB = 1024 * 1024;
const ONE = vector(1, DIMS);

/** How many bytes all typed arrays of the process take. */
function bytesInArrays(): number {
  // The bytes of a collection are freed on another thread, for which the next collection waits.
  collect();
  collect();
  return process.memoryUsage().arrayBuffers;
}

/** A project of issues with one chunk each, numbered from 0. */
function projectOf(count: number) {
  const bits = bitBytesOf([ONE], DIMS);
  const project = new ProjectVectors(DIMS);
  const add = (from: number, before: number): void =>
    project.add(
      Array.from({ length: before - from }, (_, at) => {
        const [issue_uid, first_chunk] = [`uid ${from + at}`, from + at];
        return { issue_uid, first_chunk, chunk_count: 1, bits };
      }),
    );
  add(0, count);
  /** Keeps the vectors of all chunks, as a search that compares all of them does. */
  const keepAll = (): void => {
    project.keepVectors();
    for (let place = 0; place < project.count; place++) project.keepVector(place, ONE);
  };
  return { project, add, keepAll };
}

test("a project that grows takes no memory for vectors until they are read", () => {
  const { project, add, keepAll } = projectOf(128);
  keepAll();
  expect(project.keptBytes).toBe(2 * MIB);
  const before = bytesInArrays();
  // 4096 vectors take 64 MiB, and their sign bits take 2 MiB.
  for (let from = 128; from < 4224; from += 512) add(from, from + 512);
  expect((bytesInArrays() - before) / MIB).toBeLessThan(4);
  expect([project.keptBytes, project.wholeBytes]).toEqual([2 * MIB, 66 * MIB]);
});

test("a project that shrank takes memory for the vectors that are left only", () => {
  const { project, keepAll } = projectOf(4096);
  project.remove(Array.from({ length: 4000 }, (_, at) => `uid ${at}`));
  const before = bytesInArrays();
  keepAll();
  expect((bytesInArrays() - before) / MIB).toBeLessThan(3);
  expect([project.keptBytes, project.wholeBytes]).toEqual([2 * MIB, 2 * MIB]);
});

test("vectors that are removed or dropped are freed, and the others stay", () => {
  const { project, keepAll } = projectOf(4096);
  const before = bytesInArrays();
  keepAll();
  expect(project.keptBytes).toBe(64 * MIB);
  project.remove(Array.from({ length: 4000 }, (_, at) => `uid ${at}`));
  expect((bytesInArrays() - before) / MIB).toBeLessThan(3);
  expect(project.keptBytes).toBe(2 * MIB);
  const places = project.candidates(ONE, project.count);
  const cosines = project.cosinesAt(places, ONE);
  expect(cosines).toHaveLength(96);
  for (const cosine of cosines) expect(cosine).toBeCloseTo(1, 5);
  project.dropVectors();
  expect(project.keptBytes).toBe(0);
  expect(project.cosinesAt(places, ONE).every((cosine) => Number.isNaN(cosine))).toBe(true);
});
