import { expect, test } from "vitest";
import { CommandError, EXIT_CODES } from "../../../src/cli/failure/failure.ts";
import { waitLong } from "../../../src/cli/session/long-wait.ts";
import { FakeClock } from "../../support/clock.ts";

const never = new Promise<never>(() => undefined);
const turn = async () => await new Promise<void>((next) => setImmediate(next));

function terminal(isTerminal: boolean) {
  const written: string[] = [];
  const stderr = {
    write: (text: string) => void written.push(text),
    isTerminal,
    columns: 80,
    onClosed: () => undefined,
  };
  return { written, stderr };
}

test("a long wait at a terminal shows the elapsed time and then clears it", async () => {
  const { written, stderr } = terminal(true);
  const clock = new FakeClock();
  let resolve = (_text: string): void => undefined;
  const asked = new Promise<string>((done) => {
    resolve = done;
  });
  const waited = waitLong({ stderr }, clock, asked, never);
  await turn();
  expect(written).toEqual([]);
  for (const seconds of [2, 3]) {
    clock.advance(seconds === 2 ? 2000 : 1000);
    await turn();
    expect(written.at(-1)).toContain(`at work, ${seconds} s so far`);
  }
  resolve("done");
  expect(await waited).toBe("done");
  expect(written.at(-1)).toBe("\r\u001b[2K");
});

test("a long wait without a terminal shows nothing, and passes on the daemon's refusal unchanged", async () => {
  const { written, stderr } = terminal(false);
  const clock = new FakeClock();
  const refused = waitLong({ stderr }, clock, Promise.reject(new Error("no")), never);
  await expect(refused).rejects.toThrow("no");
  expect(written).toEqual([]);
});

test("an interruption of a long wait says what happens to the work, and ends with exit code 130", async () => {
  const { stderr } = terminal(false);
  const waited = waitLong({ stderr }, new FakeClock(), never, Promise.resolve());
  const error: unknown = await waited.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(CommandError);
  const { failure } = error as CommandError;
  expect(failure.message).toContain("whole or not at all");
  expect(EXIT_CODES[failure.kind]).toBe(130);
});
