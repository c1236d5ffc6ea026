import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { runTui, type TuiOptions } from "../../tui/index.ts";
import { FakeClock } from "../support/clock.ts";
import { issue, NOW, OPENING, START } from "./support.ts";

const OPTIONS: Omit<TuiOptions, "stdin" | "stdout"> = {
  ...START,
  // The recording has no messages for a while, so the first picture waits for rows as long as it ever does.
  source: {
    from: "recording",
    recording: { opening: OPENING, moments: [], length: 60_000 },
    speed: 1,
  },
  daemons: [],
  configFile: "config.toml",
  colours: "auto",
  theme: {},
  glyphs: "ascii",
  manyColours: true,
  keys: {},
  layout: "auto",
  silentAfterMs: 900_000,
  calm: true,
  problems: [],
  clipboard: { isLost: false, within: undefined, programs: [], env: {} },
  showCursor: false,
  screenReader: false,
  mouse: false,
  dumb: false,
  confirmQuit: false,
  editor: { command: "vi", env: {} },
  columns: undefined,
  saveColumns: async () => undefined,
  saveView: async () => [],
  draftFolder: undefined,
};

test("before the first frame the terminal's own answer is read, but no key, since nobody could see its effect", async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const stdout = Object.assign(new PassThrough({ encoding: "utf8" }), {
    columns: 80,
    rows: 24,
    isTTY: true,
  });
  let written = "";
  stdout.on("data", (text) => (written += text));
  const over = runTui({
    ...OPTIONS,
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
  });
  stdin.write("\u001B]11;rgb:ffff/ffff/ffff\u001B\\?");
  // The dim colour for a light background.
  await expect.poll(() => written).toContain("38;5;243m");
  expect(written).not.toContain("38;5;245m");
  expect(written).not.toContain("keys and signs");
  stdin.write("q");
  expect(await over).toMatchObject({ code: 0 });
});

test("ages advance while nobody does anything, and unchanged text is not written again", async () => {
  const clock = new FakeClock(NOW);
  const young = issue(1, { updated_at: NOW });
  const issues = [young, issue(2)];
  const page = {
    type: "issues",
    part: "all",
    serial: 0,
    issues,
    gone: [],
    truncated: false,
  } as const;
  const moments = [{ at: 0, message: page }];
  const recording = { opening: OPENING, moments, length: 3_600_000 };
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const screen = { columns: 80, rows: 24, isTTY: true };
  const stdout = Object.assign(new PassThrough({ encoding: "utf8" }), screen);
  let written = "";
  stdout.on("data", (text) => (written += text));
  const over = runTui({
    ...OPTIONS,
    source: { from: "recording", recording, speed: 1 },
    clock,
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
  });
  await expect.poll(() => written).toMatch(/k001 .* now/);
  for (const [passed, shown] of [
    [45, ""],
    [15, "1m"],
    [45, ""],
    [15, "2m"],
  ] as const) {
    written = "";
    for (let seconds = 0; seconds < passed; seconds += 15) {
      clock.advance(15_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (shown === "") expect(written).toBe("");
    else await expect.poll(() => written).toContain(shown);
  }
  stdin.write("q");
  expect(await over).toMatchObject({ code: 0 });
});
