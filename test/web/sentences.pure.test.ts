import { expect, test } from "vitest";
import { Sentences } from "../../web/sentences.ts";
import { FakeClock } from "../support/clock.ts";

function listening() {
  const clock = new FakeClock();
  const said: string[] = [];
  const sentences = new Sentences(clock, (text) => void said.push(text));
  const after = async (ms: number): Promise<readonly string[]> => {
    clock.advance(ms);
    // What waits for the clock goes on in later microtasks.
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    return said;
  };
  return { sentences, said, after };
}

test("the first announcement is made at once, and of those in the next second only the last is made", async () => {
  const { sentences, said, after } = listening();
  for (const text of ["one", "two", "three"]) sentences.add(text, false);
  expect(said).toEqual(["one"]);
  expect(await after(999)).toEqual(["one"]);
  expect(await after(1)).toEqual(["one", "three"]);
  expect(await after(1000)).toEqual(["one", "three"]);
  sentences.add("four", false);
  expect(said).toEqual(["one", "three", "four"]);
});

test("no announcement of an error is lost, and each is followed by a pause of one second", async () => {
  const { sentences, said, after } = listening();
  sentences.add("one", false);
  sentences.add("no", true);
  sentences.add("two", false);
  sentences.add("nor that", true);
  expect(said).toEqual(["one"]);
  expect(await after(1000)).toEqual(["one", "no"]);
  expect(await after(1000)).toEqual(["one", "no", "nor that"]);
  expect(await after(1000)).toEqual(["one", "no", "nor that", "two"]);
});

test("the same announcement can be repeated", async () => {
  const { sentences, said, after } = listening();
  sentences.add("copied", false);
  await after(1000);
  sentences.add("copied", false);
  expect(said).toEqual(["copied", "copied"]);
});
