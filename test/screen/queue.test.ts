import { expect, test } from "vitest";
import { Queue } from "../../src/screen/effects/queue.ts";

/** Work that ends when the test says so, and a log of what began and ended. */
function works(queue: Queue) {
  const log: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const run = (key: string, name: string): Promise<void> =>
    queue.run(key, async () => {
      log.push(`+${name}`);
      await new Promise<void>((resolve, reject) => {
        ends.set(name, (error) => (error === undefined ? resolve() : reject(error)));
      });
      log.push(`-${name}`);
    });
  const end = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)?.(error);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { log, run, end };
}

test("tasks with the same key run one after the other, and tasks with different keys run at the same time", async () => {
  const { log, run, end } = works(new Queue(8));
  void run("a", "a1");
  void run("a", "a2");
  void run("b", "b1");
  expect(log).toEqual(["+a1", "+b1"]);
  await end("a1");
  expect(log).toEqual(["+a1", "+b1", "-a1", "+a2"]);
});

test("a limited number of tasks runs at once, and each other task starts when one has ended", async () => {
  const { log, run, end } = works(new Queue(2));
  for (const name of ["a", "b", "c"]) void run(name, name);
  expect(log).toEqual(["+a", "+b"]);
  await end("b");
  expect(log).toEqual(["+a", "+b", "-b", "+c"]);
});

test("the failure of a task is reported to its caller, and the next task runs", async () => {
  const { log, run, end } = works(new Queue(1));
  const first = run("a", "a1");
  const second = run("a", "a2");
  const [told] = await Promise.all([
    first.catch((error: unknown) => error),
    end("a1", new Error("no")),
  ]);
  expect(told).toEqual(new Error("no"));
  await end("a2");
  await second;
  expect(log).toEqual(["+a1", "+a2", "-a2"]);
});
