import { expect, test } from "vitest";
import { AnswerWatch, type Look, type Sight } from "../../../src/store/postgres/answer-watch.ts";
import { FakeClock } from "../../support/clock.ts";

/** Lets all that does not wait for time run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/** A watch over a session whose server the test plays. */
function watched() {
  const clock = new FakeClock();
  const server = { bytes: 0, looks: 0, givenUp: false };
  const watch = new AnswerWatch({
    clock,
    arrived: () => server.bytes,
    silent: () => (server.givenUp = true),
  });
  return {
    server,
    watch,
    /** Asks something, and returns the function that answers it. */
    ask(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      void watch.during(promise);
      return resolve;
    },
    judge(sights: readonly (Sight | Error)[]): void {
      const look: Look = async () => {
        const sight = sights[server.looks++] ?? "working";
        if (sight instanceof Error) throw sight;
        return sight;
      };
      watch.judgeBy(look);
    },
    async pass(seconds: number): Promise<void> {
      for (let half = 0; half < 2 * seconds; half++) {
        await settle();
        clock.advance(500);
      }
      await settle();
    },
  };
}

test("a statement without an answer is abandoned after ten seconds", async () => {
  const { ask, pass, server, watch } = watched();
  ask();
  await pass(1);
  expect(watch.isLate).toBe(false);
  await pass(8);
  expect([server.givenUp, watch.isLate]).toEqual([false, true]);
  await pass(1);
  expect(server.givenUp).toBe(true);
});

test("each statement of a pipelined series has ten seconds of its own", async () => {
  const { ask, pass, server } = watched();
  const answers = [ask(), ask(), ask()];
  for (const answer of answers) {
    await pass(9);
    expect(server.givenUp).toBe(false);
    server.bytes += 10;
    answer();
    await pass(1);
  }
  await pass(60);
  expect(server.givenUp).toBe(false);
});

test("an answer whose bytes keep arriving does not count as silence", async () => {
  const { ask, pass, server } = watched();
  ask();
  for (let piece = 0; piece < 10; piece++) {
    await pass(9);
    server.bytes += 1;
    await pass(1);
  }
  expect(server.givenUp).toBe(false);
});

test("a session without a pending statement is not watched", async () => {
  const { ask, pass, server } = watched();
  ask()();
  await pass(60);
  ask();
  await pass(9);
  expect(server.givenUp).toBe(false);
});

const gone: readonly Sight[] = ["gone"];

test.each<[string, readonly (Sight | Error)[], number]>([
  ["the server has ended the session", gone, 5],
  ["two checks find the server waiting for the client", ["idle", "idle"], 10],
  [
    "the server answers neither of two checks",
    [new Error("no answer"), new Error("no answer")],
    10,
  ],
  ["two checks find the server waiting after it worked", ["working", "idle", "idle"], 15],
  [
    "checks find the server waiting, then working, then waiting twice",
    ["idle", "working", "idle", "idle"],
    20,
  ],
])("with a check on the server, a statement is abandoned when %s", async (_, sights, seconds) => {
  const { ask, judge, pass, server } = watched();
  judge(sights);
  ask();
  await pass(seconds - 1);
  expect(server.givenUp).toBe(false);
  await pass(1);
  expect(server.givenUp).toBe(true);
});

test("with a check on the server, a statement may take hours while the server works on it", async () => {
  const { ask, judge, pass, server, watch } = watched();
  judge([]);
  ask();
  await pass(3600);
  expect([server.givenUp, watch.isLate, server.looks]).toEqual([false, false, 720]);
});

test("an answer that arrives during a check takes precedence over the check", async () => {
  const { ask, pass, server, watch } = watched();
  let answer = ask();
  watch.judgeBy(async () => {
    server.bytes += 1;
    answer();
    answer = ask();
    return "gone";
  });
  await pass(60);
  expect(server.givenUp).toBe(false);
});
