import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { openReader } from "../../tui/reader/reader.ts";
import { createStore } from "../../tui/store.ts";
import { NOW, screen } from "./support.ts";

/** Opens the reader on a project with that name. Returns what it says from then on. */
function reader(name: string) {
  const session = screen(99, 30);
  const scope = { project: { id: 1, name } };
  const clock = { ...systemClock, now: () => NOW };
  const store = createStore(
    {
      ...session.state,
      scope: { ...session.state.scope, ...scope },
      preferences: { ...session.state.preferences, calm: true },
    },
    clock,
    () => undefined,
  );
  const ended = new AbortController();
  const stdin = new PassThrough();
  const stdout = Object.assign(new PassThrough({ encoding: "utf8" }), { columns: 80 });
  const streams = {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
  };
  const shown = openReader({ store, clock, signal: ended.signal, ...streams });
  onTestFinished(async () => {
    ended.abort();
    await shown.close();
  });
  return (): string => String(stdout.read() ?? "");
}

test("a screen reader announces only text, whatever a project's name contains", () => {
  const [first] = reader("pro\u001B[2Jduct")().split("\r\n");
  expect(first).toBe("Board pro [2Jduct, 6 issues of status:open");
});
